// A map of roads: Leaflet, with the roads as its only tiles.

import { Control, Map as LeafletMap, latLng, latLngBounds } from "leaflet";
import { tileAddress } from "./api.js";
import { Roads } from "./roads.js";

// Points of requests and answers are [longitude, latitude].
export const toPoint = ({ lat, lng }) => [lng, lat];
export const toLatLng = ([longitude, latitude]) => latLng(latitude, longitude);

export function createMap(container, about) {
  const [west, south, east, north] = about.bounds;
  const bounds = latLngBounds([south, west], [north, east]);
  const map = new LeafletMap(container, {
    maxZoom: 18,
    maxBounds: bounds.pad(0.5),
    maxBoundsViscosity: 0.5,
    zoomSnap: 0.5,
    wheelPxPerZoomLevel: 120,
    keyboardPanDelta: 100,
    fadeAnimation: false, // a faded tile is a layer of its own, and costs a frame
  });
  map.attributionControl.setPrefix("Leaflet");
  new Control.Scale({ imperial: false, position: "topright" }).addTo(map);
  map.fitBounds(bounds);
  map.setMinZoom(Math.floor(map.getBoundsZoom(bounds)) - 1);
  new Roads((zoom, x, y) => tileAddress(about.name, zoom, x, y), about.tile_zooms[1],
    { maxZoom: 18, attribution: about.attribution, bounds }).addTo(map);
  return map;
}

// A move of one map moves the other one. The returned function ends that.
export function together(first, second) {
  let moving = false;
  const follow = (from, to) => () => {
    if (moving) return;
    moving = true;
    to.setView(from.getCenter(), from.getZoom(), { animate: false });
    moving = false;
  };
  const pairs = [[first, follow(first, second)], [second, follow(second, first)]];
  for (const [map, act] of pairs) map.on("move zoomend", act);
  pairs[0][1]();
  return () => { for (const [map, act] of pairs) map.off("move zoomend", act); };
}
