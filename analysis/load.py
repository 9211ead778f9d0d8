"""Results: read, check against the JSON Schemas, look up cells, ratios and claims.

Nothing is estimated or judged here. Ratios and intervals are those of a result's `comparisons`.
`bellmark` merges the claims. BELLMARK names the executable.
"""

from __future__ import annotations

import gzip
import json
import math
import statistics
import sys
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Iterable, NoReturn, Optional, Sequence

import jsonschema

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))  # of a source tree or a bundle, whether it is installed or not

from bellmark import Claim, Fault as InputFault, ask, claims_of, read_results  # noqa: E402

Json = dict[str, Any]

SCHEMA_FOLDER = ROOT / "harness" / "schema"


@dataclass(frozen=True)
class Ratio:
    """Time of a cell / time of its reference.

    `low` and `high` bound the 95 % interval and are None if the file gives none. `outcome` is the
    file's word for the cell against the reference. `paired` is False for a plain ratio of two
    medians.
    """

    value: float
    low: Optional[float]
    high: Optional[float]
    outcome: Optional[str]
    reason: Optional[str]
    paired: bool


def read_json(path: Path) -> Any:
    """The file's JSON, plain or gzip. NaN, numbers beyond a double's range and bad UTF-8 are
    faults."""

    def refuse(text: str) -> NoReturn:
        raise ValueError(f"{text} is not a finite number")

    def finite(text: str) -> float:
        value = float(text)
        return value if math.isfinite(value) else refuse(text)

    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputFault(f"{path}: not UTF-8 text (byte {error.start}); give a result's JSON file")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputFault(f"{path}: damaged gzip data: {_one_line(str(error))}; "
                         "fetch or copy the file again")
    except OSError as error:
        raise InputFault(f"{path}: {error.strerror}; give the path of a result's JSON file")
    try:
        return json.loads(text, parse_constant=refuse, parse_float=finite)
    except json.JSONDecodeError as error:
        raise InputFault(f"{path}:{error.lineno}: not JSON: {error.msg} (column {error.colno}); "
                         "run the experiment again")
    except (ValueError, RecursionError) as error:
        raise InputFault(f"{path}: not a result: {_one_line(str(error))}")


def first_fault(document: Any, schema: Json) -> Optional[str]:
    """The first fault as `JSON path: message`, or None when the document is valid."""
    faults = sorted(jsonschema.Draft7Validator(schema).iter_errors(document),
                    key=lambda fault: list(fault.absolute_path))
    if not faults:
        return None
    fault = faults[0]
    while fault.context:  # anyOf: the branch that got furthest names the fault
        fault = max(fault.context, key=lambda inner: len(inner.absolute_path))
    return f"{_json_path(fault.absolute_path)}: {_one_line(fault.message)}"


def check(path: Path) -> Json:
    """The file's content if it is valid against the result schema, else InputFault."""
    document = read_json(path)
    _check_schema(document, path)
    return document


def _check_schema(document: Any, name: object) -> None:
    fault = first_fault(document, read_json(SCHEMA_FOLDER / "result.schema.json"))
    if fault:
        raise InputFault(f"{name}: {fault}")


def load(path: Path) -> Json:
    """A valid result, in the form of `bellmark`."""
    return load_all([path])[0][0]


def load_all(paths: Sequence[Path]) -> tuple[list[Json], list[Claim]]:
    """Valid results, in the form of `bellmark`, with their claims."""
    for path in paths:
        check(path)
    return taken_apart(read_results(paths))


def read_data(stream: IO[bytes]) -> tuple[list[Json], list[Claim]]:
    """The output of `bellmark report -f json` in the stream."""
    try:
        document = json.load(stream)
    except ValueError as error:
        raise InputFault(f"standard input: not JSON: {_one_line(str(error))}; "
                         "give what 'bellmark report -f json' prints")
    schema = read_json(SCHEMA_FOLDER / "verdicts.schema.json")
    schema["properties"]["results"]["items"]["required"].append("result")
    fault = first_fault(document, schema)
    if fault:
        raise InputFault(f"standard input: {fault}; give what 'bellmark report -f json' prints")
    return taken_apart(document)


def taken_apart(document: Json) -> tuple[list[Json], list[Claim]]:
    """The results and claims from the output of `bellmark report -f json`. The results are valid: their
    references resolve, and their intervals contain their values."""
    for entry in document["results"]:
        result, file = entry["result"], entry["file"]
        _check_schema(result, file)
        fault = content_fault(result)
        if fault:
            raise InputFault(f"{file}: {fault}; run the experiment again")
    return [entry["result"] for entry in document["results"]], claims_with_files(document)


def claims_with_files(document: Json) -> list[Claim]:
    """The claims, each verdict with the `file` of its result."""
    files = [Path(entry["file"]) for entry in document["results"]]
    return [replace(claim, judged=[(result, {**verdict, "file": files[verdict["result"]]})
                                   for result, verdict in claim.judged])
            for claim in claims_of(document)]


