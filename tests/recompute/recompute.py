#!/usr/bin/env python3
"""Recomputes the ratios and verdicts of Bellmark's results from their samples.

    recompute.py RESULT.json[.gz]...

Written from docs/explain/how-claims-are-judged.md alone, with Python's standard library alone (3.11 or later). Each
difference from a result is a line on stdout. Exit code: 0 none, 1 differences, 2 not a result.
"""

import gzip
import itertools
import json
import math
import statistics
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

from outcomes import (BEYOND_ABOVE, BEYOND_BELOW, INF, TIE, Range, Row, blocks_of, interval, log_of, log_or,
                      log_ratios, paper_range)

RULES_VERSION = 3


# A result's statistics of its own samples.

class Differences(list):
    def compare(self, where, said, found, tolerance=1e-6):
        if isinstance(said, (int, float)) and isinstance(found, (int, float)) and not isinstance(said, bool):
            if said == found or abs(said - found) <= tolerance * max(abs(said), abs(found)):
                return
        elif said == found:
            return
        self.append(f"{where}: the result says {said}, recomputed {found}")


def check_ratio(found, where, entry, logs):
    """The median of blocks with its interval. `logs` are those of the block ratios, if they can be recomputed."""
    said = [math.log(ratio) for ratio in entry["block_ratios"]]
    if logs is not None:
        found.compare(f"{where}.block_ratios", len(said), len(logs))
        for i, (one, other) in enumerate(zip(said, logs)):
            found.compare(f"{where}.block_ratios[{i}]", math.exp(one), math.exp(other))
    low, high = interval(said)
    found.compare(f"{where}.ratio", entry["ratio"], math.exp(statistics.median(said)))
    found.compare(f"{where}.ci95_low", entry["ci95_low"], low if low is None else math.exp(low))
    found.compare(f"{where}.ci95_high", entry["ci95_high"], high if high is None else math.exp(high))


def check_samples(found, result, failed):
    cells = {cell["id"]: cell for cell in result["cells"]}
    for i, cell in enumerate(result["cells"]):
        if "blocks" in cell:
            sums = [[sum(times) for times in block["query_ns"]] for block in cell["blocks"]]
            found.compare(f"cells[{i}].samples_ns", cell["samples_ns"], sums)
        if cell["id"] in failed or not cell["wall_ns"]:
            continue
        medians = [statistics.median(samples) / cell["query_count"] for samples in cell["samples_ns"]]
        low, high = interval(medians)
        # Written times are rounded.
        found.compare(f"cells[{i}].wall_ns.median", cell["wall_ns"]["median"], statistics.median(medians), 1e-4)
        found.compare(f"cells[{i}].wall_ns.ci95_low", cell["wall_ns"]["ci95_low"], low, 1e-4)
        found.compare(f"cells[{i}].wall_ns.ci95_high", cell["wall_ns"]["ci95_high"], high, 1e-4)
    for i, pair in enumerate(result["comparisons"]):
        if pair["a"] in failed or pair["b"] in failed:
            continue
        logs = None
        if "blocks" in pair:
            logs = log_ratios(blocks_of(cells[pair["a"]]), blocks_of(cells[pair["b"]]))
            found.compare(f"comparisons[{i}].blocks", pair["blocks"], [*logs])
            logs = [*logs.values()]
        check_ratio(found, f"comparisons[{i}]", pair, logs)
    for i, twice in enumerate(result.get("resolution", [])):
        logs = None
        if "blocks" in twice:
            logs = [*log_ratios(blocks_of(twice), blocks_of(cells[twice["cell"]])).values()]
        check_ratio(found, f"resolution[{i}]", twice, logs)
        found.compare(f"resolution[{i}].disturbed", twice["disturbed"] is not None, disturbed(twice))


def disturbed(twice):
    if twice["ratio"] is None or twice["ci95_low"] is None:
        return False
    return not twice["ci95_low"] <= 1 <= twice["ci95_high"] and abs(math.log(twice["ratio"])) > TIE


def resolution_of(twice):
    if twice.get("ci95_low") is None:
        return TIE
    return max(TIE, (math.log(twice["ci95_high"]) - math.log(twice["ci95_low"])) / 2)


def is_time(metric):
    return metric in ("wall_ns", "wall_ns.p99") or metric.startswith("teps.") or "_ns." in metric


