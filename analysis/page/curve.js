// Lines and points over a numeric axis: curves with intervals, phases, shares, the scaling model.

import { axisOf, scaleOf, text } from "./scales.js";
import { svg, swatchBox, whisker } from "./marks.js";
import { lineAtOne } from "./bars.js";
import { lookOf } from "./theme.js";
import { tip, tipAt } from "./words.js";

const MOST_MARKED = 60; // points of a line that are drawn as points

export const axisTitle = (scene) =>
  scene.y.title + (scene.second ? `; shaded, right: ${scene.second.name}` : "");

export function swatch(series, look) {
  const dash = Array.isArray(look.dash) ? look.dash.join(" ") : "none";
  const shapes = {
    circle: svg("circle", { cx: 13, cy: 7, r: 4, fill: look.colour }),
    triangle: svg("path", { d: "M13 2L18 11H8Z", fill: look.colour }),
    diamond: svg("path", { d: "M13 2L18 7L13 12L8 7Z", fill: look.colour }),
    rect: svg("rect", { x: 9.5, y: 3.5, width: 7, height: 7, fill: look.colour }),
  };
  const path = look.symbol.startsWith("path://") &&
    svg("path", { d: look.symbol.slice(7), transform: "translate(8 2)", fill: look.colour });
  const line = series.shape === "points" ? [] : [svg("line", { x1: 0, y1: 7, x2: 26, y2: 7,
    stroke: look.colour, "stroke-width": 2, "stroke-dasharray": dash })];
  return swatchBox(...line, path || shapes[look.symbol] || shapes.circle);
}

export function option(scene, { isLog, page, width, samples, all }) {
  const points = all.series.flatMap((series) => series.points);
  const yScale = scaleOf(scene.y.scale, points.flatMap(({ y, low, high }) => [y, low, high]), isLog);
  const isXLog = scene.x.scale !== "linear" && points.every(({ x }) => x > 0);
  const xScale = scaleOf(scene.x.scale, points.map(({ x }) => x), isXLog, { isRoomy: false });
  const series = scene.series.flatMap((own) => drawn(own, { scene, xScale, yScale, isLog, page, samples }));
  const y = axisOf(yScale, page);
  const x = axisOf(xScale, page, { title: scene.x.title, hasLines: false });
  const axes = [y];
  if (scene.second) {
    const second = scaleOf("linear", scene.second.points.map((point) => point.y), false);
    axes.push({ ...axisOf(second, page, { hasLines: false }), position: "right" });
    series.push({ type: "line", yAxisIndex: 1, silent: true, showSymbol: false, z: 1,
      data: scene.second.points.map((point) => [xScale.to(point.x), second.to(point.y)]),
      lineStyle: { width: 0 }, areaStyle: { color: page.soft, opacity: 0.2 } });
  }
  if (scene.mark) {
    series.push({ type: "line", data: [], markLine: { silent: true, symbol: "none",
      data: [{ xAxis: xScale.to(scene.mark.x) }], lineStyle: { color: page.soft, type: "dotted" },
      label: { formatter: scene.mark.name, color: page.soft, fontSize: 11 } } });
  }
  return {
    height: 380,
    option: {
      ...(scene.kind === "lines" && { tooltip: { trigger: "axis", formatter: (met) => {
        const points = [].concat(met).map(({ data }) => data).filter((data) => data?.point);
        return points.length ? tipAt(points, scene) : "";
      } } }),
      grid: { left: 58, right: scene.second ? 70 : 18, top: 22, bottom: 48 },
      xAxis: x, yAxis: axes, series: [...series, ...lineAtOne(scene, yScale, false, page)],
    },
  };
}

function drawn(own, { scene, xScale, yScale, isLog, page, samples }) {
  const look = lookOf(own, page);
  const points = own.points.filter(({ y }) => !isLog || y > 0).sort((a, b) => a.x - b.x);
  const data = points.map((point) => ({
    value: [xScale.to(point.x), yScale.to(point.y)], point, own,
    tip: () => tip(own, point, scene, samples),
    itemStyle: isHollow(point, own, scene) ? { color: page.paper, borderColor: look.colour, borderWidth: 2 }
      : { color: look.colour },
  }));
  const common = { name: own.name, symbol: look.symbol, itemStyle: { color: look.colour } };
  const line = own.shape === "points"
    ? { ...common, type: "scatter", symbolSize: 9, data }
    : { ...common, type: "line", symbolSize: own.paper ? 6 : 8, data,
      showSymbol: own.shape !== "line" || data.length <= MOST_MARKED, triggerLineEvent: false,
      lineStyle: { color: look.colour, type: look.dash, width: own.paper ? 1.4 : 2, opacity: own.paper ? 0.7 : 1 } };
  const bounded = points.filter(({ low, high }) => low != null && high != null && (!isLog || low > 0));
  if (!bounded.length) return [line];
  return [line, {
    type: "custom", silent: true, tooltip: { show: false }, name: own.name,
    data: bounded.map((point) => [xScale.to(point.x), yScale.to(point.low), yScale.to(point.high)]),
    renderItem: (_, api) => ({ type: "group", children: whisker(
      api.coord([api.value(0), api.value(1)]), api.coord([api.value(0), api.value(2)]), 4, look.colour) }),
  }];
}

// A measured point without an interval.
const isHollow = (point, own, scene) =>
  scene.kind === "curve" && !own.paper && !point.reference && (point.low == null || point.high == null);