def failure_of(cell: Json, result: Json) -> Optional[Json]:
    """The cell's entry in `not_measured`, or None."""
    return next((row for row in result["not_measured"] if row["cell"] == cell["id"]), None)


def rows_without_cell(result: Json) -> list[Json]:
    """The entries of `not_measured` that `cells` lacks."""
    cells = {cell["id"] for cell in result["cells"]}
    return [row for row in result["not_measured"] if row["cell"] not in cells]


def figure_specs(result: Json) -> list[Json]:
    """The figures of the experiment: none, one, or a list."""
    figure = result["experiment"]["figure"]
    return figure if isinstance(figure, list) else [figure] if figure else []


def paper_points(spec: Json) -> list[Json]:
    """The paper's points of a figure. A list of values at a list of x becomes single points."""
    points = []
    for point in spec.get("paper", []):
        if not isinstance(point["value"], list):
            points.append(point)
            continue
        points += [{**point, "where": {**point.get("where", {}), spec["x"]: x}, "value": value}
                   for x, value in zip(point["x"], point["value"])]
    return points


def axis_value(cell: Json, axis: str) -> Any:
    """The cell's value on an axis; a key of the variant counts as an axis. None: no such axis."""
    return cell["axes"].get(axis, cell.get("parameters", {}).get(axis))


def axis_text(value: Any) -> str:
    """An axis value as text: 2, core:0, true."""
    return value if isinstance(value, str) else json.dumps(value)


def as_number(value: Any) -> Optional[float]:
    """An axis value as a finite number, or None."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) and not isinstance(value, bool) else None


def matches(cell: Json, where: Json) -> bool:
    """True when every axis of `where` has the cell's value (or it is in the list given there)."""

    def same(wanted: Any, found: Any) -> bool:
        if found is None:
            return False
        numbers = as_number(wanted), as_number(found)
        if None not in numbers:
            return numbers[0] == numbers[1]
        return axis_text(wanted) == axis_text(found)

    return all(any(same(option, axis_value(cell, axis))
                   for option in (wanted if isinstance(wanted, list) else [wanted]))
               for axis, wanted in where.items())


def varying_axes(result: Json) -> list[str]:
    """The axes on which cells (measured or not) differ, in the experiment's order."""
    rows = result["cells"] + rows_without_cell(result)
    names = dict.fromkeys([*result["experiment"]["axes"], *(key for row in rows
                                                            for key in row["axes"])])
    return [name for name in names
            if len({axis_text(row["axes"].get(name)) for row in rows}) > 1]


def cell_label(cell: Json, result: Json) -> str:
    """The cell's label. A row of `not_measured` has its cell's label. Without a cell, it has its values
    on the axes that vary, and its variant if that varies."""
    if "label" in cell:
        return cell["label"] or cell["variant"]
    known = next((other for other in result["cells"] if other["id"] == cell["cell"]), None)
    if known is not None:
        return cell_label(known, result)
    axes = [f"{axis}={axis_text(cell['axes'][axis])}" for axis in varying_axes(result)
            if axis in cell["axes"]]
    has_twin = any(row["axes"] == cell["axes"] and row["variant"] != cell["variant"]
                   for row in result["cells"] + rows_without_cell(result))
    return ", ".join([cell["variant"], *axes] if has_twin or not axes else axes)


def reference_of(cell: Json, result: Json, where: Json) -> Optional[Json]:
    """The measured cell that `where` picks for this cell.

    If `where` picks several, it is the one that agrees with the cell on all other axes. None if
    there is no such cell, or more than one.
    """
    picked = [other for other in result["cells"] if matches(other, where)]
    if len(picked) > 1:
        rest = {axis: value for axis, value in cell["axes"].items() if axis not in where}
        picked = [other for other in picked if matches(other, rest)]
    return picked[0] if len(picked) == 1 and picked[0]["wall_ns"] else None


def ratio(cell: Json, reference: Json, result: Json) -> Optional[Ratio]:
    """Time of `cell` / time of `reference`: the file's comparison, inverted if it is stored the other
    way. Without one, the medians' ratio with no interval. None: no time to divide."""
    turned = {"FASTER": "SLOWER", "SLOWER": "FASTER"}
    for pair in result["comparisons"]:
        if pair["ratio"] <= 0:
            continue
        low, high = pair["ci95_low"], pair["ci95_high"]
        if (pair["a"], pair["b"]) == (cell["id"], reference["id"]):
            return Ratio(pair["ratio"], low, high, pair["outcome"], pair["reason"], True)
        if (pair["b"], pair["a"]) == (cell["id"], reference["id"]):
            return Ratio(1 / pair["ratio"], 1 / high if high else None, 1 / low if low else None,
                         turned.get(pair["outcome"], pair["outcome"]), pair["reason"], True)
    times = [row["wall_ns"]["median"] if row["wall_ns"] else 0 for row in (cell, reference)]
    if min(times) <= 0:
        return None
    return Ratio(times[0] / times[1], None, None, None,
                 "ratio of medians: the file compares no such pair", False)


