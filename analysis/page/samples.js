// The samples of a cell, block by block: each sample a point, each block's median a line, and the
// interval of the cell's median as a band.

import { axisOf, scaleOf, text } from "./scales.js";
import { onThemeChange, theme } from "./theme.js";
import { element } from "./words.js";

let last = null; // the box that is open, one on a page
onThemeChange(() => last?.close());

export function drawSamples(echarts, box, point, samples) {
  last?.close();
  const opener = document.activeElement;
  const plot = element("div", { class: "chart-samples-plot", role: "img",
    "aria-label": `Samples of ${point.cell} by block` });
  const close = element("button", { type: "button", onclick: () => last?.close() }, "Close");
  const interval = samples.low == null ? "no interval"
    : `95 % interval [${text(samples.low)}, ${text(samples.high)}]`;
  box.replaceChildren(
    element("div", {}, element("strong", {}, "Samples of "), point.cell),
    element("div", { class: "chart-axis" }, `Time per query (${samples.unit}): median `
      + `${text(samples.median)}, ${interval}; ${samples.blocks.length} blocks, ${samples.count} samples`),
    plot, element("div", { class: "chart-buttons" }, close));
  box.hidden = false;
  const chart = echarts.init(plot, null, { renderer: "svg", height: 220, width: plot.clientWidth });
  last = { close: () => {
    chart.dispose();
    box.replaceChildren();
    box.hidden = true;
    last = null;
    opener?.focus({ preventScroll: true });
  } };
  const page = theme();
  const scale = scaleOf("linear", [...samples.blocks.flat(), samples.low, samples.high], false, { isRoomy: false });
  const names = samples.blocks.map((_, index) => String(index + 1));
  chart.setOption({
    animation: false, textStyle: { fontFamily: getComputedStyle(plot).fontFamily },
    grid: { left: 58, right: 18, top: 10, bottom: 44 },
    tooltip: { trigger: "item", confine: true, backgroundColor: page.paper, borderColor: page.line,
      textStyle: { color: page.ink },
      formatter: ({ value }) => element("span", {}, `block ${names[value[0]]}: ${text(scale.from(value[1]))} ms`) },
    xAxis: { type: "category", data: names, name: "block", nameLocation: "middle", nameGap: 26,
      nameTextStyle: { color: page.ink }, axisLabel: { color: page.ink } },
    yAxis: axisOf(scale, page),
    series: [{
      type: "scatter", symbolSize: 6, itemStyle: { color: page.series[0], opacity: 0.7 },
      data: samples.blocks.flatMap((block, index) => block.map((value) => [index, scale.to(value)])),
      markLine: { silent: true, symbol: "none", data: [samples.low, samples.median, samples.high]
        .filter((value) => value != null).map((value) => ({ yAxis: scale.to(value),
          lineStyle: { type: value === samples.median ? "solid" : "dashed", color: page.ink, width: 1 } })),
      label: { show: false } },
    }, {
      type: "custom", silent: true, tooltip: { show: false },
      data: samples.blocks.map((block, index) => [index, scale.to(median(block))]),
      renderItem: (_, api) => {
        const [x, y] = api.coord([api.value(0), api.value(1)]);
        return { type: "line", shape: { x1: x - 12, y1: y, x2: x + 12, y2: y },
          style: { stroke: page.series[1], lineWidth: 3 } };
      },
    }],
  });
  close.focus({ preventScroll: true });
  box.scrollIntoView({ block: "nearest" });
}

function median(values) {
  const ordered = [...values].sort((a, b) => a - b), middle = Math.floor(ordered.length / 2);
  return ordered.length % 2 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
}
