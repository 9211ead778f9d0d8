// The machine as nested boxes, each core in the colour of its value: one machine for each series.

import { colourKey, colouring } from "./heatmap.js";
import { FLAT } from "./marks.js";
import { text } from "./scales.js";
import { tip } from "./words.js";

const HEAD = 20; // pixels, of a series' name
const LETTER = 6.4;

export const axisTitle = () => "";

export function option(scene, { isLog, page, width, samples, all }) {
  const values = all.series.flatMap(({ points }) => points.map(({ y }) => y));
  const colour = colouring(values, isLog);
  const unit = Math.min(width / scene.width, 96); // pixels a core's width
  const step = scene.height * unit + (all.series.length > 1 ? HEAD : 0);
  const data = scene.series.flatMap((own, row) => [
    { value: [0], name: own.name, row },
    ...scene.boxes.map((box) => {
      const point = own.points.find(({ core }) => box.core != null && core === box.core);
      return { value: [0], box, point, row, tip: point && (() => tip(own, point, scene, samples)) };
    }),
  ]);
  const draw = ({ box, point, name, row }) => {
    const top = row * step + step - scene.height * unit;
    if (!box) return all.series.length > 1 ? word(name, 2, top - HEAD / 2, page.ink, "left") : null;
    const [x, y, w, h] = [box.x, box.y, box.width, box.height].map((side) => side * unit);
    const look = point ? colour(point.y) : { fill: page.paper, ink: page.soft };
    const parts = [{ type: "rect", silent: !point, shape: { x, y: top + y, width: w, height: h },
      style: { fill: look.fill, stroke: page.soft, lineWidth: 0.8 } }];
    if (box.core == null) {
      if (box.name.length * LETTER < w) parts.push(word(box.name, x + 4, top + y + 0.21 * unit, page.soft, "left"));
    } else {
      const words = [`core ${box.core}`, point ? text(point.y) : ""].filter((said) => said.length * LETTER < w);
      if (h > 14) {
        words.slice(h > 30 ? 0 : -1).forEach((said, line, shown) => parts.push(word(said, x + w / 2,
          top + y + h / 2 + (line - (shown.length - 1) / 2) * 14, look.ink, "center")));
      }
    }
    return { type: "group", children: parts };
  };
  return {
    height: Math.ceil(step * scene.series.length) + 4, keyParts: colourKey(scene, values),
    option: { series: [{ type: "custom", coordinateSystem: "none", emphasis: FLAT, data,
      renderItem: ({ dataIndex }) => draw(data[dataIndex]) }] },
  };
}

const word = (said, x, y, fill, textAlign) => ({ type: "text", silent: true,
  style: { text: said, x, y, fill, fontSize: 11, textAlign, textVerticalAlign: "middle" } });
