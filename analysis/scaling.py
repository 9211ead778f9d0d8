"""The scaling model of a search by ranks: the cost of each step of its phase log, from its counts.

A step's time is a sum of counts that its log holds (messages, bytes, arcs, vertices) times fitted
costs, as in LogGP (Alexandrov, Ionescu, Schauser, Scheiman, SPAA 1995). The log also says how a
count grows with the number of ranks. This module knows no step by its name. Costs are fitted to the
phase logs of one result's cells, and are never negative. Each rank count is also left out of a fit,
which is tested on it. Only this module of `analysis` estimates numbers, and no verdict reads them.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Iterable, NamedTuple, Optional

import numpy

from growth import evaluate, of_older_log
from load import Json, axis_text, metric_value, varying_axes

LEAST_RANK_COUNTS = 3  # any two lie on a line, so a fit to two can't be wrong
WANTED_RANK_COUNTS = (16, 64, 1024)
ALIKE = 1e-3  # counts that differ by less, as a share of the largest, tell no two terms apart
SENT_BYTES = "sent_bytes"  # of all ranks: shown beside the formula's, and not a term


@dataclass(frozen=True)
class Search:
    """The inputs of a log's formulas, and the log's counts, all over all ranks."""

    rank_count: int
    sums: dict[str, float]  # of the graph's facts and of the log's columns that no step has
    growth: dict[str, str]  # how counts follow from these
    counted: dict[str, float] = field(default_factory=dict)

    @property
    def vertex_count(self) -> float:
        return self.sums["vertex_count"]

    @functools.cached_property
    def grown(self) -> dict[str, float]:
        """The values of the formulas."""
        return evaluate(self.growth, {"ranks": self.rank_count, **self.sums})

    def count(self, name: str) -> Optional[float]:
        """The count of one rank: from the log, else from the formula; None if there is neither."""
        total = self.counted.get(name, self.grown.get(name))
        return None if total is None else total / self.rank_count

    def with_ranks(self, rank_count: int) -> Search:
        """Weak scaling: the same number of phases, and the same part of the graph for each rank. Counts
        grow as their formulas do."""
        share = rank_count / self.rank_count
        sums = {name: value * share if name.endswith("_count") and name != "phase_count" else value
                for name, value in self.sums.items()}
        larger = Search(rank_count, sums, self.growth)
        counted = {}
        for name, value in self.counted.items():
            if name in self.growth:
                now, then = self.grown[name], larger.grown[name]
                counted[name] = value * (then / now) if now else then
        return Search(rank_count, sums, self.growth, counted)

    @property
    def is_taken(self) -> bool:
        """True if the variant allows this number of ranks."""
        return bool(self.grown.get("takes", True))


class StepTimes(NamedTuple):
    """A step over all levels of a search, medians over the sources: the fastest rank, the median
    one and the slowest, and the bytes that all ranks sent (None: the log counts none)."""

    least_ns: float
    median_ns: float
    largest_ns: float
    sent_bytes: Optional[float]


@dataclass(frozen=True)
class Measured:
    """A cell: its search, its steps, and the counts of each step."""

    search: Search
    steps: dict[str, StepTimes]
    terms: dict[str, list[str]]
    shared_places: tuple[str, ...]
    hosts: tuple[str, ...]
    units: dict[str, str] = field(default_factory=dict)  # what a count is called


@dataclass(frozen=True)
class StepFit:
    """The fitted cost of each of a step's terms, in ns. A term without a cost grew like another one in
    all fitted cells, and could not be told apart from it."""

    step: str
    terms: list[str]
    costs: dict[str, float]
    counts: numpy.ndarray  # what was fitted: a cell's a row, a term's a column
    rank_count_count: int  # numbers of ranks among the cells

    def time_ns(self, search: Search) -> float:
        return sum(cost * (search.count(f"{self.step}_{term}") or 0)
                   for term, cost in self.costs.items())

    @property
    def exact(self) -> bool:
        """True if there are as many costs as numbers of ranks: they fit any times, so the fit can't be
        wrong."""
        return sum(cost > 0 for cost in self.costs.values()) >= self.rank_count_count

    def undetermined(self, search: Search) -> list[str]:
        """The terms that the fitted cells can't tell apart and that do not grow alike up to this
        search; none if its time follows from theirs, for any costs of the terms.

        It follows if the search's counts are a sum of multiples of the cells' counts. Then all costs
        that fit the cells' times give the search the same time.
        """
        wanted = numpy.array(counts_of(search, self.step, self.terms), dtype=float)
        scales = _scales(numpy.where(self.counts.any(axis=0), self.counts, wanted))
        wanted /= scales
        _, values, directions = numpy.linalg.svd(self.counts / scales)
        unseen = directions[int((values > ALIKE).sum()):]  # what no cell has a part in
        part = numpy.abs(unseen.T @ (unseen @ wanted))
        return [term for term, share in zip(self.terms, part)
                if share > ALIKE * numpy.abs(wanted).max()]


@dataclass
class Model:
    """The cells of one variant by ranks, and the fit to cells whose ranks had their own places.
    `reason` says why there is no fit."""

    name: str
    measured: list[Measured]
    steps: list[str]
    reason: Optional[str] = None
    fits: dict[str, StepFit] = field(default_factory=dict)
    fitted: list[Measured] = field(default_factory=list)
    # A cell, and the expected time of each step by a fit to the other rank counts.
    held_out: list[tuple[Measured, dict[str, float]]] = field(default_factory=list)

    @property
    def base(self) -> Search:
        """The search that is scaled: the largest fitted one."""
        return max((cell.search for cell in self.fitted),
                   key=lambda search: (search.rank_count, search.vertex_count))

    def terms(self, step: str) -> list[str]:
        """The step's counts in all cells."""
        return [term for term in self.measured[0].terms.get(step, [])
                if all(term in cell.terms.get(step, []) for cell in self.measured)]

    def uncounted_steps(self) -> list[str]:
        return [step for step in self.steps if not self.terms(step)]

    def unit(self, term: str) -> str:
        """The name of one of these."""
        return self.measured[0].units.get(label(term), _unit(term))

    def total_ns(self, cell: Measured) -> float:
        """The times of the fitted steps."""
        return sum(cell.steps[step].median_ns for step in self.fits)

    def sends(self, step: str) -> bool:
        return any(cell.steps[step].sent_bytes is not None for cell in self.measured)

    def times_ns(self, rank_count: int) -> dict[str, float]:
        """The time of each step, with the largest search's number of vertices for each rank."""
        search = self.base.with_ranks(rank_count)
        return {step: fit.time_ns(search) for step, fit in self.fits.items()}

    def communication_ns(self, rank_count: int) -> float:
        return sum(time for step, time in self.times_ns(rank_count).items() if self.sends(step))

    def growth(self, low: int, high: int) -> Optional[float]:
        """e, if communication grows with the ranks to the power of e; None if it is free."""
        times = self.communication_ns(low), self.communication_ns(high)
        return math.log(times[1] / times[0]) / math.log(high / low) if min(times) > 0 else None

    def undetermined(self, rank_count: int) -> dict[str, list[str]]:
        """For each step that the fitted cells don't determine at this number of ranks, the terms that they
        can't tell apart."""
        search = self.base.with_ranks(rank_count)
        found = {step: fit.undetermined(search) for step, fit in self.fits.items()}
        return {step: terms for step, terms in found.items() if terms}

    def ungrown(self) -> dict[str, list[str]]:
        """For each step, the counts whose growth the log does not say."""
        found = {step: [term for term in fit.terms if f"{step}_{term}" not in self.base.growth]
                 for step, fit in self.fits.items()}
        return {step: terms for step, terms in found.items() if terms}

    def exact_steps(self) -> list[str]:
        return [step for step, fit in self.fits.items() if fit.exact]

    def wanted_rank_counts(self) -> list[int]:
        """16, 64 and 1,024, or the next doubling that the variant allows, if they are beyond the
        fit."""
        wanted = [next((count * 2**i for i in range(12)
                        if self.base.with_ranks(count * 2**i).is_taken), count)
                  for count in WANTED_RANK_COUNTS]
        return [count for count in wanted if count > self.base.rank_count]

    def rank_counts_up_to(self, last: int) -> list[int]:
        """Doublings of the least number of ranks, as far as the variant allows them."""
        first = min(cell.search.rank_count for cell in self.fitted)
        doubled = itertools.takewhile(lambda count: count <= last,
                                      (first * 2**i for i in itertools.count()))
        return [count for count in doubled if self.base.with_ranks(count).is_taken]

    @property
    def most_ranks(self) -> Optional[int]:
        """The most ranks of the variant; None if its log has no limit."""
        most = self.base.grown.get("most_ranks")
        return None if most is None else round(most)

    def predicted_rank_counts(self) -> list[int]:
        """The predictions that the fitted cells determine; none if a step's fit could not be wrong, or a
        step has no counts or no growth of them."""
        if self.exact_steps() or self.uncounted_steps() or self.ungrown():
            return []
        return [count for count in self.wanted_rank_counts() if not self.undetermined(count)]

    def errors(self, step: Optional[str] = None) -> list[tuple[int, float]]:
        """(ranks, expected / measured - 1) of each held-out cell; without a step, of all steps' sum.
        Cells that took no time have none."""
        found = []
        for cell, expected in self.held_out:
            measured = self.total_ns(cell) if step is None else cell.steps[step].median_ns
            wanted = sum(expected.values()) if step is None else expected[step]
            if measured > 0:
                found.append((cell.search.rank_count, wanted / measured - 1))
        return found

    def largest_factor(self) -> Optional[float]:
        """The largest error of the sum of all steps, either way, in held-out cells, as a factor."""
        ratios = [1 + error for _, error in self.errors()]
        return max(max(r, 1 / r) for r in ratios) if ratios and min(ratios) > 0 else None


