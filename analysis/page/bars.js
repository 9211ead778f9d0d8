// Bars side by side at each category. They are horizontal if the categories' names don't fit below them. Bars of ratios
// begin at 1.

import { axisOf, scaleOf } from "./scales.js";
import { FLAT, svg, swatchBox, whisker } from "./marks.js";
import { decal, lookOf } from "./theme.js";
import { tip, valueText } from "./words.js";

const LETTER = 6.8, LINE = 14; // pixels, at 12 px

export const axisTitle = (scene) => scene.y.title;

export function swatch(series, look, page) {
  const id = `hatch-${look.colour.slice(1)}-${series.look}`;
  const box = { x: 2, y: 1, width: 22, height: 12, fill: series.paper ? "none" : look.colour,
    stroke: look.colour, "stroke-width": series.paper ? 2 : 0 };
  if (!look.hatch || series.paper) return swatchBox(svg("rect", box));
  const dots = look.hatch.symbol === "circle";
  return swatchBox(
    svg("defs", {}, svg("pattern", { id, width: 5, height: 5, patternUnits: "userSpaceOnUse",
      patternTransform: `rotate(${(-look.hatch.rotation || 0) * 180 / Math.PI})` },
    dots ? svg("circle", { cx: 2.5, cy: 2.5, r: 1.3, fill: page.paper })
      : svg("rect", { width: 5, height: 1.6, fill: page.paper }))),
    svg("rect", box), svg("rect", { ...box, fill: `url(#${id})` }));
}

export function option(scene, { isLog, page, width, samples, all }) {
  const names = scene.x.names;
  const places = new Map(names.map((name, place) => [name, place]));
  const values = all.series.flatMap(({ points }) => points.flatMap(({ y, low, high }) => [y, low, high]));
  const scale = scaleOf(scene.y.scale, values, isLog);
  const slots = slotsOf(scene);
  const most = Math.max(1, ...[...slots.values()].map((keys) => keys.length));
  const room = (width - 60) / names.length;
  const longest = LETTER * Math.max(...names.map((name) => name.length));
  const isLying = longest > 2 * room || room / most < 12
    || LETTER * Math.max(...names.flatMap((name) => name.split(/[ ,]/)).map((word) => word.length)) > room;
  // Labels of ratios below 1 are left of their bars.
  const left = scene.y.scale === "ratio" ? 40 : 10;
  const nameWidth = Math.min(0.4 * width, longest + 12);
  const category = {
    type: "category", data: names, inverse: isLying, name: isLying ? "" : scene.x.title,
    nameLocation: "middle", nameGap: 44, nameTextStyle: { color: page.ink, fontSize: 13 },
    axisTick: { show: false }, axisLine: { show: true, onZero: false, lineStyle: { color: page.soft } },
    axisLabel: { color: page.ink, fontSize: 12, interval: 0, overflow: "break",
      lineHeight: LINE, width: isLying ? nameWidth : room - 4, margin: isLying ? left : 8 },
  };
  const value = axisOf(scale, page);
  const series = scene.series.map((own) => ({
    type: "custom", name: own.name, clip: false, emphasis: FLAT,
    encode: isLying ? { x: 1, y: 0 } : { x: 0, y: 1 },
    data: own.points.map((point) => ({
      value: [places.get(point.x), scale.to(point.y)], point,
      tip: () => tip(own, point, scene, samples),
    })),
    renderItem: ({ dataIndex }, api) => bar(api, own, own.points[dataIndex], { scale, slots, most, isLying, page, scene }),
  }));
  const namesHeight = names.length * (5 + LINE * (Math.ceil(longest / (nameWidth - 12)) + (longest > nameWidth)));
  const barsHeight = names.length * most * (most > 6 ? 15 : 18) * (most > 1 ? 1.2 : 1);
  return {
    height: isLying ? Math.max(160, 46 + Math.max(namesHeight, barsHeight)) : 360,
    option: {
      grid: isLying ? { left: nameWidth + left, right: 60, top: 8, bottom: 34 }
        : { left: 52, right: 12, top: 22, bottom: 64 },
      xAxis: isLying ? value : category, yAxis: isLying ? category : value,
      series: [...series, missingOf(scene, names, isLying, page), ...lineAtOne(scene, scale, isLying, page)],
    },
  };
}

