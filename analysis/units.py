"""Numbers in the form of reports, with their units."""

from __future__ import annotations

from typing import Any, Optional


def number(value: float) -> str:
    """Four significant digits, without an exponent for numbers that people read as plain ones."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def milliseconds(value_ns: float) -> str:
    """Four significant digits. Trailing zeros stay, so that a column lines up."""
    value = value_ns * 1e-6
    return f"{value:#.4g}".rstrip(".") if value < 999.95 else f"{value:.0f}"


def size(value_bytes: float) -> str:
    """Bytes in the largest binary unit that leaves at least 1."""
    for unit, scale in (("GiB", 2.0**30), ("MiB", 2.0**20), ("KiB", 2.0**10)):
        if value_bytes >= scale:
            return f"{number(value_bytes / scale)} {unit}"
    return f"{number(value_bytes)} bytes"


def interval(low: Optional[float], high: Optional[float], show: Any) -> str:
    """` [low, high]`, or nothing when the file has no interval."""
    return "" if low is None or high is None else f" [{show(low)}, {show(high)}]"


def rate(value: float, unit: str) -> str:
    """`12.3 GB/s`, `4.56e9 operations/s`: of `bytes/s`, `operations/s` or `items/s`."""
    if unit == "bytes/s":
        return f"{value * 1e-9:.3g} GB/s"
    power = 0
    while value >= 999.5:
        value, power = value / 1000, power + 3
    return f"{value:.3g}{f'e{power}' if power else ''} {unit}"


def rates(found: dict[str, Any]) -> str:
    """`12.3 GB/s, 4.56e9 operations/s`: the rates of a cell in a result, without intervals."""
    return ", ".join(rate(found[f"{what}_per_second"]["median"], f"{what}/s")
                     for what in ("bytes", "operations", "items") if f"{what}_per_second" in found)


def absent(reason: Optional[str]) -> str:
    return f"not available: {reason or 'no reason given'}"


def metric_text(value: float, item: Json) -> str:
    """A value of a claim's metric in that metric's unit: a ratio if two cells are compared."""
    if item["denominator"] is not None:
        return f"{value:.3f}"
    if item["unit"] == "ns":
        return f"{milliseconds(value)} ms"
    if item["unit"].endswith("/s"):
        return rate(value, item["unit"])
    return size(value) if item["unit"] == "bytes" else number(value)