def p99(passes):
    """By nearest rank, each query by its median over passes; None of fewer than 100 queries."""
    times = sorted(statistics.median(times) for times in zip(*passes))
    return times[(99 * len(times) + 99) // 100 - 1] if len(times) >= 100 else None


def phase_value(metric, query):
    """One query's figure of a phase log; None if it has none."""
    if metric == "phase_count":
        return query["phase_count"]
    column, _, what = metric.partition(".")
    figures = query["columns"].get(column)
    if figures is None:
        return None
    if what == "mean":
        return figures["sum"] / query["phase_count"]
    if what == "late_over_largest":
        return figures["late_largest"] / figures["largest"]
    for way, decades in (("share", "phases_by_decade"), ("sum", "sum_by_decade")):
        for words in (f"{way}_at_most_", f"{way}_above_"):
            if what.startswith(words):
                bound = int(what.removeprefix(words))
                part = sum(value for decade, value in figures[decades].items()
                           if (int(decade) <= bound) == ("at_most" in words))
                return part / query["phase_count"] if way == "share" else part
    return figures[what]


class Judge:
    def __init__(self, result):
        self.result = result
        self.failed = {entry["cell"] for entry in result["not_measured"]}
        self.cells = [cell for cell in result["cells"]]
        self.resolution = {entry["placement"]: entry for entry in result.get("resolution", [])}

    # Cells

    def pick(self, *selectors):
        def names_of(value):
            """The cells name the graph that was available, of several alternatives."""
            for one in value if isinstance(value, list) else [value]:
                is_any = isinstance(one, str) and one.startswith("first-of:")
                yield from (name.strip() for name in one.removeprefix("first-of:").split("|")) if is_any else [one]

        def fits(cell, selector):
            return all(cell["axes"].get(axis) in [*names_of(value)] for axis, value in selector.items())
        return [cell for cell in self.cells if all(fits(cell, selector) for selector in selectors)]

    def pairs(self, where, *selectors):
        """Cells that agree on every axis that none of the selectors names."""
        named = {axis for selector in selectors for axis in selector}

        def rest(cell):
            return {axis: value for axis, value in cell["axes"].items() if axis not in named}
        groups = [self.pick(where, selector) for selector in selectors]
        return [cells for cells in itertools.product(*groups) if all(rest(cell) == rest(cells[0]) for cell in cells)]

    # Values

    def exact_value(self, cell, metric):
        family, _, rest = metric.partition(".")
        if metric == "memory.accounted_bytes":
            return cell["memory"]["accounted_bytes"]
        if metric.startswith("memory.accounted_bytes."):
            return cell["memory"]["accounted"].get(metric.removeprefix("memory.accounted_bytes."))
        if family == "graph":
            return self.result["workloads"][cell["workload"]]["facts"].get(rest)
        if family == "answer":
            facts = [answer[rest] for answer in cell.get("answers", []) if rest in answer]
            return statistics.fmean(facts) if facts else None
        return None

    def block_values(self, cell, metric):
        """By block."""
        if cell["id"] in self.failed:
            return {}
        if metric == "memory.resident_bytes":
            return dict(enumerate(cell["memory"]["resident_block_bytes"]))
        values = cell["block_medians_ns"]
        if metric == "wall_ns.p99":
            values = [p99(block["query_ns"]) for block in cell.get("blocks", [])]
            if None in values:
                return {}
        if metric.startswith("teps."):
            key = {"teps.harmonic_mean": "block_harmonic_means", "teps.median": "block_medians"}[metric]
            values = (cell["teps"] or {}).get(key, [])
        if metric.startswith("rates."):
            values = cell.get("rates", {}).get(metric.removeprefix("rates."), {}).get("block_values", [])
        return dict(zip([block["index"] for block in cell.get("blocks", [])] or range(len(values)), values))

    def phase_values(self, cells, metric):
        """Values of one cell, or logarithms of ratios of two. By block for times that each block logged, else by query."""
        if any(cell["id"] in self.failed or not cell["phase_log"] for cell in cells):
            return {}
        logs = [{cell["phase_log"].get("first_block", 0): cell["phase_log"]["queries"]} |
                {block["index"]: block["queries"] for block in cell["phase_log"].get("later_blocks", [])}
                for cell in cells]
        by_block = {}
        for index in sorted(set.intersection(*(set(log) for log in logs))):
            figures = [{query["query"]: phase_value(metric.removeprefix("phase_log."), query) for query in log[index]}
                       for log in logs]
            common = set.intersection(*(set(values) for values in figures))
            tuples = {query: [values[query] for values in figures] for query in sorted(common)}
            tuples = {query: values for query, values in tuples.items() if None not in values}
            by_block[index] = {query: values[0] if len(values) == 1 else math.log(values[0] / values[1])
                               for query, values in tuples.items() if len(values) == 1 or min(values) > 0}
        if len(by_block) > 1 and is_time(metric):
            return {index: statistics.median(values.values()) for index, values in by_block.items() if values}
        return by_block[min(by_block)] if by_block else {}

    def logs_of_pair(self, a, b, metric):
        if metric == "wall_ns":
            return {} if {a["id"], b["id"]} & self.failed else log_ratios(blocks_of(a), blocks_of(b))
        if metric.startswith("phase_log."):
            return self.phase_values([a, b], metric)
        x, y = self.block_values(a, metric), self.block_values(b, metric)
        return {key: math.log(x[key] / y[key]) for key in x.keys() & y.keys() if x[key] > 0 and y[key] > 0}

    def row(self, claim, metric, cells, range_):
        """`cells`: one; numerator and denominator; or these and the cells of the dividing ratio."""
        if len(cells) == 1:
            range_ = replace(range_, sided=False)  # a cell's own value is on no side of a rival
        row = Row(range_, cells, timed=is_time(metric), ratio=len(cells) > 1,
                  looks=self.result["experiment"].get("look_count") or 1)
        own = [self.exact_value(cell, metric) for cell in cells]
        if metric.split(".")[0] in ("graph", "answer") or metric.startswith("memory.accounted"):
            row.exact = True
            if None not in own and (len(own) == 1 or min(own) > 0):
                logs = [log_of(value) for value in own]
                row.logs = [sum(log if i in (0, 3) else -log for i, log in enumerate(logs))]
        elif len(cells) == 1:
            values = self.phase_values(cells, metric) if metric.startswith("phase_log.") else \
                self.block_values(cells[0], metric)
            row.plain = [*values.values()]
            row.logs = [log_of(value) for value in row.plain]
        else:
            logs = self.logs_of_pair(*cells[:2], metric)
            if len(cells) == 4:
                over = self.logs_of_pair(*cells[2:], metric)
                logs = {key: logs[key] - over[key] for key in logs.keys() & over.keys()}
            row.logs, row.blocks = [*logs.values()], [*logs]
        self.doubt(row, claim)
        return row

    def doubt(self, row, claim):
        """The reasons against a value."""
        for cell in row.cells:
            if cell.get("stand_in_class") == "smaller, effect can't":
                row.absent = "smaller, effect can't"
            if not row.timed:
                continue
            placement = cell["axes"].get("placement", cell["placement"]["requested"])
            twice = self.resolution.get(placement, {})
            row.resolution = max(row.resolution, resolution_of(twice))
            if twice and disturbed(twice):
                row.doubt = "the run is disturbed"
            if cell.get("doubts"):
                row.doubt = cell["doubts"][0]
            working_set = cell.get("working_set", {}).get("ratio")
            if claim.get("about") == "memory" and working_set is not None and working_set < 1:
                row.absent = "fits the cache"
            threads = len(cell["placement"].get("threads", [])) + 1
            if (cell["ranks"] or {}).get("shared_places") or 0 < cell["placement"].get("pu_count", 0) < threads:
                row.absent, row.logs = "threads or ranks share PUs", []
            if cell.get("batch") and threads > 1 and cell["query_count"] < 4 * threads:
                row.absent = "fewer than four queries a thread"

    # Kinds of claim

    def rows(self, claim):
        """Without any cell, the claim has one row without a value."""
        if claim["kind"] == "absolute":
            return []
        return self.rows_of_kind(claim) or [Row(Range(-INF, INF), [], absent="no such cell")]

    def rows_of_kind(self, claim):
        where, metric = claim.get("where", {}), claim.get("metric", "wall_ns")
        kind, paper = claim["kind"], claim.get("paper", {})
        rival = math.log(claim.get("rival", 1))
        if kind == "ratio":
            tuples = self.pairs(where, claim["numerator"], claim["denominator"])
            return [self.row(claim, metric, cells, paper_range(paper, rival)) for cells in tuples]
        if kind == "order":
            rows = []
            for slower, faster in zip(claim["order"], claim["order"][1:]):
                rows += [self.row(claim, metric, cells, BEYOND_BELOW) for cells in self.pairs(where, faster, slower)] \
                    or [Row(BEYOND_BELOW, [], absent="no such cell")]
            return rows
        if kind in ("trend", "shape"):
            return [row for statement in claim["statements"] for row in self.statement(claim, statement)]
        if kind == "crossing":
            return self.crossing(claim, where, metric)
        if kind == "slope":
            return self.slope(claim, where, metric)
        if kind == "argmin":
            return self.argmin(claim, where, metric)
        return []

    def statement(self, claim, statement):
        metric = statement.get("metric", claim.get("metric", "wall_ns"))
        selectors = [statement["numerator"]]
        if "denominator" in statement:
            selectors.append(statement["denominator"])
        if "over" in statement:
            selectors += [statement["over"]["numerator"], statement["over"]["denominator"]]
        rival = math.log(statement.get("rival", claim.get("rival", 1)))
        ends = log_or(statement.get("at_least"), -INF), log_or(statement.get("at_most"), INF)
        range_ = Range(*ends, rival, fixed=True)
        if "at_least" not in statement and "at_most" not in statement:
            paper = statement["paper"]
            range_ = paper_range(paper if isinstance(paper, dict) else {"value": paper}, rival)
        tuples = self.pairs(claim.get("where", {}), *selectors)
        if "mean" in statement:
            return self.means(claim, statement["mean"], metric, tuples, range_)
        rows = [self.row(claim, metric, cells, range_) for cells in tuples]
        if "over" in statement:
            whole = [row.cells[:2] for row in rows]
            rows += [Row(range_, cells, absent="no cells to hold it over")
                     for cells in self.pairs(claim.get("where", {}), *selectors[:2]) if cells not in whole]
        return rows or [Row(range_, [], absent="no such cell")]

    def means(self, claim, mean, metric, tuples, range_):
        """A row is the arithmetic mean of ratios of cells that differ on one axis, in each block."""
        groups = {}
        for cells in tuples:
            rest = [{axis: value for axis, value in cell["axes"].items() if axis != mean["over"]} for cell in cells]
            groups.setdefault(json.dumps(rest, sort_keys=True), []).append(cells)
        rows = []
        for group in groups.values():
            each = [self.row(claim, metric, cells, range_) for cells in group]
            row = replace(each[0], cells=[cell for cells in group for cell in cells])
            logs = zip(*(one.logs for one in each))
            row.logs = [math.log(statistics.fmean(math.exp(log) for log in block)) for block in logs]
            row.blocks = [*range(len(row.logs))]
            self.doubt(row, claim)
            if len(group) != mean["count"]:
                row.absent, row.logs = "a mean of another number of ratios", []
            rows.append(row)
        return rows or [Row(range_, [], absent="no such cell")]

    def along(self, claim, where):
        """Groups of cells that differ on the axis alone, by its values."""
        axis, groups = claim["along"], {}
        for cell in self.pick(where):
            rest = json.dumps({key: value for key, value in cell["axes"].items() if key != axis}, sort_keys=True)
            groups.setdefault(rest, {})[cell["axes"][axis]] = cell
        return [dict(sorted(group.items(), key=lambda item: item[0])) for group in groups.values()]

    def argmin(self, claim, where, metric):
        best, rows = claim["paper"]["value"], []
        for group in self.along(claim, where):
            own = []
            for value, cell in group.items():
                if value != best and best in group:
                    own.append(self.row(claim, metric, [cell, group[best]], Range(-TIE, INF, fixed=True, sided=False)))
                    own[-1].point = (value, [*group])
            self.confirm(own)
            rows += own
        return rows

    def confirm(self, rows):
        """The row of the fastest value is judged by the blocks that were measured after it was known."""
        fresh = self.result["experiment"].get("first_fresh_block")
        if fresh is None or not any(row.logs for row in rows):
            return

        def first(row):
            return [log for log, block in zip(row.logs, row.blocks) if block < fresh]
        fastest = min(filter(first, rows), key=lambda row: statistics.median(first(row)))
        for row in rows:
            judged = row is fastest and any(block >= fresh for block in row.blocks)
            row.logs = [log for log, block in zip(row.logs, row.blocks) if (block >= fresh) == judged]

    def crossing(self, claim, where, metric):
        rows, axis = [], claim["along"]
        tuples = self.pairs(where, claim["numerator"], claim["denominator"])
        for above, below in (pair for pair in tuples if pair[0]["axes"][axis] == pair[1]["axes"][axis]):
            value = above["axes"][axis]
            range_ = BEYOND_BELOW if value < claim["paper"]["value"] else BEYOND_ABOVE
            rows.append(self.row(claim, metric, [above, below], range_))
            rows[-1].point = (value, sorted({pair[0]["axes"][axis] for pair in tuples}))
        return rows

    def slope(self, claim, where, metric):
        """Growth from the least to the largest value, by a line through the logarithms of each block."""
        rows = []
        for group in self.along(claim, where):
            points = [math.log(value) for value in group]
            span = max(points) - min(points)
            rival = claim.get("rival", 0) * span
            paper = claim["paper"]
            ends = [paper.get("low", paper.get("value")), paper.get("high", paper.get("value"))]
            cells = [*group.values()]
            row = self.row(claim, metric, [cells[-1], cells[0]], Range(ends[0] * span, ends[1] * span, rival))
            row.cells, row.grows = cells, True
            self.doubt(row, claim)
            values = [{0: self.exact_value(cell, metric)} if row.exact else self.block_values(cell, metric)
                      for cell in cells]
            row.logs = [slope_of(points, [math.log(value[i]) for value in values]) * span
                        for i in sorted(set.intersection(*(set(value) for value in values)))]
            rows.append(row)
        return rows

    # Verdicts

    def verdict(self, claims):
        """For the claims of one id: the verdict, each part's verdict, and rows with p and outcome."""
        parts = [(claim, self.rows(claim)) for claim in claims]
        if all(claim["kind"] == "absolute" for claim in claims):
            return "shown", parts
        if any(claim.get("checks") == "stand-in" for claim in claims):
            return "check of the stand-in", parts
        ranked = sorted((row.p(), i, row) for i, row in enumerate(r for _, rows in parts for r in rows)
                        if row.p() is not None)
        corrected, worst = {}, 0.0
        for rank, (p, _, row) in enumerate(ranked):
            worst = max(worst, min(1.0, p * (len(ranked) - rank)))
            corrected[id(row)] = worst
        outcomes = []
        for claim, rows in parts:
            for row in rows:
                row.word, row.size = self.corrected_outcome(row, corrected)
            wrong = [row for row in rows if row.word == "not reproduced"]
            if wrong and missed_by_one(claim, rows, wrong):
                for row in wrong:
                    row.word = "direction only"
            for row in rows:
                if any(cell.get("stand_in_class") == "other program" for cell in row.cells):
                    self.cap(row)
            outcomes += [row.word for row in rows] or (["not testable here"] if claim["kind"] != "absolute" else [])
        for word in ("not reproduced", "inconclusive", "not testable here", "direction only", "reproduced"):
            if word in outcomes:
                return word, parts
        return "not testable here", parts

    @staticmethod
    def cap(row):
        """Another program than the paper's: a direction at best, and nothing denied."""
        if row.word in ("reproduced", "direction only"):
            row.word, row.size = ("direction only", "size open") if row.range.side else ("inconclusive", None)
        elif row.word == "not reproduced":
            row.word, row.size = "inconclusive", None

    @staticmethod
    def corrected_outcome(row, corrected):
        word, size = row.outcome()
        if word == "not reproduced" and corrected.get(id(row), 1) > 0.05 / row.looks:
            return "inconclusive", None
        return word, size


def slope_of(x, y):
    middle_x, middle_y = statistics.fmean(x), statistics.fmean(y)
    return sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y)) / sum((a - middle_x) ** 2 for a in x)