def models(result: Json) -> list[Model]:
    """A model for each variant (and value of the other axes) that was measured with several ranks
    and logged its steps; none without such cells."""
    graph_axes = {axis for cell in result["cells"] for axis in cell["axes"]
                  if f"{{{axis}}}" in axis_text(cell["axes"].get("graph", ""))}
    by_ranks = {"ranks", "graph", *graph_axes}
    groups: dict[tuple, list[Json]] = {}
    for cell in result["cells"]:
        rest = tuple((axis, axis_text(value)) for axis, value in cell["axes"].items()
                     if axis not in by_ranks)
        groups.setdefault((cell["variant"], rest), []).append(cell)
    vary = varying_axes(result)
    variant_counts = Counter(rest for _, rest in groups)
    found = []
    for (variant, rest), cells in groups.items():
        if all((cell.get("rank_count") or 1) == 1 for cell in cells):
            continue
        named = [f"{axis} {text}" for axis, text in rest if axis in vary]
        if variant_counts[rest] > 1 or not named:
            named.insert(0, variant)
        measured = list(filter(None, (_measured(cell, result) for cell in cells)))
        if measured:
            found.append(fit(", ".join(named), measured))
    return found


def label(term: str) -> str:
    return term.removesuffix("_count").replace("_", " ")


