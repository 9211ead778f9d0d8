// The roads as a layer of tiles, drawn by a worker. One worker leaves a core of two to the page.

import { DomUtil, GridLayer } from "leaflet";
import { colours, onThemeChange } from "./theme.js";

const SIDE = 256; // points
const waiting = new Map();
let worker = null;
let last = 0;

function ask(task, done) {
  if (!worker) {
    worker = new Worker("roads_worker.js");
    worker.onmessage = ({ data }) => {
      waiting.get(data.id)(data);
      waiting.delete(data.id);
    };
  }
  last += 1;
  waiting.set(last, done);
  worker.postMessage({ ...task, id: last });
}

export const Roads = GridLayer.extend({
  // `address(zoom, x, y)` gives a tile's address. The server has none beyond `greatestZoom`.
  initialize(address, greatestZoom, options) {
    this.address = address;
    this.greatestZoom = greatestZoom;
    GridLayer.prototype.initialize.call(this, { tileSize: SIDE, keepBuffer: 1, updateInterval: 100, ...options });
  },

  onAdd(map) {
    this.stop = onThemeChange(() => this.redraw());
    GridLayer.prototype.onAdd.call(this, map);
  },

  onRemove(map) {
    this.stop();
    GridLayer.prototype.onRemove.call(this, map);
  },

  createTile({ x, y, z }, done) {
    const tile = DomUtil.create("canvas");
    const pixels = Math.round(SIDE * Math.min(window.devicePixelRatio || 1, 3));
    tile.width = pixels;
    tile.height = pixels;
    const zoom = Math.min(z, this.greatestZoom);
    const parts = 2 ** (z - zoom); // of the server's tile, a side
    const [column, row] = [Math.floor(x / parts), Math.floor(y / parts)];
    ask({
      url: new URL(this.address(zoom, column, row), document.baseURI).href,
      part: { left: x / parts - column, top: y / parts - row, side: 1 / parts },
      zoom: z,
      pixels,
      colours: colours().roads,
    }, ({ bitmap, failed }) => {
      if (bitmap) tile.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
      done(failed ? new Error(failed) : null, tile);
    });
    return tile;
  },
});
