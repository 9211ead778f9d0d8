// Closed roads: areas drawn by hand, which routes avoid.

import { DomEvent, DomUtil, FeatureGroup, LineUtil, Polygon, Polyline, point as pixel } from "leaflet";
import { toLatLng, toPoint } from "./map.js";

const CORNERS = 50; // of an area; the server takes a thousand of all areas

export class Closures {
  // `add(ring)` gets each drawn area.
  constructor(map, add) {
    this.map = map;
    this.add = add;
    this.group = new FeatureGroup().addTo(map);
    this.drawing = false;
  }

  show(rings) {
    this.group.clearLayers();
    for (const ring of rings) {
      new Polygon(ring.map(toLatLng), { className: "closed", interactive: false }).addTo(this.group);
    }
  }

  // `ended` is called when an area was drawn, or the drawing was given up.
  start(ended) {
    const box = this.map.getContainer();
    this.drawing = true;
    this.map.dragging.disable();
    DomUtil.addClass(box, "is-drawing");
    let line = null;
    let trace = [];
    const at = (event) => this.map.mouseEventToContainerPoint(event);
    const down = (event) => {
      if (line || !event.isPrimary) return;
      DomEvent.stop(event);
      box.setPointerCapture(event.pointerId);
      trace = [at(event)];
      line = new Polyline([], { className: "closing", interactive: false }).addTo(this.map);
    };
    const move = (event) => {
      if (!line) return;
      trace.push(at(event));
      line.setLatLngs(trace.map((corner) => this.map.containerPointToLatLng(corner)));
    };
    const up = (event) => {
      if (!line) return;
      DomEvent.stop(event);
      const ring = ringOf(trace);
      this.stop();
      if (ring) this.add(ring.map((corner) => toPoint(this.map.containerPointToLatLng(corner))));
    };
    // The map's own clicks and drags don't see these.
    const events = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
    for (const [name, act] of Object.entries(events)) box.addEventListener(name, act, true);
    this.stop = () => {
      for (const [name, act] of Object.entries(events)) box.removeEventListener(name, act, true);
      line?.remove();
      DomUtil.removeClass(box, "is-drawing");
      this.map.dragging.enable();
      this.stop = () => {};
      // The click that follows the last pointer event is a part of the drawing.
      setTimeout(() => { this.drawing = false; });
      ended();
    };
  }

  stop() {}

  // An area round the middle of the view, for users who don't draw.
  middle() {
    const size = this.map.getSize();
    const radius = Math.min(size.x, size.y) / 12;
    return [...Array(12).keys()].map((hour) => {
      const angle = hour * Math.PI / 6;
      const corner = pixel(size.x / 2 + radius * Math.cos(angle), size.y / 2 + radius * Math.sin(angle));
      return toPoint(this.map.containerPointToLatLng(corner));
    });
  }
}

// The corners of an area of at least some pixels, or null. A stroke along a road closes its width.
function ringOf(trace) {
  let corners = trace;
  for (let tolerance = 2; tolerance === 2 || corners.length > CORNERS; tolerance *= 2) {
    corners = LineUtil.simplify(trace, tolerance);
  }
  const length = corners.slice(1).reduce((sum, corner, at) => sum + corner.distanceTo(corners[at]), 0);
  if (length < 8) return null;
  if (corners.length > 2 && Math.abs(areaOf(corners)) > 30) return corners;
  return widened(corners);
}

const areaOf = (corners) => corners.reduce((sum, { x, y }, at) => {
  const next = corners[(at + 1) % corners.length];
  return sum + (x * next.y - next.x * y) / 2;
}, 0);

// A band of three pixels to each side of a line's ends.
function widened(corners) {
  const [from, to] = [corners[0], corners.at(-1)];
  const away = to.subtract(from);
  const across = pixel(-away.y, away.x).multiplyBy(3 / Math.max(1, from.distanceTo(to)));
  return [from.add(across), to.add(across), to.subtract(across), from.subtract(across)];
}
