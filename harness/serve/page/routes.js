// Routes on a map. Dragging one makes a via point.

import { DivIcon, FeatureGroup, LineUtil, Marker, Polyline } from "leaflet";
import { toLatLng, toPoint } from "./map.js";

export class RouteLines {
  // `actions` has insert(leg, point), which makes a via point in that leg, and click(latlng). Without them routes can't
  // be changed.
  constructor(map, actions = null) {
    this.map = map;
    this.actions = actions;
    this.group = new FeatureGroup().addTo(map);
    this.legs = [];
    this.handle = new Marker([0, 0], { draggable: true, keyboard: false, zIndexOffset: -1000,
      icon: new DivIcon({ className: "handle", iconSize: [16, 16] }) });
    this.handle.on("mousedown dragstart", () => { this.dragged = true; });
    this.handle.on("mouseup", () => { this.dragged = false; });
    this.handle.on("dragend", () => {
      this.dragged = false;
      this.handle.remove();
      this.actions.insert(this.leg, toPoint(this.handle.getLatLng()));
    });
    this.handle.on("click", () => { // as fingers do, which don't hover
      this.handle.remove();
      this.actions.click(this.handle.getLatLng());
    });
    this.handle.on("mouseout", () => { if (!this.dragged) this.handle.remove(); });
  }

  // `routes` is [{metric, lines}], a line for each leg.
  show(routes) {
    this.group.clearLayers();
    if (!this.dragged) this.handle.remove();
    this.legs = routes.flatMap(({ lines }) => lines.map((line, leg) => ({ leg, line: line.map(toLatLng) })));
    // All edges are beneath all routes. Where both routes go, the dashes of one leave room for the other.
    for (const classOf of [() => "route-edge", (metric) => `route is-${metric}`]) {
      for (const { metric, lines } of routes) {
        const className = classOf(metric);
        new Polyline(lines.map((line) => line.map(toLatLng)), { className, interactive: false }).addTo(this.group);
      }
    }
    if (!this.actions) return;
    for (const { line } of this.legs) {
      new Polyline(line, { className: "route-grip" }).addTo(this.group)
        .on("mousemove", ({ latlng }) => {
          if (this.dragged) return;
          const near = this.nearest(latlng);
          this.leg = near.leg;
          this.handle.setLatLng(near.latlng).addTo(this.map);
        });
    }
  }

  // The nearest leg to a place, the point on it, and its distance in pixels.
  nearest(latlng) {
    const own = this.map.latLngToLayerPoint(latlng);
    let best = { leg: 0, pixels: Infinity, latlng };
    for (const { leg, line } of this.legs) {
      const corners = line.map((corner) => this.map.latLngToLayerPoint(corner));
      for (let at = 1; at < corners.length; at += 1) {
        const found = LineUtil.closestPointOnSegment(own, corners[at - 1], corners[at]);
        const pixels = own.distanceTo(found);
        if (pixels < best.pixels) best = { leg, pixels, latlng: this.map.layerPointToLatLng(found) };
      }
    }
    return best;
  }
}
