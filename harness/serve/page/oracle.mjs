// Roads read from their files, and shortest paths by a search that shares nothing with the server's.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const rows = (file, kind) => gunzipSync(readFileSync(file)).toString().split("\n")
  .filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(" ").slice(1).map(Number));

// Files as in data/: `distances` and `times` have the same arcs in the same order.
export function readRoads({ distances, times, coordinates }) {
  const places = [];
  for (const [vertex, x, y] of rows(coordinates, "v")) places[vertex] = [x / 1e6, y / 1e6];
  const lengths = rows(times, "a").map((row) => row[2]);
  const out = places.map(() => []);
  rows(distances, "a").forEach(([tail, head, distance], at) => {
    out[tail].push({ head, distance, time: lengths[at] });
  });
  return { places, out };
}

// The distances by `metric` from a vertex to all vertices (Dijkstra's algorithm). Roads that touch one of the
// `closed` polygons aren't there.
export function distancesFrom({ places, out }, source, metric, closed = []) {
  const distances = places.map(() => Infinity);
  distances[source] = 0;
  const heap = [[0, source]];
  while (heap.length > 0) {
    const [distance, tail] = pop(heap);
    if (distance > distances[tail]) continue;
    for (const { head, [metric]: length } of out[tail]) {
      if (distance + length >= distances[head]) continue;
      if (closed.some((ring) => touches(places[tail], places[head], ring))) continue;
      distances[head] = distance + length;
      push(heap, [distances[head], head]);
    }
  }
  return distances;
}

function push(heap, entry) {
  let at = heap.length;
  for (let up = (at - 1) >> 1; at > 0 && heap[up][0] > entry[0]; up = (at - 1) >> 1) {
    heap[at] = heap[up];
    at = up;
  }
  heap[at] = entry;
}

function pop(heap) {
  const [first] = heap;
  const last = heap.pop();
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    if (down + 1 < heap.length && heap[down + 1][0] < heap[down][0]) down += 1;
    if (down >= heap.length || heap[down][0] >= last[0]) break;
    heap[at] = heap[down];
    at = down;
  }
  heap[at] = last;
  return first;
}

function touches(from, to, ring) {
  if (isInside(from, ring) || isInside(to, ring)) return true;
  return ring.some((corner, at) => cross(from, to, corner, ring[(at + 1) % ring.length]));
}

function isInside([x, y], ring) {
  let inside = false;
  ring.forEach(([fromX, fromY], at) => {
    const [toX, toY] = ring[(at + 1) % ring.length];
    if ((fromY > y) !== (toY > y) && x < fromX + (toX - fromX) * (y - fromY) / (toY - fromY)) inside = !inside;
  });
  return inside;
}

function cross(a, b, c, d) {
  const side = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
}
