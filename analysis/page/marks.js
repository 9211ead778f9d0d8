// Common parts of charts: whiskers, swatches of legends.

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// An element under the pointer stays in its place: raised, it would hide the elements on it.
export const FLAT = { disabled: true };

// An interval: a line from `first` to `last` with caps across it.
export function whisker([x1, y1], [x2, y2], cap, colour) {
  const [dx, dy] = x1 === x2 ? [cap, 0] : [0, cap];
  const line = (x, y, otherX, otherY) => ({
    type: "line", silent: true, shape: { x1: x, y1: y, x2: otherX, y2: otherY },
    style: { stroke: colour, lineWidth: 1.3 },
  });
  return [line(x1, y1, x2, y2), line(x1 - dx, y1 - dy, x1 + dx, y1 + dy),
    line(x2 - dx, y2 - dy, x2 + dx, y2 + dy)];
}

export const swatchBox = (...children) =>
  svg("svg", { width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true" }, ...children);
