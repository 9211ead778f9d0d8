// Start, via points and goal: as things to drag on the map, and as a list beside it.

import { DomEvent, DomUtil, DivIcon, Marker, Popup } from "leaflet";
import { toLatLng, toPoint } from "./map.js";
import { kindOf, letterOf, nameOf, place } from "./words.js";

const STEP = 10; // pixels of an arrow key's move; ten times more with Shift
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// `actions` has move(index, point, {done}) and remove(index).
export class PointMarkers {
  // Without `actions` the points can't be moved.
  constructor(map, actions = null) {
    this.map = map;
    this.actions = actions;
    this.markers = [];
  }

  // `seen(index)` says which points are shown.
  show(points, seen) {
    while (this.markers.length > points.length) this.markers.pop().remove();
    points.forEach((point, index) => {
      const marker = this.markers[index] ??= this.#create(index);
      marker.setLatLng(toLatLng(point));
      const element = marker.getElement();
      element.classList.remove("is-start", "is-via", "is-goal");
      element.classList.add(`is-${kindOf(index, points)}`);
      element.textContent = letterOf(index, points);
      element.hidden = !seen(index);
      if (this.actions) {
        element.setAttribute("aria-label",
          `${nameOf(index, points)}. Arrow keys move it, Delete removes it.`);
      }
    });
  }

  focus(index) {
    this.markers[Math.min(index, this.markers.length - 1)]?.getElement().focus();
  }

  #create(index) {
    const icon = new DivIcon({ className: "point", iconSize: [30, 30] });
    if (!this.actions) return new Marker([0, 0], { icon, interactive: false, keyboard: false }).addTo(this.map);
    const marker = new Marker([0, 0], { icon, draggable: true, autoPan: true, riseOnHover: true });
    marker.on("drag", () => this.actions.move(index, toPoint(marker.getLatLng()), { done: false }));
    marker.on("dragend", () => this.actions.move(index, toPoint(marker.getLatLng()), { done: true }));
    marker.addTo(this.map);
    const element = marker.getElement();
    element.setAttribute("role", "button");
    DomEvent.on(element, "keydown", (event) => this.#key(event, index, marker));
    return marker;
  }

  #key(event, index, marker) {
    if (event.key === "Delete" || event.key === "Backspace") {
      DomEvent.stop(event);
      this.actions.remove(index);
      this.focus(index);
      return;
    }
    const step = STEPS[event.key];
    if (!step) return;
    DomEvent.stop(event);
    const pixels = STEP * (event.shiftKey ? 10 : 1);
    const from = this.map.latLngToContainerPoint(marker.getLatLng());
    const to = this.map.containerPointToLatLng(from.add([step[0] * pixels, step[1] * pixels]));
    this.actions.move(index, toPoint(to), { done: true });
  }
}

// The list beside the map: each place can be typed, moved up and removed.
export function listPoints(list, points, actions) {
  const focused = document.activeElement?.closest("#points") ? document.activeElement.id : "";
  list.replaceChildren(...points.map((point, index) => {
    const name = nameOf(index, points);
    const row = DomUtil.create("li");
    const letter = DomUtil.create("span", `letter is-${kindOf(index, points)}`, row);
    letter.textContent = letterOf(index, points);
    letter.setAttribute("aria-hidden", "true");
    const input = DomUtil.create("input", "", row);
    input.id = `place-${index}`;
    input.value = place(point);
    input.setAttribute("aria-label", `${name}: latitude, longitude`);
    input.addEventListener("change", () => actions.type(index, input.value));
    const button = (word, sign, label, act) => {
      const own = DomUtil.create("button", "small", row);
      own.type = "button";
      own.id = `${word}-${index}`;
      own.textContent = sign;
      own.setAttribute("aria-label", label);
      own.addEventListener("click", act);
      return own;
    };
    button("earlier", "↑", `${name}: one earlier`, () => actions.earlier(index)).disabled = index === 0;
    button("remove", "×", `Remove ${name.toLowerCase()}`, () => actions.remove(index));
    return row;
  }));
  if (focused) (document.getElementById(focused) ?? list.lastElementChild?.querySelector("input"))?.focus();
}

// Asks for the kind of a new place. `choices` are [word, act].
export function askAt(map, latlng, choices) {
  const box = DomUtil.create("div", "ask");
  const popup = new Popup({ closeButton: true, autoClose: true, minWidth: 120 });
  for (const [word, act] of choices) {
    const button = DomUtil.create("button", "", box);
    button.type = "button";
    button.textContent = word;
    button.addEventListener("click", () => {
      map.closePopup(popup);
      act();
    });
  }
  popup.setLatLng(latlng).setContent(box).openOn(map);
  box.querySelector("button").focus();
}
