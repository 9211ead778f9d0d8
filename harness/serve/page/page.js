// The page: sends the user's plan to the server and draws the answers.

import { latLngBounds } from "leaflet";
import "leaflet/dist/leaflet.css";
import "./page.css";
import { askMaps, askReach, askRoutes, askTimeOfDistance, sentenceOf } from "./api.js";
import { Closures } from "./closures.js";
import { latest } from "./latest.js";
import { createMap, toLatLng, toPoint } from "./map.js";
import { Plan, fromAddress, toAddress } from "./plan.js";
import { PointMarkers, askAt, listPoints } from "./points.js";
import { Reach } from "./reach.js";
import { RouteLines } from "./routes.js";
import { SearchView } from "./search.js";
import { count, length, milliseconds } from "./words.js";

const POINTS = 27; // start, goal and 25 via points
const GRIP = 12; // pixels from a route at which a click means it
const TABS = ["route", "reach", "search"];
const $ = (id) => document.getElementById(id);

let maps = [];
let variants = [];
let about; // of the map that is shown
let map;
let markers;
let lines;
let closures;
let reach;
let search;

const plan = new Plan(() => {
  if (about?.name !== plan.now.map) openMap(plan.now.map);
  render();
  ask();
});

start();

async function start() {
  try {
    ({ maps, variants } = await askMaps());
  } catch (error) {
    complain(error);
    return;
  }
  for (const { name, vertex_count: size } of maps) $("maps").add(new Option(`${name}, ${count(size)} vertices`, name));
  connect();
  readAddress();
  window.addEventListener("hashchange", readAddress);
}

// A link that was opened or pasted.
function readAddress() {
  if (location.hash.slice(1) === written()) return;
  const { plan: told, view } = fromAddress(location.hash);
  const own = maps.find(({ name }) => name === told.map) ?? maps[0];
  told.map = own.name;
  told.metric = offered(own, told.metric);
  told.points = told.points.slice(0, POINTS);
  plan.change(told, { step: Boolean(about) });
  const { maxBounds } = map.options; // where there is nothing, a link leads nobody
  const points = told.points.map(toLatLng).filter((point) => maxBounds.contains(point));
  if (view && maxBounds.contains(toLatLng(view.point))) {
    map.setView(toLatLng(view.point), view.zoom, { animate: false });
  } else if (points.length > 1) {
    map.fitBounds(latLngBounds(points).pad(0.2));
  }
}

// `metric` if the map has it.
function offered({ metrics }, metric) {
  const known = metric === "both" ? metrics.length > 1 : metrics.includes(metric);
  return known ? metric : metrics[0];
}

function written() {
  if (!map) return "";
  return toAddress(plan.now, { point: toPoint(map.getCenter()), zoom: map.getZoom() });
}

const writeAddress = () => history.replaceState(null, "", `#${written()}`);

function openMap(name) {
  search?.close();
  map?.remove();
  about = maps.find((one) => one.name === name);
  map = createMap("map-left", about);
  markers = new PointMarkers(map, actions);
  lines = new RouteLines(map, { insert: insertVia, click: chosen });
  closures = new Closures(map, (ring) => plan.change({ closed: [...plan.now.closed, ring] }));
  reach = new Reach(map);
  search = new SearchView(map, about, variants, { say, complain, plan });
  map.on("click", ({ latlng, originalEvent }) => {
    if (!closures.drawing && !originalEvent.target.closest(".point")) chosen(latlng);
  });
  map.on("moveend", writeAddress);
}

// A click on the map, or Enter above its middle.
function chosen(latlng) {
  const { points, tab } = plan.now;
  const point = toPoint(latlng);
  const move = (index) => actions.move(index, point, { done: true });
  if (tab === "reach" && points.length > 0) {
    move(0);
    return;
  }
  if (points.length < 2) {
    plan.change({ points: [...points, point] });
    return;
  }
  const choices = [["Start here", () => move(0)], ["Goal here", () => move(points.length - 1)]];
  if (tab === "route" && points.length < POINTS) {
    const near = lines.nearest(latlng);
    choices.splice(near.pixels < GRIP ? 0 : 1, 0, ["Via here", () => insertVia(near.leg, point)]);
  }
  askAt(map, latlng, choices);
}

function insertVia(leg, point) {
  if (plan.now.points.length >= POINTS) {
    complain(new Error(`A route has at most ${POINTS - 2} via points. Remove one first.`));
    return;
  }
  plan.change({ points: plan.now.points.toSpliced(leg + 1, 0, point) });
}