def metric_value(cell: Json, metric: str) -> Optional[float]:
    """The cell's median of `wall_ns`, `teps.harmonic_mean`, `teps.median` or
    `rates.<things>_per_second`, the resident or accounted memory (`memory.accounted_bytes.arcs`: only
    of arcs), or the median over queries of a phase log's `phase_log.phase_count`,
    `phase_log.<column>.sum`, `.mean` or `.largest`. None if it was not measured."""
    source, *parts = metric.split(".")
    if metric == "wall_ns":
        return cell["wall_ns"]["median"] if cell["wall_ns"] else None
    if source == "teps":
        return cell["teps"][parts[0]]["median"] if cell.get("teps") else None
    if source == "rates":
        return cell["rates"][parts[0]]["median"] if parts[0] in cell.get("rates", {}) else None
    if source == "memory":
        return cell["memory"]["accounted"].get(parts[1]) if parts[1:] else cell["memory"][parts[0]]
    if source != "phase_log" or not (parts == ["phase_count"]
                                     or len(parts) == 2 and parts[1] in ("sum", "mean", "largest")):
        raise ValueError(f"'{metric}' can't be drawn")
    values = [value for query in (cell.get("phase_log") or {"queries": []})["queries"]
              if (value := _logged(query, *parts)) is not None]
    return statistics.median(values) if values else None


def _logged(query: Json, column: str, aggregate: str = "") -> Optional[float]:
    if column == "phase_count":
        return query["phase_count"]
    values = query["columns"].get(column)
    if values is None:
        return None
    if aggregate == "mean":
        return values["sum"] / query["phase_count"] if query["phase_count"] else None
    return values[aggregate]


def _json_path(steps: Iterable[Any]) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def _one_line(text: str, length: int = 200) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else f"{text[:length // 2]} ... {text[-length // 2:]}"


def _is_inside(bounds: Json, value: float) -> bool:
    """False if a bound contradicts the value by more than rounding."""
    low, high = bounds["ci95_low"], bounds["ci95_high"]
    slack = 1e-9 * abs(value)
    return (low is None or low <= value + slack) and (high is None or high >= value - slack)


def content_fault(result: Json) -> Optional[str]:
    """The contradiction in a result that is valid against its schema: the path and the reason."""
    return _cells_fault(result) or next(
        filter(None, map(_figure_fault, figure_specs(result))), None)


def _cells_fault(result: Json) -> Optional[str]:
    cells = [cell["id"] for cell in result["cells"]]
    known = set(cells) | {row["cell"] for row in result["not_measured"]}
    if len(set(cells)) < len(cells):
        return "$.cells: two cells have the same id"
    for index, cell in enumerate(result["cells"]):
        if not 0 <= cell["workload"] < len(result["workloads"]):
            return f"$.cells[{index}].workload: there is no workload {cell['workload']}"
        if cell["wall_ns"] and not _is_inside(cell["wall_ns"], cell["wall_ns"]["median"]):
            return f"$.cells[{index}].wall_ns: the interval does not contain the median"
    for index, pair in enumerate(result["comparisons"]):
        if not _is_inside(pair, pair["ratio"]):
            return f"$.comparisons[{index}]: the interval does not contain the ratio"
        for side in ("a", "b"):
            if pair[side] not in known:
                return f"$.comparisons[{index}].{side}: there is no cell {pair[side]}"
    baseline = result["experiment"]["baseline"]
    if baseline is not None and baseline not in known:
        return f"$.experiment.baseline: there is no cell {baseline}"
    for index, cell in enumerate(result["cells"]):
        if cell.get("baseline", cell["id"]) not in known:
            return f"$.cells[{index}].baseline: there is no cell {cell['baseline']}"
    return None


def _figure_fault(figure: Json) -> Optional[str]:
    point = {"type": "object", "required": ["label", "value"],
             "properties": {"label": {"type": "string"},
                            "value": {"type": ["number", "array"], "items": {"type": "number"}},
                            "where": {"type": "object"}, "unit": {"type": "string"}},
             "anyOf": [{"required": ["where"]}, {"required": ["x"]}]}
    schema = read_json(SCHEMA_FOLDER / "experiment.schema.json")["definitions"]["figure"]
    required = ["kind"]
    if figure.get("kind") in ("phases", "cumulative"):
        required.append("column")
    if figure.get("kind") == "cumulative":
        del point["anyOf"]
        point["required"].append("x")
    fault = first_fault(figure, schema) or first_fault(
        figure, {"required": required, "properties": {"paper": {"items": point}}})
    if fault is None:
        fault = next((f"$.paper[{index}]: as many values as x, which must name an axis"
                      for index, point in enumerate(figure.get("paper", []))
                      if isinstance(point["value"], list)
                      and ("x" not in figure or not isinstance(point.get("x"), list)
                           or len(point["x"]) != len(point["value"]))), None)
    return f"$.experiment.figure{fault[1:]}" if fault else None
