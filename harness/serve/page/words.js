// Numbers and units as text.

const whole = new Intl.NumberFormat("en-US");
const digits = (value, count) => new Intl.NumberFormat("en-US", { maximumSignificantDigits: count }).format(value);

export const count = (value) => whole.format(value);
export const milliseconds = (value) => `${digits(value, 3)} ms`;

// A distance or time. `unit` is its number of metres or seconds, or null if it is unknown.
export function length(value, metric, unit) {
  if (value === null || value === undefined) return "no route";
  if (!unit) return `${whole.format(value)} units`;
  return metric === "time" ? seconds(value * unit) : metres(value * unit);
}

function metres(value) {
  return value < 1000 ? `${Math.round(value)} m` : `${digits(value / 1000, 3)} km`;
}

function seconds(value) {
  if (value < 60) return `${Math.round(value)} s`;
  const minutes = Math.round(value / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

// In the order of maps: latitude first.
export const place = ([longitude, latitude]) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

export function nameOf(index, points) {
  if (index === 0) return "Start";
  return index === points.length - 1 ? "Goal" : `Via ${index}`;
}

export function letterOf(index, points) {
  if (index === 0) return "S";
  return index === points.length - 1 ? "G" : String(index);
}

export function kindOf(index, points) {
  if (index === 0) return "start";
  return index === points.length - 1 ? "goal" : "via";
}
