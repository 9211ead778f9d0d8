// Colours of the page's theme, and looks that tell series apart, as in canvas.py.

import colours from "../colours.json";

const PALETTE = 6; // series of one marker, line and hatch
const SYMBOLS = ["circle", "triangle", "diamond", "path://M0 0H10L5 10Z"];
const DASHES = ["solid", [8, 3, 2, 3], [2, 3], [10, 2, 2, 2, 2, 2]];
const HATCHES = [
  null,
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 },
  { symbol: "circle", symbolSize: 0.8, dashArrayX: [[5, 5], [0, 5, 5, 0]], dashArrayY: [5, 0] },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: Math.PI / 4 },
];
const PAPER_SYMBOLS = ["rect", "path://M4 0H6V4H10V6H6V10H4V6H0V4H4Z", "path://M2 0L5 3L8 0L10 2L7 5L10 8L8 10L5 7L2 10L0 8L3 5L0 2Z", "pin"];

const dark = window.matchMedia("(prefers-color-scheme: dark)");

export const onThemeChange = (redraw) => dark.addEventListener("change", redraw);

export function theme() {
  const name = dark.matches ? "dark" : "light";
  return { ...colours.page[name], series: colours.series[name] };
}

// The look of a series. `look` -1 is the look of a sum.
export function lookOf(series, page = theme()) {
  if (series.look < 0) return { colour: page.ink, symbol: "rect", dash: "solid", hatch: null };
  const group = Math.floor(series.look / PALETTE);
  return {
    colour: page.series[series.look % page.series.length],
    symbol: series.paper ? PAPER_SYMBOLS[(series.order - 1) % PAPER_SYMBOLS.length]
      : SYMBOLS[group % SYMBOLS.length],
    dash: series.paper ? [5, 4] : DASHES[group % DASHES.length],
    hatch: HATCHES[group % HATCHES.length],
  };
}

// Hatches are drawn in the page's colour.
export const decal = (hatch, page) =>
  hatch ? { color: page.paper, backgroundColor: "none", ...hatch } : { symbol: "none" };
