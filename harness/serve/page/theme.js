// Colours for canvases. All other colours are in page.css.

const dark = window.matchMedia("(prefers-color-scheme: dark)");

// `roads` ends with main roads. `sides` has the first and the last vertices of a search: from the start, and from the
// goal.
const THEMES = {
  light: {
    roads: ["#cfc9bf", "#b9b2a7", "#948d82", "#6f6a62"],
    sides: [["#86bbe0", "#08306b"], ["#f9b27a", "#7f2704"]],
  },
  dark: {
    roads: ["#343d47", "#48525d", "#6a7580", "#98a2ae"],
    sides: [["#1c5c99", "#c3e2fb"], ["#94431a", "#ffdcb8"]],
  },
};

export const colours = () => THEMES[dark.matches ? "dark" : "light"];

// Calls `redraw` when the system turns to light or dark. The returned function ends that.
export function onThemeChange(redraw) {
  dark.addEventListener("change", redraw);
  return () => dark.removeEventListener("change", redraw);
}
