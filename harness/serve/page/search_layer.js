// The settled vertices of a search, on a canvas over the map: a dot for each vertex, and a line from its predecessor.
// Dark ones are last.

import { CRS, DomUtil, Layer, latLng } from "leaflet";
import { colours, onThemeChange } from "./theme.js";

const STEPS = 24; // colours

export const SearchLayer = Layer.extend({
  // An answer of /api/search.
  initialize({ vertices, predecessors, longitudes, latitudes, sides }) {
    this.sides = vertices.map((vertex, at) => sides[at] ?? 0);
    this.shown = 0;
    const seen = [new Map(), new Map()]; // a vertex's last event, by side
    this.from = vertices.map((vertex, at) => {
      const own = seen[this.sides[at]];
      own.set(vertex, at);
      return own.get(predecessors[at]) ?? at;
    });
    // Coordinates at zoom 0. At zoom z they are 2^z times larger.
    this.world = longitudes.map((longitude, at) => (
      CRS.EPSG3857.latLngToPoint(latLng(latitudes[at] / 1e6, longitude / 1e6), 0)));
  },

  onAdd(map) {
    this.map = map;
    this.canvas = DomUtil.create("canvas", "search leaflet-zoom-hide");
    map.getPane("overlayPane").prepend(this.canvas);
    map.on("moveend resize viewreset", this.redraw, this);
    this.stop = onThemeChange(() => this.redraw());
    this.redraw();
  },

  onRemove(map) {
    map.off("moveend resize viewreset", this.redraw, this);
    this.stop();
    this.canvas.remove();
  },

  // Shows the first `count` events. Going forward draws only the new ones.
  show(count) {
    const from = this.shown;
    this.shown = count;
    if (count < from) this.redraw();
    else this.draw(from, count);
  },

  redraw() {
    const size = this.map.getSize();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.canvas.width = size.x * ratio;
    this.canvas.height = size.y * ratio;
    this.canvas.style.width = `${size.x}px`;
    this.canvas.style.height = `${size.y}px`;
    DomUtil.setPosition(this.canvas, this.map.containerPointToLayerPoint([0, 0]));
    this.context = this.canvas.getContext("2d");
    this.context.scale(ratio, ratio);
    this.draw(0, this.shown);
  },

  draw(from, to) {
    const zoom = this.map.getZoom();
    const scale = 2 ** zoom;
    const origin = this.map.getPixelBounds().min;
    const size = this.map.getSize();
    const dot = Math.min(9, Math.max(1.5, 2.2 * 1.4 ** (zoom - 12)));
    const place = (at) => [this.world[at].x * scale - origin.x, this.world[at].y * scale - origin.y];
    const isSeen = ([x, y]) => x > -dot && y > -dot && x < size.x + dot && y < size.y + dot;
    const step = (at) => Math.floor(at * STEPS / this.world.length);
    this.context.lineWidth = dot / 2;
    shades().forEach((paint, side) => {
      for (let first = from, end; first < to; first = end) { // a shade is one path: strokes take time
        const [lines, dots] = [new Path2D(), new Path2D()];
        for (end = first; end < to && step(end) === step(first); end += 1) {
          if (this.sides[end] !== side) continue;
          const [own, before] = [place(end), place(this.from[end])];
          if (!isSeen(own) && !isSeen(before)) continue;
          lines.moveTo(...before);
          lines.lineTo(...own);
          dots.rect(own[0] - dot / 2, own[1] - dot / 2, dot, dot);
        }
        this.context.fillStyle = paint[step(first)];
        this.context.strokeStyle = paint[step(first)];
        this.context.stroke(lines);
        this.context.fill(dots);
      }
    });
  },
});

function shades() {
  const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return colours().sides.map(([first, last]) => [...Array(STEPS).keys()].map((step) => (
    `#${parts(first).map((low, at) => Math.round(low + (parts(last)[at] - low) * step / (STEPS - 1))
      .toString(16).padStart(2, "0")).join("")}`)));
}