def missed_by_one(claim, rows, wrong):
    """An argmin or a crossing along five values or more, one step off."""
    if claim["kind"] not in ("argmin", "crossing"):
        return False
    paper = claim["paper"]["value"]
    for row in wrong:
        axis = row.point[1]
        if len(axis) < 5:
            return False
        if claim["kind"] == "argmin":
            beside = [other for other in rows if other.point[1] is axis or other.point[1] == axis]
            fastest = min(beside, key=lambda other: other.value).point[0]
            if abs(axis.index(fastest) - axis.index(paper)) != 1:
                return False
        elif len(wrong) > 1 or row.point[0] not in (paper, axis[max(0, axis.index(paper) - 1)]):
            return False
    return True


def exp_or_none(log):
    return None if log in (None, INF) else math.exp(log)


def end(value):
    """A published range: a low end of 0 is no end."""
    return value or None


def check_row(found, where, said, row):
    found.compare(f"{where}.value", said["value"], exp_or_none(row.value), 1e-5)
    if row.value is not None:
        low, high = row.interval
        found.compare(f"{where}.ci95_low", said["ci95_low"], exp_or_none(low), 1e-5)
        found.compare(f"{where}.ci95_high", said["ci95_high"], exp_or_none(high), 1e-5)
    found.compare(f"{where}.outcome", said.get("outcome"), row.word)
    if not row.cells:
        return
    near, far = row.range.with_tolerance()
    found.compare(f"{where}.range_low", end(said.get("range_low")), end(exp_or_none(near)), 1e-5)
    found.compare(f"{where}.range_high", said.get("range_high"), exp_or_none(far), 1e-5)
    found.compare(f"{where}.size", said.get("size"), row.size)
    if said.get("p") is not None or row.word == "not reproduced":
        found.compare(f"{where}.p", said.get("p"), row.p())