let dragging = false;
const actions = {
  // While a point is dragged the route follows. The whole drag is one step of the history.
  move(index, point, { done }) {
    plan.change({ points: plan.now.points.with(index, point) }, { step: !dragging });
    dragging = !done;
  },
  remove(index) {
    plan.change({ points: plan.now.points.toSpliced(index, 1) });
  },
  earlier(index) {
    const { points } = plan.now;
    plan.change({ points: points.with(index, points[index - 1]).with(index - 1, points[index]) });
  },
  type(index, text) {
    const numbers = text.split(/[\s,;]+/).filter(Boolean).map(Number);
    if (numbers.length !== 2 || !numbers.every(Number.isFinite)) {
      complain(new Error(`“${text}” is no place. Write two numbers, such as 40.75, -73.99.`));
      render();
      return;
    }
    plan.change({ points: plan.now.points.with(index, numbers.reverse()) });
  },
};

function connect() {
  $("maps").addEventListener("change", () => {
    const own = maps.find(({ name }) => name === $("maps").value);
    plan.change({ map: own.name, points: [], closed: [], metric: offered(own, plan.now.metric) });
  });
  TABS.forEach((tab, at) => {
    $(`tab-${tab}`).addEventListener("click", () => plan.change({ tab }, { step: false }));
    $(`tab-${tab}`).addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = TABS[(at + step + TABS.length) % TABS.length];
      plan.change({ tab: next }, { step: false });
      $(`tab-${next}`).focus();
    });
  });
  $("undo").addEventListener("click", () => plan.undo());
  $("redo").addEventListener("click", () => plan.redo());
  $("reverse").addEventListener("click", () => plan.change({ points: plan.now.points.toReversed() }));
  $("clear").addEventListener("click", () => plan.change({ points: [], closed: [] }));
  $("share").addEventListener("click", share);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closures.stop();
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input:not([type=range], [type=radio])")) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) plan.redo();
    else plan.undo();
  });
  for (const radio of document.getElementsByName("metric")) {
    radio.addEventListener("change", () => plan.change({ metric: radio.value }));
  }
  $("map-left").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== $("map-left")) return;
    event.preventDefault();
    chosen(map.getCenter());
  });
  $("limit").addEventListener("input", () => plan.change({ limit: Number($("limit").value) }, { step: false }));
  $("draw").addEventListener("click", () => {
    if (closures.drawing) {
      closures.stop();
      return;
    }
    $("draw").setAttribute("aria-pressed", "true");
    say("Draw a line round the roads to close. Escape ends drawing.");
    closures.start(() => $("draw").setAttribute("aria-pressed", "false"));
  });
  $("close-middle").addEventListener("click", () => (
    plan.change({ closed: [...plan.now.closed, closures.middle()] })));
}

async function share() {
  writeAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied. It has points, closed roads and view.");
  } catch {
    say(`The browser lets no page copy here. The address above is the link.`);
  }
}

// Everything that follows from the plan alone.
function render() {
  const { now, past, future } = plan;
  const seen = (index) => asked(now).includes(now.points[index]);
  markers.show(now.points, seen);
  listPoints($("points"), now.points, actions);
  closures.show(now.closed);
  listClosed(now.closed);
  $("maps").value = now.map;
  $("undo").disabled = past.length === 0;
  $("redo").disabled = future.length === 0;
  $("reverse").disabled = now.points.length < 2;
  $("clear").disabled = now.points.length + now.closed.length === 0;
  for (const radio of document.getElementsByName("metric")) {
    radio.checked = radio.value === metricOf(now);
    radio.disabled = offered(about, radio.value) !== radio.value || (radio.value === "both" && now.tab !== "route");
  }
  $("limit").value = now.limit;
  for (const tab of TABS) {
    const own = tab === now.tab;
    $(`tab-${tab}`).setAttribute("aria-selected", String(own));
    $(`tab-${tab}`).tabIndex = own ? 0 : -1;
    $(`sheet-${tab}`).hidden = !own;
  }
  $("closures").hidden = now.tab === "search";
  $("hint").textContent = hint(now);
  search.show(now, seen);
  writeAddress();
}

function hint({ points, tab }) {
  if (points.length === 0) return "Click the map to set the start.";
  if (tab === "reach") return "";
  if (points.length === 1) return "Click the map to set the goal.";
  return tab === "search" ? "From start to goal, with all roads open." : "";
}