def _unit(term: str) -> str:
    """`message_count`: a message; `message_bytes`: a byte of messages."""
    if term.endswith("_bytes"):
        return f"a byte of {term.removesuffix('_bytes').replace('_', ' ')}s"
    return f"{'an' if label(term)[0] in 'aeiou' else 'a'} {label(term)}"


def counts_of(search: Search, step: str, terms: Iterable[str]) -> list[float]:
    return [search.count(f"{step}_{term}") or 0 for term in terms]


def _step_terms(names: Iterable[str], steps: list[str]) -> dict[str, list[str]]:
    """The counts of each step among these names: `<step>_<term>`, of the longest step that fits."""
    found: dict[str, list[str]] = {step: [] for step in steps}
    for name in names:
        step = max((step for step in steps if name.startswith(f"{step}_")), key=len, default=None)
        if step is None or not name.endswith(("_count", "_bytes")):
            continue
        term = name.removeprefix(f"{step}_")
        if term != SENT_BYTES:
            found[step].append(term)
    return found


def _measured(cell: Json, result: Json) -> Optional[Measured]:
    log = cell.get("phase_log")
    if not log:
        return None
    columns = log["columns"]
    steps = [column.removesuffix("_median_ns") for column in columns
             if column.endswith("_median_ns")]
    steps = [step for step in steps
             if {f"{step}_least_ns", f"{step}_largest_ns"} <= set(columns)]
    facts = result["workloads"][cell["workload"]]["facts"]
    sums = {name: value for name, value in facts.items() if name.endswith("_count")
            and isinstance(value, (int, float))}
    sums |= {column: metric_value(cell, f"phase_log.{column}.sum") for column in columns}
    sums["phase_count"] = metric_value(cell, "phase_log.phase_count")
    if not steps or "vertex_count" not in sums or None in sums.values():
        return None
    times = {step: StepTimes(sums[f"{step}_least_ns"], sums[f"{step}_median_ns"],
                             sums[f"{step}_largest_ns"], sums.get(f"{step}_{SENT_BYTES}"))
             for step in steps}
    ranks = cell.get("ranks") or {}
    rank_count = cell.get("rank_count") or 1
    terms, growth, units = _step_terms(columns, steps), dict(log.get("growth", {})), {}
    counted = {}
    if "growth" not in log and not any(terms.values()):
        growth, units = of_older_log(cell)
        terms = _step_terms(growth, steps)
    else:
        for step in filter(terms.get, steps):  # a step's time in a phase, independent of its counts
            counted |= {f"{step}_{term}": sums[f"{step}_{term}"] for term in terms[step]}
            counted[f"{step}_phase_count"] = sums["phase_count"] * rank_count
            growth[f"{step}_phase_count"] = "phase_count * ranks"
            terms[step].insert(0, "phase_count")
    of_steps = tuple(f"{step}_" for step in steps)
    sums = {name: value for name, value in sums.items()
            if not name.startswith(of_steps) and not name.endswith("_ns")}
    return Measured(Search(rank_count, sums, growth, counted), times, terms,
                    tuple(ranks.get("shared_places", [])),
                    tuple(dict.fromkeys(place["host"] for place in ranks.get("places", []))), units)


