// Scales of axes. Values are mapped here, and the library's axes stay linear: bars of ratios begin at 1, and our code
// sets the ticks.

const MOST_TICKS = 7;

export const text = (value) => {
  const shown = Number(value.toPrecision(3));
  if (Math.abs(shown) >= 1e6) return String(shown.toExponential()).replace("e+", "e");
  return Math.abs(shown) >= 1000 ? String(Math.round(value)) : String(shown);
};
export const ratioText = (value) => `${Number(value.toPrecision(4))}x`;

// A scale of that kind for these values: linear, log, log2 or ratio. `isLog` overrides the kind of a ratio or a linear
// scale.
export function scaleOf(kind, values, isLog, { isRoomy = true } = {}) {
  const shown = values.filter((value) => value != null && (!isLog || value > 0));
  const low = Math.min(...shown), high = Math.max(...shown);
  if (!shown.length) return linear(0, 1, text);
  if (kind === "ratio") {
    const least = Math.min(low, 1 / 1.1), most = Math.max(high, 1.1);
    return isLog ? ratio(least, most) : linear(Math.min(0, low), most, ratioText, 1);
  }
  if (isLog) return logarithmic(low, high, kind === "log2" ? 2 : 10, isRoomy);
  return isRoomy ? linear(Math.min(0, low), high, text) : linear(low, high, text, 0, 0.02);
}

function linear(low, high, label, foot = 0, room = 0.06) {
  const step = niceStep((high - low) / 5 || 1);
  const min = low < 0 || room < 0.05 ? low - room * (high - low || 1) : low;
  const max = high + room * (high - low || 1);
  const ticks = range(Math.ceil(min / step - 1e-9), Math.floor(max / step + 1e-9)).map((k) => k * step);
  return { to: (v) => v - foot, from: (t) => t + foot, min: min - foot, max: max - foot, ticks, label };
}

function ratio(low, high) {
  const room = (high / low) ** 0.08;
  return { ...logOf(low / room, high * room), ticks: ratioTicks(low, high), label: ratioText };
}

function logarithmic(low, high, base, isRoomy) {
  // Bars begin at a power of the base, so that none has no height.
  const room = isRoomy ? 1.15 : (high / low) ** 0.03 || 1.1;
  const foot = base ** Math.floor(Math.log(low / (isRoomy ? 1.02 : 1)) / Math.log(base) + 1e-9);
  const least = isRoomy ? foot : low / room;
  const most = high * room;
  const powers = range(Math.ceil(Math.log(least) / Math.log(base) - 1e-9),
    Math.floor(Math.log(most) / Math.log(base) + 1e-9)).map((k) => base ** k);
  const between = powers.length > 3 || base === 2 ? [] :
    powers.flatMap((tick) => [tick * 2, tick * 5]).concat([least].filter((v) => v < powers[0]));
  const every = Math.ceil(powers.length / (base === 2 ? 12 : 8));
  const ticks = [...powers.filter((_, k) => k % every === 0), ...between]
    .filter((tick) => tick >= least * 0.999 && tick <= most);
  const scale = logOf(least, most);
  return { ...scale, to: (v) => Math.log10(v / least), from: (t) => least * 10 ** t,
    min: 0, max: Math.log10(most / least), ticks, label: text };
}

const logOf = (low, high) => ({
  to: Math.log10, from: (t) => 10 ** t, min: Math.log10(low), max: Math.log10(high),
});

export function ratioTicks(low, high) {
  for (const step of [0.02, 0.05, 0.1, 0.2]) {
    const ticks = range(Math.ceil((low - 1) / step), Math.floor((high - 1) / step))
      .map((k) => Number((1 + step * k).toFixed(2)));
    if (ticks.length <= MOST_TICKS) return ticks;
  }
  let ticks = [1];
  for (const base of [2, 10, 100]) {
    ticks = range(Math.ceil(Math.log(low) / Math.log(base) - 1e-9),
      Math.floor(Math.log(high) / Math.log(base) + 1e-9)).map((k) => base ** k);
    if (ticks.length <= MOST_TICKS) break;
  }
  return ticks;
}

function niceStep(rough) {
  const decade = 10 ** Math.floor(Math.log10(rough));
  return decade * [1, 2, 5, 10].find((step) => step * decade >= rough * 0.999);
}

const range = (first, last) => Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);

// The library's axis of a scale.
export function axisOf(scale, page, { title, hasLines = true } = {}) {
  const ticks = scale.ticks.map(scale.to);
  return {
    type: "value", min: scale.min, max: scale.max, name: title, nameLocation: "middle", nameGap: 30,
    nameTextStyle: { color: page.ink, fontSize: 13 },
    axisLine: { show: true, onZero: false, lineStyle: { color: page.soft } },
    axisTick: { show: true, customValues: ticks, lineStyle: { color: page.soft } },
    axisLabel: { customValues: ticks, color: page.ink, fontSize: 12, hideOverlap: true,
      formatter: (value) => scale.label(scale.from(value)) },
    splitLine: { show: hasLines, lineStyle: { color: page.line } },
  };
}