def match(said, rows):
    """Published rows with our rows of the same cells, in turn."""
    left = [*rows]
    for i, entry in enumerate(said):
        ids = (entry["numerator"], entry["denominator"])
        found = None
        for row in left:
            own = [row.cells[-1], row.cells[0]] if row.grows else row.cells[:2]
            own = [cell["id"] for cell in own] + [None, None]
            if tuple(own[:2]) == ids:
                found = row
                break
        if found is not None:
            left = [row for row in left if row is not found]
        yield i, entry, found
    for row in left:
        if row.cells:
            yield None, None, row


def check_verdicts(found, result, failed):
    spec = tomllib.loads(result["provenance"]["spec"])
    judge, claims = Judge(result), {}
    for claim in spec.get("claim", []):
        claims.setdefault(f"{spec['paper']['key']}/{claim['id']}", []).append(claim)
    said = {verdict["claim"]: verdict for verdict in result["verdicts"]}
    if result["experiment"]["form"] == "smoke":
        return
    found.compare("verdicts", sorted(said), sorted(claims))
    for name in claims.keys() & said.keys():
        word, parts = judge.verdict(claims[name])
        found.compare(f"{name}.verdict", said[name]["verdict"], word)
        for number, (part, (claim, rows)) in enumerate(zip(said[name]["parts"], parts)):
            if claim["kind"] == "absolute":
                continue
            for i, entry, row in match(part["measured"], rows):
                where = f"{name}.parts[{number}].measured[{i}]"
                if row is None or entry is None:
                    cells = [cell["label"] for cell in row.cells] if row else entry["text"]
                    found.append(f"{where}: only {'the result' if row is None else 'recomputed'} has a row of {cells}")
                else:
                    check_row(found, where, entry, row)


