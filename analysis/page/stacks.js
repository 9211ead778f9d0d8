// Steps on top of each other at each category, in bars side by side: measured and modelled.

import { swatch } from "./bars.js";
import { FLAT } from "./marks.js";
import { axisOf, scaleOf } from "./scales.js";
import { decal, lookOf } from "./theme.js";
import { tip } from "./words.js";

export { swatch };
export const hasScale = false; // parts of a sum have no place on a logarithmic axis
export const axisTitle = (scene) => scene.y.title;

export function option(scene, { page, width, samples }) {
  const names = scene.x.names;
  const tops = new Map(); // of each bar, as it grows
  const parts = scene.series.flatMap((own) => own.points.map((point) => {
    const bar = `${point.bar} ${point.x}`, low = tops.get(bar) ?? 0;
    tops.set(bar, low + point.y);
    return { own, point, low, high: low + point.y };
  }));
  const scale = scaleOf("linear", [0, ...tops.values()], false);
  const room = (width - 70) / names.length;
  return {
    height: 380,
    option: {
      grid: { left: 58, right: 12, top: 14, bottom: 84 },
      xAxis: { type: "category", data: names, name: scene.x.title, nameLocation: "middle", nameGap: 64,
        nameTextStyle: { color: page.ink, fontSize: 13 }, axisTick: { show: false },
        axisLabel: { color: page.ink, interval: 0, width: room - 6, overflow: "break", lineHeight: 14 } },
      yAxis: axisOf(scale, page),
      series: [{ type: "custom", emphasis: FLAT, data: parts.map(({ own, point, high }) => (
        { value: [names.indexOf(point.x), high], point, tip: () => tip(own, point, scene, samples) })),
      renderItem: ({ dataIndexInside }, api) => {
        const { own, point, low, high } = parts[dataIndexInside];
        const at = scene.bars.indexOf(point.bar);
        const thick = Math.min(60, 0.8 * room / scene.bars.length);
        const [x, top] = api.coord([api.value(0), high]), bottom = api.coord([api.value(0), low])[1];
        const look = lookOf(own, page);
        return { type: "rect", shape: { x: x + (at - scene.bars.length / 2) * thick, y: top,
          width: thick * 0.94, height: Math.max(0.5, bottom - top) },
        style: { fill: look.colour, opacity: at ? 0.6 : 1, decal: decal(look.hatch, page) } };
      } }],
    },
  };
}
