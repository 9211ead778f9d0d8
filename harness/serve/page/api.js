// The page's requests to the server: docs/reference/routes-api.json.

const TRIES = 5; // where the server says "later", as it runs one search to look at at a time

class ApiError extends Error {
  constructor({ what, where = "", remedy }) {
    super(what.startsWith("is ") ? `${subjectOf(where)} ${what}` : what);
    this.remedy = remedy;
  }
}

// The page's name for a key of a request.
function subjectOf(where) {
  const via = where.match(/^via\[(\d+)\]$/);
  return via ? `via ${Number(via[1]) + 1}` : { start: "the start", goal: "the goal" }[where] ?? where;
}

// An error as sentences.
export function sentenceOf(error) {
  if (error instanceof TypeError) return "The server doesn't answer. Is `bellmark serve` still running?";
  const sentence = (text = "") => text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
  return [error.message, error.remedy].map(sentence).filter(Boolean).join(" ");
}

async function ask(path, body, tries = TRIES) {
  const answer = await fetch(path, body && { method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" } });
  if ([429, 503].includes(answer.status) && tries > 1) {
    await new Promise((done) => { setTimeout(done, 1000 * (Number(answer.headers.get("Retry-After")) || 0.2)); });
    return ask(path, body, tries - 1);
  }
  const read = await answer.json().catch(() => null);
  if (!answer.ok || !read) {
    throw new ApiError(read?.error ?? { what: `the server answered ${answer.status}`, remedy: "try again" });
  }
  return read;
}

export const tileAddress = (map, zoom, x, y) => `api/maps/${encodeURIComponent(map)}/tiles/${zoom}/${x}/${y}`;

// {maps, variants}; a map has `units`, metres and seconds a unit or null, for each of its metrics.
export async function askMaps() {
  const { maps, variants } = await ask("api/maps");
  return { variants, maps: maps.map((map) => ({ ...map, units: {
    distance: map.metres_per_unit || null, time: map.seconds_per_unit } })) };
}

const avoided = (closed) => (closed.length > 0 ? { avoid: { polygons: closed } } : {});

// Routes, each with the lines of its legs.
export async function askRoutes({ name }, { points, metric, closed }) {
  const { routes } = await ask("api/route", { map: name, start: points[0], goal: points.at(-1),
    via: points.slice(1, -1), metric, ...avoided(closed) });
  return routes.map((route) => {
    let at = 0;
    const lines = route.legs.map(({ arc_count: arcs }) => {
      at += arcs;
      return route.coordinates.slice(at - arcs, at + 1);
    });
    return { ...route, lines };
  });
}

// Contours, the nearest first: {limit, vertex_count, geometry}.
export async function askReach({ name }, { points, closed }, metric, limits) {
  const { features } = await ask("api/reach", { map: name, start: points[0], limits, metric, ...avoided(closed) });
  return features.map(({ properties, geometry }) => ({ ...properties, geometry }))
    .sort((a, b) => a.limit - b.limit);
}

export const askSearch = ({ name }, { points, metric }, variant) => (
  ask("api/search", { map: name, variant, metric, start: points[0], goal: points.at(-1) }));

// Units of time in a unit of distance, along one long route.
export async function askTimeOfDistance({ name, vertex_count: last }) {
  try {
    const { routes: [{ distance, time }] } = await ask("api/route", { map: name, start: 1, goal: last, metric: "time" });
    return time / distance || 1;
  } catch {
    return 1;
  }
}