def check(path):
    """(differences, notes); raises ValueError if it is not a result."""
    try:
        data = Path(path).read_bytes()
        result = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except (OSError, EOFError, ValueError) as error:
        raise ValueError(f"cannot be read: {error}") from error
    if not isinstance(result, dict) or (result.get("schema") or {}).get("name") != "bellmark-result":
        raise ValueError("is not a Bellmark result")
    found, notes = Differences(), []
    failed = {entry["cell"] for entry in result["not_measured"]}
    check_samples(found, result, failed)
    version = result.get("rules", {}).get("version")
    if version == RULES_VERSION:
        check_verdicts(found, result, failed)
    else:
        notes.append(f"ratios alone: judged by version {version or 1} of the rules, this is version {RULES_VERSION}")
    if not any("blocks" in cell for cell in result["cells"]):
        notes.append("without per-query times: block ratios are taken as they stand")
    return found, notes


def main(paths):
    code = 0
    for path in paths:
        try:
            found, notes = check(path)
        except ValueError as error:
            print(f"{path}: {error}", file=sys.stderr)
            code = 2
            continue
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            print(f"{path}: is damaged: {type(error).__name__} {error}", file=sys.stderr)
            code = 2
            continue
        for note in notes:
            print(f"{path}: {note}", file=sys.stderr)
        for line in found:
            print(f"{path}: {line}")
        code = max(code, bool(found))
    return code


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    sys.exit(main(sys.argv[1:]))