// The bars side by side at each category.
function slotsOf(scene) {
  const slots = new Map();
  scene.series.forEach((series) => series.points.forEach(({ x }) => {
    if (!slots.has(x)) slots.set(x, []);
    if (!slots.get(x).includes(series)) slots.get(x).push(series);
  }));
  return slots;
}

function bar(api, own, point, { scale, slots, most, isLying, page, scene }) {
  const at = api.value(0), keys = slots.get(point.x);
  const foot = scale.min > 0 || scale.max < 0 ? scale.min : 0;
  const value = api.value(1);
  const where = (v) => api.coord(isLying ? [v, at] : [at, v]);
  const band = Math.abs(isLying ? api.size([0, 1])[1] : api.size([1, 0])[0]);
  const step = Math.min(0.84 * band / most, 64), thick = step * 0.9;
  const shift = (keys.indexOf(own) - (keys.length - 1) / 2) * step;
  const [x0, y0] = where(foot), [x1, y1] = where(value);
  const look = lookOf(own, page);
  const shape = isLying
    ? { x: Math.min(x0, x1), y: y1 + shift - thick / 2, width: Math.max(1, Math.abs(x1 - x0)), height: thick }
    : { x: x1 + shift - thick / 2, y: Math.min(y0, y1), width: thick, height: Math.max(1, Math.abs(y1 - y0)) };
  const children = [{ type: "rect", shape, style: {
    fill: look.colour, opacity: own.paper ? 0.4 : 1, stroke: look.colour, lineWidth: own.paper ? 1 : 0,
    decal: decal(look.hatch, page) } }];
  let end = value;
  if (point.low != null && point.high != null) {
    const ends = [point.low, point.high].map((v) => where(scale.to(v)))
      .map(([x, y]) => (isLying ? [x, y + shift] : [x + shift, y]));
    children.push(...whisker(...ends, Math.min(4, thick / 3), page.ink));
    end = scale.to(value < foot ? point.low : point.high);
  }
  if (thick >= (isLying ? 10 : 30)) children.push(label(where(end), shift, value < foot, isLying,
    point.reference ? "reference" : valueText({ ...point, low: null }, scene), page));
  return { type: "group", children };
}

function label([x, y], shift, isBelow, isLying, said, page) {
  const place = isLying
    ? { x: x + (isBelow ? -5 : 5), y: y + shift, textAlign: isBelow ? "right" : "left", textVerticalAlign: "middle" }
    : { x: x + shift, y: y + (isBelow ? 4 : -4), textAlign: "center", textVerticalAlign: isBelow ? "top" : "bottom" };
  return { type: "text", silent: true, style: { ...place, text: said, fill: page.ink, fontSize: 11 } };
}

// Reasons for missing bars, in their places if nothing else is there.
function missingOf(scene, names, isLying, page) {
  const shown = new Set(scene.series.flatMap(({ points }) => points.map(({ x }) => x)));
  return {
    type: "custom", silent: true, tooltip: { show: false }, encode: isLying ? { x: 1, y: 0 } : { x: 0, y: 1 },
    data: scene.missing.filter(({ x }) => !shown.has(x)).map(({ x, why }) => ({ value: [names.indexOf(x), 0], why })),
    renderItem: ({ dataIndexInside }, api) => {
      const [x, y] = api.coord(isLying ? [0, api.value(0)] : [api.value(0), 0]);
      const why = scene.missing.filter((row) => !shown.has(row.x))[dataIndexInside].why;
      return label([x, y], 0, false, isLying, why, { ...page, ink: page.soft });
    },
  };
}

// For ratios: the line of the reference, which the legend names.
export function lineAtOne(scene, scale, isLying, page) {
  if (!scene.reference) return [];
  const at = isLying ? { xAxis: scale.to(1) } : { yAxis: scale.to(1) };
  return [{ type: "line", data: [], silent: true, tooltip: { show: false }, markLine: {
    silent: true, symbol: "none", data: [at], lineStyle: { color: page.ink, width: 1.2, type: "solid" },
    label: { show: false },
  } }];
}
