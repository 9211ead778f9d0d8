// A figure's chart with titles, legend, buttons, a table of its points, and the samples of the chosen point. All of it
// is drawn from the scene and the reader's choices.

import * as echarts from "echarts/core";
import { CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

import * as bars from "./bars.js";
import * as curve from "./curve.js";
import * as heatmap from "./heatmap.js";
import * as stacks from "./stacks.js";
import * as topology from "./topology.js";
import { drawSamples } from "./samples.js";
import { lookOf, onThemeChange, theme } from "./theme.js";
import { element, samplesText, valueText } from "./words.js";

echarts.use([CustomChart, LineChart, ScatterChart, GridComponent, MarkLineComponent,
  TooltipComponent, SVGRenderer]);

const KINDS = { bars, curve, heatmap, lines: curve, stacks, topology };

export function mount(figure, allSamples) {
  const scene = JSON.parse(figure.querySelector(":scope > script").textContent);
  const kind = KINDS[scene.kind];
  const state = { hidden: new Set(), isLog: ["log", "ratio"].includes(scene.y.scale) };

  const plot = element("div", { class: "chart-plot", role: "img",
    "aria-label": figure.querySelector("img").alt });
  const samplesBox = element("div", { class: "chart-samples", hidden: "" });
  const key = element("div", { class: "chart-key" });
  const legend = element("ul", { class: "chart-legend" });
  const hasScale = kind.hasScale ?? true;
  const drawn = element("div", { class: "chart-drawn" },
    element("div", { class: "chart-title" }, scene.title),
    element("div", { class: "chart-subtitle" }, scene.subtitle),
    legend, hasScale ? buttons() : null, key,
    element("div", { class: "chart-axis" }, kind.axisTitle(scene)), plot, samplesBox,
    table(scene, allSamples, openSamples));
  figure.classList.add("has-chart");
  figure.querySelector("img").after(drawn);

  const chart = echarts.init(plot, null, { renderer: "svg", height: 300 });
  chart.on("click", (event) => openSamples(event.data?.point));
  const redraw = () => {
    const page = theme();
    fillLegend(page);
    const shown = { ...scene, series: scene.series.filter(({ name }) => !state.hidden.has(name)) };
    const width = plot.clientWidth;
    const { height, option, keyParts = [] } =
      kind.option(shown, { ...state, page, width, samples: allSamples, all: scene });
    key.replaceChildren(...keyParts);
    chart.resize({ width, height });
    chart.setOption({ animation: false, textStyle: { fontFamily: fontOf(plot) }, ...option,
      tooltip: { ...tooltip(page), ...option.tooltip } }, { notMerge: true });
  };
  redraw();
  onThemeChange(redraw);
  let width = plot.clientWidth;
  new ResizeObserver(() => {
    if (plot.clientWidth && plot.clientWidth !== width) {
      width = plot.clientWidth;
      redraw();
    }
  }).observe(plot);

  function buttons() {
    const button = element("button", { type: "button", "aria-pressed": String(state.isLog),
      onclick: () => {
        state.isLog = !state.isLog;
        button.setAttribute("aria-pressed", String(state.isLog));
        button.textContent = said();
        redraw();
      } });
    const said = () => (state.isLog ? "Scale: logarithmic" : "Scale: linear");
    button.textContent = said();
    return element("div", { class: "chart-buttons" }, button);
  }

  function fillLegend(page) {
    if (scene.reference && !legend.childElementCount) {
      legend.append(element("li", { class: "chart-reference" }, `1x: ${scene.reference}`));
    }
    const names = new Map();
    for (const series of scene.series) if (!names.has(series.name)) names.set(series.name, series);
    if (names.size < 2 || !kind.swatch) return;
    if (!legend.querySelector("button")) {
      for (const name of [...names.keys()].reverse()) {
        legend.prepend(element("li", {}, element("button", { type: "button", "aria-pressed": "true",
          onclick: (event) => toggle(name, event.currentTarget) }, name)));
      }
    }
    [...names.values()].forEach((series, index) => {
      const button = legend.children[index].firstElementChild;
      button.querySelector("svg")?.remove();
      button.prepend(kind.swatch(series, lookOf(series, page), page));
    });
  }

  function toggle(name, button) {
    if (state.hidden.has(name)) state.hidden.delete(name);
    else state.hidden.add(name);
    button.setAttribute("aria-pressed", String(!state.hidden.has(name)));
    redraw();
  }

  function openSamples(point) {
    if (point && allSamples[point.samples]) drawSamples(echarts, samplesBox, point, allSamples[point.samples]);
  }
}

// The library measures texts, so it needs the font's own name.
const fontOf = (plot) => getComputedStyle(plot).fontFamily;

const tooltip = (page) => ({
  trigger: "item", confine: true, backgroundColor: page.paper, borderColor: page.line,
  textStyle: { color: page.ink, fontSize: 13 },
  formatter: ({ data }) => data?.tip?.() ?? "",
});

function table(scene, samples, openSamples) {
  const rows = scene.series.flatMap((series) => series.points.map((point) => element("tr", {},
    element("td", {}, series.source ? `${series.name}, ${series.source}` : series.name),
    element("td", {}, String(point.x)), element("td", {}, valueText(point, scene)),
    element("td", {}, samples[point.samples] ? element("button", { type: "button",
      onclick: () => openSamples(point) }, samplesText(point, samples)) : ""))));
  const head = ["Series", scene.x.title || "Cell", scene.y.title, "Samples"]
    .map((name) => element("th", { scope: "col" }, name));
  const box = element("div", { class: "table", tabindex: "0", role: "region",
    "aria-label": `Points of ${scene.title}` });
  const details = element("details", { class: "chart-table", ontoggle: () => {
    // Thousands of points take a while, and most readers never open this.
    if (details.open && !box.childElementCount) {
      box.append(element("table", {}, element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...rows)));
    }
  } }, element("summary", {}, `The figure's ${rows.length} points as a table`), box);
  return details;
}
