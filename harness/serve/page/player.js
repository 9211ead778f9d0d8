// Plays two searches against each other on their maps.

const SECONDS = 8; // of the longer search at normal speed

export class Player {
  // `changed` is called whenever `at`, `playing` or the shown events change.
  constructor(changed) {
    this.changed = changed;
    this.sides = [];
    this.at = 0;
    this.playing = false;
    this.pace = "steps";
    this.speed = 1;
  }

  // `sides` is [{layer, count, milliseconds}], one for each map.
  load(sides) {
    this.stop();
    this.sides = sides;
    this.seek(0);
  }

  clear() {
    this.stop();
    this.sides = [];
    this.at = 0;
  }

  // The number of events that a side shows at a moment from 0 to 1. Their clock counts vertices or milliseconds.
  shown({ count, milliseconds }) {
    const own = (side) => (this.pace === "steps" ? side.count : side.milliseconds);
    const longest = Math.max(...this.sides.map(own), 1e-9);
    const part = Math.min(1, this.at * longest / Math.max(own({ count, milliseconds }), 1e-9));
    return Math.round(part * count);
  }

  seek(at) {
    this.at = Math.min(1, Math.max(0, at));
    for (const side of this.sides) side.layer.show(this.shown(side));
    this.changed(this);
  }

  play() {
    if (this.playing || this.sides.length === 0) return;
    if (this.at >= 1) this.seek(0);
    this.playing = true;
    let last = null;
    const frame = (now) => {
      if (!this.playing) return;
      const passed = last === null ? 0 : Math.min(0.1, (now - last) / 1000);
      last = now;
      this.seek(this.at + passed * this.speed / SECONDS);
      if (this.at >= 1) this.stop();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    this.changed(this);
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.changed(this);
  }
}
