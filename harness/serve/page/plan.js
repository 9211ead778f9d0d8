// The user's plan, its history, and its form in an address.

// `points` are [longitude, latitude] from start to goal, `closed` are rings of such points, and `limit` is the farthest
// reach, in percent of the map's diagonal.
const EMPTY = { map: "", tab: "route", metric: "distance", points: [], closed: [], limit: 30,
  left: "", right: "" };
const HISTORY = 200;

export class Plan {
  // `changed` gets the plan's values after every change.
  constructor(changed) {
    this.now = { ...EMPTY };
    this.past = [];
    this.future = [];
    this.changed = changed;
  }

  // `step` false: the change is a part of the change before, such as a choice of the view.
  change(values, { step = true } = {}) {
    if (step) {
      this.past.push(this.now);
      this.past.splice(0, this.past.length - HISTORY);
      this.future = [];
    }
    this.now = { ...this.now, ...values };
    this.changed(this.now);
  }

  undo() {
    this.#move(this.past, this.future);
  }

  redo() {
    this.#move(this.future, this.past);
  }

  #move(from, to) {
    if (from.length === 0) return;
    to.push(this.now);
    const { tab, left, right } = this.now; // what is looked at stays
    this.now = { ...from.pop(), tab, left, right };
    this.changed(this.now);
  }
}

const number = (value) => String(Math.round(value * 1e5) / 1e5);
const written = (points) => points.map((point) => point.map(number).join(",")).join(";");

function read(text) {
  if (!text) return [];
  const points = text.split(";").map((pair) => pair.split(",").map(Number));
  return points.every((point) => point.length === 2 && point.every(Number.isFinite)) ? points : [];
}

// The part of an address after `#`. `view` is {point, zoom}.
export function toAddress(plan, view) {
  const words = new URLSearchParams();
  for (const key of ["map", "tab", "metric", "left", "right"]) {
    if (plan[key] && plan[key] !== EMPTY[key]) words.set(key, plan[key]);
  }
  if (plan.points.length > 0) words.set("points", written(plan.points));
  if (plan.closed.length > 0) words.set("closed", plan.closed.map(written).join("|"));
  if (plan.limit !== EMPTY.limit) words.set("limit", plan.limit);
  if (view) words.set("view", [...view.point, view.zoom].map(number).join(","));
  return words.toString().replaceAll("%2C", ",").replaceAll("%3B", ";").replaceAll("%3A", ":")
    .replaceAll("%2F", "/").replaceAll("%7C", "|").replaceAll("%3D", "=");
}

// {plan, view} of an address. Invalid parts are left out.
export function fromAddress(text) {
  const words = new URLSearchParams(text.replace(/^#/, ""));
  const plan = { ...EMPTY };
  for (const key of ["map", "left", "right"]) plan[key] = words.get(key) ?? plan[key];
  const chosen = (key, values) => { if (values.includes(words.get(key))) plan[key] = words.get(key); };
  chosen("tab", ["route", "reach", "search"]);
  chosen("metric", ["distance", "time", "both"]);
  plan.points = read(words.get("points"));
  plan.closed = (words.get("closed") ?? "").split("|").map(read).filter((ring) => ring.length > 2);
  const limit = Number(words.get("limit"));
  if (limit >= 1 && limit <= 100) plan.limit = Math.round(limit);
  const view = (words.get("view") ?? "").split(",").map(Number);
  const whole = view.length === 3 && view.every(Number.isFinite);
  return { plan, view: whole ? { point: view.slice(0, 2), zoom: view[2] } : null };
}
