// "See the search": two variants on two maps, in the order in which they settle vertices.

import { askSearch } from "./api.js";
import { latest } from "./latest.js";
import { createMap, together } from "./map.js";
import { Player } from "./player.js";
import { PointMarkers } from "./points.js";
import { RouteLines } from "./routes.js";
import { SearchLayer } from "./search_layer.js";
import { count, length, milliseconds } from "./words.js";

const $ = (id) => document.getElementById(id);
const SIDES = ["left", "right"];

export class SearchView {
  // `page` has say(text), complain(error) and the plan.
  constructor(map, about, variants, page) {
    this.map = map;
    this.about = about;
    this.variants = variants;
    this.page = page;
    this.stop = new AbortController();
    this.player = new Player(() => this.#tell());
    this.found = [];
    this.player.speed = Number($("speed").value);
    this.player.pace = document.querySelector("[name=pace]:checked").value;
    for (const side of SIDES) {
      $(side).replaceChildren(...variants.map((name) => new Option(name, name)));
    }
    this.#connect();
    this.run = latest((now) => this.#run(now));
  }

  close() {
    this.stop.abort();
    this.#closeMap();
  }

  // Follows the plan. `seen(index)` says which points are shown. The second map comes and goes with the tab. Found
  // searches are shown only with their question.
  show(now, seen) {
    SIDES.forEach((side, at) => {
      $(side).value = this.variants.includes(now[side]) ? now[side] : this.#unasked(at);
    });
    const watching = now.tab === "search";
    if (watching && !this.second) this.#openMap();
    if (!watching && this.second) this.#closeMap();
    this.others?.markers.show(now.points, seen);
    $("watch").disabled = now.points.length < 2;
    const question = JSON.stringify([now.points[0], now.points.at(-1), now.metric, $("left").value, $("right").value]);
    if (question !== this.question) this.#forget();
    this.question = question;
  }

  // The first variants of the sides: two that settle very different numbers of vertices.
  #unasked(side) {
    const families = ["p2p/dijkstra", "p2p/bidirectional"];
    return this.variants.find((name) => name.startsWith(families[side])) ?? this.variants[0];
  }

  showRoutes(routes) {
    this.others?.lines.show(routes);
  }

  #openMap() {
    $("view-right").hidden = false;
    this.map.invalidateSize({ animate: false });
    this.second = createMap("map-right", this.about);
    this.apart = together(this.map, this.second);
    this.others = { markers: new PointMarkers(this.second), lines: new RouteLines(this.second) };
  }

  #closeMap() {
    if (!this.second) return;
    this.#forget();
    this.apart();
    this.second.remove();
    this.second = null;
    this.others = null;
    $("view-right").hidden = true;
    this.map.invalidateSize({ animate: false });
  }

  #forget() {
    for (const { layer } of this.found) layer.remove();
    this.found = [];
    this.player.clear();
    this.#tell();
  }

  #connect() {
    const { signal } = this.stop;
    const on = (id, name, act) => $(id).addEventListener(name, act, { signal });
    for (const side of SIDES) {
      on(side, "change", () => this.page.plan.change({ [side]: $(side).value }, { step: false }));
    }
    on("watch", "click", () => this.run(this.page.plan.now));
    on("play", "click", () => (this.player.playing ? this.player.stop() : this.player.play()));
    on("progress", "input", () => {
      this.player.stop();
      this.player.seek(Number($("progress").value) / 1000);
    });
    on("speed", "change", () => { this.player.speed = Number($("speed").value); });
    for (const radio of document.getElementsByName("pace")) {
      radio.addEventListener("change", () => {
        this.player.pace = radio.value;
        if (this.found.length > 0) this.player.seek(this.player.at);
      }, { signal });
    }
  }

  async #run(now) {
    this.#forget();
    this.page.say("Searching … What a variant prepares for a map takes longer, the first time.");
    try {
      const results = [];
      const metric = now.metric === "both" ? "distance" : now.metric;
      const { question } = this;
      for (const side of SIDES) results.push(await askSearch(this.about, { ...now, metric }, $(side).value));
      if (!this.second || question !== this.question) return; // somebody went on
      this.found = results.map((result, at) => ({ ...result, count: result.vertices.length,
        milliseconds: result.search_ms, layer: new SearchLayer(result).addTo([this.map, this.second][at]) }));
      this.page.complain(null);
    } catch (error) {
      this.page.complain(error);
      return;
    }
    this.page.say(this.found.map((own) => `${own.variant} settled ${count(own.settled_count)} vertices in `
      + `${milliseconds(own.search_ms)}, and the length is ${length(own.length, own.metric, this.about.units[own.metric])}.`
      + `${own.is_cut ? ` The first ${count(own.count)} are shown.` : ""}`
      + `${own.prepare_ms > 0 ? ` It prepared the map in ${milliseconds(own.prepare_ms)}.` : ""}`).join(" "));
    this.player.load(this.found);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.player.seek(1);
    else this.player.play();
  }

  // Counts and times beneath the maps.
  #tell() {
    const loaded = this.found.length > 0;
    SIDES.forEach((side, at) => {
      const line = document.querySelector(`#view-${side} .count`);
      const own = this.found[at];
      line.hidden = !own;
      if (!own) return;
      const shown = this.player.shown(own);
      const time = own.milliseconds * shown / Math.max(1, own.count);
      line.dataset.shown = shown;
      line.dataset.settled = own.settled_count;
      line.replaceChildren(Object.assign(document.createElement("strong"), { textContent: own.variant }),
        `${count(shown)} of ${count(own.settled_count)} settled · `
        + `${milliseconds(shown === own.count ? own.milliseconds : time)} of ${milliseconds(own.milliseconds)}`);
    });
    $("play").disabled = !loaded;
    $("play").textContent = this.player.playing ? "Pause" : "Play";
    $("progress").disabled = !loaded;
    $("progress").value = Math.round(this.player.at * 1000);
  }
}