def fit(name: str, measured: list[Measured]) -> Model:
    """The model of these cells, or why there is none. Ranks that share PUs or GPUs wait for each
    other, and their times say nothing of ranks that don't."""
    measured = sorted(measured, key=lambda c: (c.search.rank_count, c.search.vertex_count))
    steps = [step for step in measured[0].steps if all(step in cell.steps for cell in measured)]
    model = Model(name, measured, steps)
    counted_steps = [step for step in steps if model.terms(step)]
    own = [cell for cell in measured if not cell.shared_places]
    counts = sorted({cell.search.rank_count for cell in own})
    if len(counts) < LEAST_RANK_COUNTS:
        listed = f" ({', '.join(map(str, counts))})" if counts else ""
        model.reason = (f"{len(counts)} rank {'count' if len(counts) == 1 else 'counts'}{listed} "
                        "measured in places of their own; a fit that is tested on held-out counts "
                        f"needs {LEAST_RANK_COUNTS}")
        shared = sorted({cell.search.rank_count for cell in measured if cell.shared_places})
        if shared:
            places = dict.fromkeys(place for cell in measured for place in cell.shared_places)
            model.reason += (f". With {', '.join(map(str, shared))} ranks several shared "
                             f"{', '.join(places)} and waited for each other, so that their times "
                             "are left out")
        return model
    if not counted_steps:
        model.reason = ("the phase log has no counts of its steps (messages, bytes, arcs, vertices) "
                        "to fit their times to")
        return model
    model.fitted = own
    model.fits = {step: _fit_step(model, step, own) for step in counted_steps}
    for count in counts:
        others = [cell for cell in own if cell.search.rank_count != count]
        fits = {step: _fit_step(model, step, others) for step in counted_steps}
        for cell in own:
            if cell.search.rank_count == count:
                model.held_out.append((cell, {step: fits[step].time_ns(cell.search)
                                              for step in counted_steps}))
    return model


def _fit_step(model: Model, step: str, cells: list[Measured]) -> StepFit:
    terms = model.terms(step)
    times = numpy.array([cell.steps[step].median_ns for cell in cells])
    counts = numpy.array([counts_of(cell.search, step, terms) for cell in cells], dtype=float)
    costs = least_squares(counts, times)
    return StepFit(step, terms, {term: cost for term, cost in zip(terms, costs)
                                 if cost is not None}, counts,
                   len({cell.search.rank_count for cell in cells}))


def _scales(counts: numpy.ndarray) -> numpy.ndarray:
    """Each column's largest count, or 1 if it has none, so that bytes and levels compare alike."""
    largest = numpy.abs(counts).max(axis=0)
    return numpy.where(largest > 0, largest, 1)


def least_squares(counts: numpy.ndarray, times: numpy.ndarray) -> list[Optional[float]]:
    """Costs of at least 0 whose relative errors have the least sum of squares. A column that is a
    multiple of an earlier one has None.

    Times below a hundredth of the largest have the weight of that hundredth. All sets of the few
    columns are tried: the best fit is the least-squares fit of the columns that it uses.
    """
    largest = times.max(initial=0)
    scales = _scales(counts)
    scaled = counts / scales
    kept: list[int] = []
    for column in range(counts.shape[1]):
        if all(numpy.linalg.matrix_rank(scaled[:, [other, column]], tol=ALIKE) == 2
               for other in kept):
            kept.append(column)
    costs: list[Optional[float]] = [0.0 if c in kept else None for c in range(counts.shape[1])]
    if largest <= 0:
        return costs
    weights = 1 / numpy.maximum(times, largest / 100)
    wanted = times * weights
    best, residual = {}, float(wanted @ wanted)
    for size in range(1, len(kept) + 1):
        for columns in itertools.combinations(kept, size):
            chosen = list(columns)
            if not scaled[:, chosen].any(axis=0).all():
                continue
            weighted = scaled[:, chosen] * weights[:, None]
            solution = numpy.linalg.lstsq(weighted, wanted, rcond=None)[0]
            error = wanted - weighted @ solution
            if (solution >= 0).all() and float(error @ error) < residual * (1 - 1e-9):
                best = dict(zip(chosen, solution / scales[chosen]))
                residual = float(error @ error)
    for column, cost in best.items():
        costs[column] = float(cost)
    return costs
