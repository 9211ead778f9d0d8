// The texts about a point, in the page's own elements: names are text, with any characters.

import { ratioText, text } from "./scales.js";

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

const number = (value, scene) => (scene.y.scale === "ratio" ? ratioText(value) : text(value));

// `0.984x [0.979x, 0.985x]`
export function valueText(point, scene) {
  const value = number(point.y, scene);
  if (point.reference) return `${value} (reference)`;
  return point.low == null || point.high == null ? value :
    `${value} [${number(point.low, scene)}, ${number(point.high, scene)}]`;
}

export function samplesText(point, samples) {
  const own = samples[point.samples];
  return own ? `${own.blocks.length} blocks, ${own.count} samples` : "";
}

// For all lines at one place of the x axis.
export function tipAt(points, scene) {
  return element("div", { class: "chart-tip" },
    element("span", {}, `${scene.x.title} ${points[0].point.x}`),
    ...points.map(({ own, point }) => element("span", {}, `${own.source ? `${own.name}, ${own.source}` : own.name}: `,
      element("strong", {}, valueText(point, scene)))),
    element("span", {}, scene.y.title));
}

export function tip(series, point, scene, samples) {
  const at = [scene.x.title, point.x].filter((part) => part !== "").join(" ");
  const rows = [
    ["strong", valueText(point, scene)], ["span", scene.y.title],
    ["span", point.cell || `${series.name}, ${at}`],
    ["span", samplesText(point, samples)],
    ["em", samples[point.samples] ? "Click: its samples" : ""],
  ];
  return element("div", { class: "chart-tip" },
    ...rows.filter(([, said]) => said).map(([tag, said]) => element(tag, {}, said)));
}
