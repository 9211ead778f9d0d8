// Draws tiles of roads off the page's thread, so that the map moves while they are drawn. In: {id, url, part, zoom,
// pixels, colours}; out: {id, bitmap} or {id, failed}. `part` is the drawn part of the server's tile: its left and
// upper edge and its side, each in sides of that tile.

import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";

const KEPT = 300; // the server's tiles: a change of colours or of the screen asks for none again
const RANKS = 8; // of importance, 7 for the main roads
const kept = new Map();

self.onmessage = async ({ data: { id, url, ...picture } }) => {
  try {
    const bitmap = draw(await load(url), picture);
    self.postMessage({ id, bitmap }, [bitmap]);
  } catch (error) {
    self.postMessage({ id, failed: String(error) });
  }
};

// Callers that ask while a tile is on its way wait for the same answer.
function load(url) {
  const known = kept.get(url) ?? fetchRoads(url);
  kept.delete(url); // the newest stands last
  kept.set(url, known);
  known.catch(() => kept.delete(url));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return known;
}

// [{importance, lines}], each line with its points in parts of the tile's side.
async function fetchRoads(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status} for ${url}`);
  const bytes = await answer.arrayBuffer();
  const layer = bytes.byteLength > 0 ? new VectorTile(new PbfReader(bytes)).layers.roads : null;
  return [...Array(layer?.length ?? 0).keys()].map((at) => {
    const feature = layer.feature(at);
    const lines = feature.loadGeometry().map((line) => (
      Float32Array.from(line.flatMap(({ x, y }) => [x / feature.extent, y / feature.extent]))));
    return { importance: feature.properties.importance, lines };
  });
}

function draw(roads, { part, zoom, pixels, colours }) {
  const canvas = new OffscreenCanvas(pixels, pixels);
  const context = canvas.getContext("2d");
  const scale = pixels / part.side;
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const { importance, lines } of roads) { // main roads come last, and lie above
    context.strokeStyle = colours[Math.min(colours.length - 1, Math.floor(importance * colours.length / RANKS))];
    context.lineWidth = widthOf(importance, zoom) * pixels / 256;
    context.beginPath();
    for (const line of lines) {
      for (let at = 0; at < line.length; at += 2) {
        const x = (line[at] - part.left) * scale;
        const y = (line[at + 1] - part.top) * scale;
        if (at === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
    }
    context.stroke();
  }
  return canvas.transferToImageBitmap();
}

// In points of the page. All roads grow alike with the zoom, main roads from a wider line.
function widthOf(importance, zoom) {
  return Math.max(0.35, (1.1 + 0.25 * importance) * 1.3 ** (zoom - 14));
}
