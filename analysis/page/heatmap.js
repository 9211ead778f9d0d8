// A table of values as colours (cividis, as in matplotlib), each with its number if there is room.

import { FLAT } from "./marks.js";
import { ratioText, text } from "./scales.js";
import { element, tip } from "./words.js";

const CIVIDIS = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369",
  "#e1cc55", "#fee838"];

export const axisTitle = () => "";

// The colours of values from the least to the largest, in equal steps or in equal ratios.
export function colouring(values, isLog) {
  const map = isLog ? Math.log : (value) => value;
  const low = map(Math.min(...values)), high = map(Math.max(...values));
  return (value) => {
    const at = high > low ? (map(value) - low) / (high - low) : 0.5;
    return { fill: mixed(at), ink: at < 0.5 ? "#fefefe" : "#010101" };
  };
}

function mixed(at) {
  const place = at * (CIVIDIS.length - 1), index = Math.min(CIVIDIS.length - 2, Math.floor(place));
  const channels = (colour) => [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
  const [first, second] = [channels(CIVIDIS[index]), channels(CIVIDIS[index + 1])];
  return `rgb(${first.map((c, k) => Math.round(c + (second[k] - c) * (place - index))).join(",")})`;
}

export function colourKey(scene, values) {
  const say = scene.y.scale === "ratio" ? ratioText : text;
  const bar = element("span", { style: `background: linear-gradient(to right, ${CIVIDIS.join(",")})` });
  return [`${scene.y.title}:`, say(Math.min(...values)), bar, say(Math.max(...values))];
}

export function option(scene, { isLog, page, width, samples, all }) {
  const points = all.series.flatMap((own) => own.points.map((point) => ({ own, point })));
  const values = points.map(({ point }) => point.y);
  const colour = colouring(values, isLog);
  const names = scene.x.names, rows = scene.rows;
  const longest = Math.max(...rows.map((row) => row.length));
  const left = Math.min(0.35 * width, 6.6 * longest + 14);
  const room = (width - left - 20) / names.length;
  const isUpright = Math.max(...names.map((name) => name.length)) * 6.6 > room;
  const below = isUpright ? Math.min(140, 14 + 6.6 * Math.max(...names.map((name) => name.length))) : 26;
  const axis = (data, more) => ({ type: "category", data, axisTick: { show: false },
    axisLine: { show: false }, ...more });
  const data = [
    ...points.map(({ own, point }) => ({ value: [names.indexOf(point.x), rows.indexOf(point.row)], point,
      tip: () => tip(own, point, scene, samples) })),
    ...scene.missing.map(({ x, row, why }) => ({ value: [names.indexOf(x), rows.indexOf(row)], why,
      tip: () => element("div", { class: "chart-tip" }, element("span", {}, `${row}, ${x}: ${why}`)) })),
  ];
  return {
    height: Math.max(140, 44 + below + rows.length * 34), keyParts: colourKey(scene, values),
    option: {
      grid: { left, right: 12, top: 6, bottom: below + 26 },
      xAxis: axis(names, { name: scene.x.title, nameLocation: "middle", nameGap: below + 4,
        nameTextStyle: { color: page.ink, fontSize: 13 },
        axisLabel: { color: page.ink, rotate: isUpright ? 90 : 0, hideOverlap: true } }),
      yAxis: axis(rows, { inverse: true,
        axisLabel: { color: page.ink, interval: 0, lineHeight: 14, width: left - 12, overflow: "break" } }),
      series: [{ type: "custom", emphasis: FLAT, data, renderItem: ({ dataIndexInside }, api) => {
        const { point, why } = data[dataIndexInside];
        const [x, y] = api.coord([api.value(0), api.value(1)]);
        const [w, h] = api.size([1, 1]);
        const look = point ? colour(point.y) : { fill: "none", ink: page.soft };
        const said = point ? (scene.y.scale === "ratio" ? ratioText(point.y) : text(point.y)) : why;
        const fits = said.length * 6.6 < w;
        return { type: "group", children: [
          { type: "rect", shape: { x: x - w / 2, y: y - h / 2, width: w, height: h },
            style: { fill: look.fill === "none" ? page.paper : look.fill, stroke: page.paper, lineWidth: 1 } },
          ...(fits ? [{ type: "text", silent: true, style: { text: said, x, y, fill: look.ink, fontSize: 12,
            textAlign: "center", textVerticalAlign: "middle" } }] : [])] };
      } }],
    },
  };
}
