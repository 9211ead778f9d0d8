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

// The distances by `metric` from a vertex to all vertices (Bellman, Ford and Moore: a queue, and no order).
// Roads that touch one of the `closed` polygons aren't there.
export function distancesFrom({ places, out }, source, metric, closed = []) {
  const distances = places.map(() => Infinity);
  distances[source] = 0;
  const queue = [source];
  const waits = new Set(queue);
  for (let at = 0; at < queue.length; at += 1) {
    const tail = queue[at];
    waits.delete(tail);
    for (const { head, [metric]: length } of out[tail]) {
      if (distances[tail] + length >= distances[head]) continue;
      if (closed.some((ring) => touches(places[tail], places[head], ring))) continue;
      distances[head] = distances[tail] + length;
      if (!waits.has(head)) queue.push(head);
      waits.add(head);
    }
  }
  return distances;
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