function listClosed(rings) {
  $("closed").replaceChildren(...rings.map((ring, index) => {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Open area ${index + 1} again`;
    button.addEventListener("click", () => plan.change({ closed: plan.now.closed.toSpliced(index, 1) }));
    row.append(button);
    return row;
  }));
}

const ask = latest(async () => {
  const { now } = plan;
  try {
    if (now.tab === "reach") await drawReach(now);
    else await drawRoutes(now);
    if (now === plan.now) complain(null);
  } catch (error) {
    if (now === plan.now) complain(error);
  }
});

// The points of a question.
function asked({ points, tab }) {
  if (tab === "route" || points.length < 2) return points;
  return tab === "reach" ? [points[0]] : [points[0], points.at(-1)];
}

// Two routes are compared, but contours and searches use one metric.
const metricOf = ({ metric, tab }) => (metric === "both" && tab !== "route" ? "distance" : metric);

async function drawRoutes(now) {
  reach.show([]);
  let routes = [];
  try {
    if (now.points.length > 1) routes = await askRoutes(about, { metric: metricOf(now), points: asked(now),
      closed: now.tab === "search" ? [] : now.closed });
  } finally {
    if (about.name === now.map) {
      lines.show(routes);
      search.showRoutes(routes);
      tellRoutes(routes);
    }
  }
}

function tellRoutes(routes) {
  $("routes").hidden = routes.length === 0;
  const head = document.createElement("tr");
  cell(head, "");
  for (const { metric, ...route } of routes) {
    const column = cell(head, metric, "th", "col");
    column.className = `key is-${metric}`;
    column.dataset.metric = metric;
    column.dataset.length = route[metric];
  }
  $("routes").tHead.replaceChildren(head);
  $("routes").tBodies[0].replaceChildren(...Object.entries({
    Distance: (route) => measured(route.distance, "distance"),
    [about.units.time ? "Time" : "Time, in units"]: (route) => (route.time === null ? "not known"
      : measured(route.time, "time").replace(" units", "")),
    "Vertices settled": (route) => count(route.settled_count),
    "Search took": (route) => milliseconds(route.search_ms),
  }).map(([word, value]) => {
    const row = document.createElement("tr");
    cell(row, word, "th", "row");
    for (const route of routes) cell(row, value(route));
    return row;
  }));
  if (plan.now.tab !== "route") return;
  say(routes.map((route) => `Shortest by ${route.metric}: ${measured(route[route.metric], route.metric)}.`).join(" "));
}

const measured = (value, metric) => length(value, metric, about.units[metric]);

function cell(row, text, kind = "td", scope = "") {
  const own = document.createElement(kind);
  own.textContent = text;
  if (scope) own.scope = scope;
  row.append(own);
  return own;
}

const CONTOURS = 3;

async function drawReach(now) {
  lines.show([]);
  const metric = metricOf(now);
  const contours = now.points.length > 0 ? await askReach(about, now, metric, await limitsOf(now, metric)) : [];
  if (about.name !== now.map) return;
  reach.show(contours);
  $("contours").hidden = contours.length === 0;
  $("contours").tBodies[0].replaceChildren(...contours.map(({ limit, vertex_count: inside }, at) => {
    const row = document.createElement("tr");
    cell(row, measured(limit, metric), "th", "row").className = `key is-contour is-${at + 1}`;
    cell(row, count(inside));
    return row;
  }));
  if (contours.length === 0) return;
  const { limit, vertex_count: inside } = contours.at(-1);
  say(`${count(inside)} vertices are within ${measured(limit, metric)} of the start.`);
}

// A share of the map's diagonal, in the metric's units. A time is that of a way as long as the diagonal.
async function limitsOf({ limit }, metric) {
  const [west, south, east, north] = about.bounds;
  about.diagonal ??= map.distance([south, west], [north, east]) / (about.units.distance ?? 1);
  if (metric === "time") about.timeOfDistance ??= await askTimeOfDistance(about);
  const farthest = about.diagonal * (metric === "time" ? about.timeOfDistance : 1) * limit / 100;
  return [...Array(CONTOURS).keys()].map((step) => Math.ceil(farthest * (step + 1) / CONTOURS));
}

function say(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

// Errors are sentences with a fault and a remedy. `null`: all is well.
function complain(error) {
  $("alert").textContent = error ? sentenceOf(error) : "";
  if (error) say("");
}
