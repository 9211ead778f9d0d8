// The area within a distance or a time from the start, as contours.

import { FeatureGroup, GeoJSON } from "leaflet";

export class Reach {
  constructor(map) {
    this.group = new FeatureGroup().addTo(map);
  }

  // Contours in the form of askReach.
  show(contours) {
    this.group.clearLayers();
    [...contours].reverse().forEach(({ geometry }, at) => {
      const step = contours.length - at; // 1 is the nearest
      new GeoJSON(geometry, { interactive: false, style: { className: `contour is-${step}` } })
        .addTo(this.group);
    });
  }
}
