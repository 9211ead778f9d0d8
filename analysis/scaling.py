"""The scaling model of a distributed search: what each step of a level costs by ranks.

A step's time is a sum of terms, each a count that a formula gives (messages and bytes that a rank
sends, bytes of bitmaps it reads, arcs and vertices it holds) times a cost that is fitted, as in
LogGP (Alexandrov, Ionescu, Schauser, Scheiman, SPAA 1995). Costs are fitted to the phase logs of
one result's cells, are never negative, and are tried on every rank count that was left out of a
fit. This is the one place of `analysis` where numbers are estimated; no verdict reads them.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Callable, NamedTuple, Optional

import numpy

from load import Json, axis_text, metric_value, varying_axes

LEAST_RANK_COUNTS = 3  # two lie on any line: nothing would be left to be wrong
PERSISTENT_RANKS = 32  # that distributed-bfs/persistent takes at most
ALIKE = 1e-3  # counts that differ by less, as a share of the largest, tell no two terms apart


@dataclass(frozen=True)
class Search:
    """What the formulas know of a search: the graph's share of it, and the ranks' places."""

    rank_count: int
    vertex_count: float
    arc_count: float
    level_count: float
    bottom_up_count: float  # of the levels
    reached_count: float
    form: str = "grid"  # or rows, a grid of P x 1; or pairs
    persistent: bool = False  # distributed-bfs/persistent: other steps, in the same blocks
    transfer: str = "host"  # or nccl, from GPU to GPU
    in_sequence: bool = False  # pairs: the exchanges of groups, one after the other
    overlap: bool = False

    @property
    def top_down_count(self) -> float:
        return self.level_count - self.bottom_up_count

    @property
    def row_part_count(self) -> int:
        """R of a grid of R x C, R >= C, as near to each other as they can be; B of pairs."""
        if self.form == "pairs":
            return round(math.sqrt(2 * self.rank_count))
        return self.rank_count // self.column_part_count

    @property
    def column_part_count(self) -> int:
        if self.form == "pairs":
            return self.row_part_count
        if self.form == "rows":
            return 1
        return next(count for count in range(math.isqrt(self.rank_count), 0, -1)
                    if self.rank_count % count == 0)

    @property
    def bitmap_bytes(self) -> float:
        """Of all vertices, in whole words."""
        return 8 * math.ceil(self.vertex_count / 64)

    @property
    def kept_ratio(self) -> float:
        """Of a grid's pieces: those whose places in the row and in the column are one rank's. Rank
        r C + c is at the place of piece c R + r too, which is the same where r (C - 1) =
        c (R - 1)."""
        return (math.gcd(self.row_part_count - 1, self.column_part_count - 1) + 1) \
            / self.rank_count

    def with_ranks(self, rank_count: int) -> Search:
        """Weak scaling: as many levels, and as much of the graph a rank."""
        share = rank_count / self.rank_count
        return replace(self, rank_count=rank_count, vertex_count=self.vertex_count * share,
                       arc_count=self.arc_count * share,
                       reached_count=self.reached_count * share)


Count = Callable[[Search], float]


class Formula(NamedTuple):
    """A step's terms, counted for one rank and a whole search; and the bytes that all ranks send in
    it, None where it sends nothing or no formula is known."""

    terms: dict[str, Count]
    sent_bytes: Optional[Count] = None


UNITS = {"search": "a search", "start": "a start with other ranks", "level": "a level",
         "round": "a round of messages", "call": "a collective call", "message": "a message",
         "byte": "a byte sent", "bitmap": "a byte of bitmaps read", "arc": "an arc held",
         "vertex": "a vertex held"}


def _levels(s: Search) -> float:
    return s.level_count


def _plan(s: Search) -> float:
    return s.level_count + 1  # the last one finds that there is no further level


def _rounds(s: Search) -> float:
    return _plan(s) * math.log2(s.rank_count)


def _once(s: Search) -> float:
    return 1


def _arcs(s: Search) -> float:
    return s.arc_count / s.rank_count


def _reached(s: Search) -> float:
    return s.reached_count / s.rank_count


def _a_rank(sent_bytes: Count) -> Count:
    return lambda s: sent_bytes(s) / s.rank_count


def _along_rows(s: Search) -> float:
    """Members of its row that a rank expands to, and bottom-up of its column too."""
    return ((s.column_part_count - 1) * s.level_count
            + (s.row_part_count - 1) * s.bottom_up_count)


def _to_fold(s: Search) -> float:
    """Members of its column that a rank deals to, bottom-up of its row."""
    return ((s.row_part_count - 1) * s.top_down_count
            + (s.column_part_count - 1) * s.bottom_up_count)


def _expand_calls(s: Search) -> float:
    """Alone in its row or column a rank calls nobody."""
    return ((s.column_part_count > 1) * s.level_count
            + (s.row_part_count > 1) * s.bottom_up_count)


def _fold_calls(s: Search) -> float:
    return ((s.row_part_count > 1) * s.top_down_count
            + (s.column_part_count > 1) * s.bottom_up_count)


def _sides(s: Search) -> float:
    return s.level_count * s.bitmap_bytes * (1 / s.row_part_count + 1 / s.column_part_count)


def _plan_bytes(s: Search) -> float:
    return _plan(s) * 32 * (s.rank_count - 1)


def _in_company(s: Search) -> float:
    return s.level_count * (s.rank_count > 1)


def _plan_calls(s: Search) -> float:
    return _plan(s) * (s.rank_count > 1)


def _transpose_calls(s: Search) -> float:
    return s.level_count * (s.kept_ratio < 1)


def _transpose_bytes(s: Search) -> float:
    return s.level_count * s.bitmap_bytes * (1 - s.kept_ratio)


def _givers(s: Search) -> float:
    """Members of its column, where a level went top-down, and of its row, where one went
    bottom-up."""
    return ((s.row_part_count - 1) * (s.top_down_count > 0)
            + (s.column_part_count - 1) * (s.bottom_up_count > 0))


def _predecessor_messages(s: Search) -> float:
    """A question and an answer for each; by NCCL nobody asks."""
    return _givers(s) * (1 if s.transfer == "nccl" else 2)


def _predecessor_bytes(s: Search) -> float:
    moved = 4 * s.vertex_count * (1 - s.kept_ratio) * (s.top_down_count > 0)
    if s.transfer == "nccl":  # all that the others may want, found or not
        return 4 * s.vertex_count * _givers(s) + moved
    asked = max(s.row_part_count if s.top_down_count > 0 else 1,
                s.column_part_count if s.bottom_up_count > 0 else 1)
    sizes = 8 * s.rank_count * _predecessor_messages(s)
    return sizes + 8 * s.reached_count * (1 - 1 / asked) + moved


def _starts(s: Search) -> float:
    """The first barrier is timed from the search's beginning: it holds the clearing of bits, which
    one rank has too, and where there are several, links that wake and ranks that start later."""
    return float(s.rank_count > 1)


def _barrier_messages(s: Search) -> float:
    """A barrier a logged level; the last one, which finds no level, is in no log."""
    return s.level_count * (s.rank_count - 1)


def _barrier_bytes(s: Search) -> float:
    return 32 * s.rank_count * _barrier_messages(s)


def _read_bitmap_bytes(s: Search) -> float:
    """Of the vertices that have arcs: nearly those that are reached, in a graph of one large
    component."""
    return s.reached_count / 8


def _peer_bytes(s: Search) -> float:
    """A level behind one that went bottom-up reads bitmaps, of the pieces of the rank's row and of
    its column but its own. Behind one top-down it reads lists, whose lengths no sum over levels
    tells: all of a search count as one level's bitmaps, which is what they come to on two H200s
    with 2^24 vertices each (1.00 of it), not with 2^26, where two sources of four find millions
    top-down (1.49). Counted source by source, 8 bytes for each vertex that is found so in place of
    that one level, 0.83 to 1.00 of it is read there; but logs have no such sum of every source.
    Of searches that never go bottom-up none is counted.
    """
    in_column = sum(rank // s.row_part_count == rank % s.column_part_count
                    for rank in range(s.rank_count))
    pieces = s.rank_count * (s.row_part_count + s.column_part_count - 1) - in_column
    levels = s.bottom_up_count + 1 if s.bottom_up_count > 0 else 0
    return levels * pieces * _read_bitmap_bytes(s) / s.rank_count


def _scanned_rows(s: Search) -> float:
    """Bytes of the bitmap of a block's rows, which a level bottom-up looks through. Bits of its
    columns are read one by one, as arcs lead there: what that costs more when they no longer fit
    into a cache, no term counts."""
    return s.bottom_up_count * _read_bitmap_bytes(s) / s.row_part_count


def _turns(s: Search) -> float:
    """Exchanges of a group until all have had theirs: a rank's own two, or all B where they wait
    for each other."""
    return s.row_part_count if s.in_sequence else 2


def _spread_messages(s: Search) -> float:
    return _turns(s) * (s.row_part_count - 1)


def _deal_messages(s: Search) -> float:
    """With overlap groups deal without waiting for each other."""
    return 2 * (s.row_part_count - 1) if s.overlap else _spread_messages(s)


def _piece_bytes(s: Search) -> float:
    return s.bitmap_bytes / (2 * s.rank_count)


def _assign_messages(s: Search) -> float:
    return s.level_count * (_deal_messages(s) + _spread_messages(s))


def _gather_messages(s: Search) -> float:
    return s.level_count * _spread_messages(s)


def _exchange_bytes(s: Search) -> float:
    """4 for a vertex that its owner has not found itself; how many come is known."""
    return 4 * s.reached_count * (1 - 1 / s.row_part_count)


# What a level sends is said, in bitmaps of all vertices, where the searches are
# (algorithms/searches/distributed_bfs/grid_search.cpp, after Buluc, Madduri, SC 2011, and pairs_search.cpp,
# after hiragushi2013, Figure 8). What a collective costs is Thakur, Rabenseifner, Gropp, IJHPCA 19
# (1), 2005: an all-reduce log2 P rounds by recursive doubling, an all-gather (ring) and an
# all-to-all (pairwise) of p ranks p - 1 messages of each. Predecessors that hosts send are at most
# as many as given here: a vertex that its owner has found itself is not asked for, and the more so
# the fewer ranks share a part; lists, which replace bitmaps where they are shorter, send less too.
_PLAN = Formula({"level": _plan, "call": _plan_calls, "round": _rounds}, _plan_bytes)
FORMULAS: dict[tuple[str, str], Formula] = {
    ("grid", "plan"): _PLAN,
    ("grid", "expand"): Formula(
        {"level": _levels, "call": _expand_calls, "message": _along_rows,
         "byte": lambda s: _along_rows(s) * s.bitmap_bytes / s.rank_count},
        lambda s: _along_rows(s) * s.bitmap_bytes),
    ("grid", "search"): Formula({"level": _levels, "arc": _arcs, "bitmap": _sides}),
    ("grid", "fold"): Formula(
        {"level": _levels, "call": _fold_calls, "message": _to_fold,
         "byte": lambda s: _to_fold(s) * s.bitmap_bytes / s.rank_count},
        lambda s: _to_fold(s) * s.bitmap_bytes),
    ("grid", "transpose"): Formula(
        {"level": _levels, "call": _transpose_calls, "byte": _a_rank(_transpose_bytes)},
        _transpose_bytes),
    ("grid", "predecessors"): Formula(
        {"search": _once, "message": _predecessor_messages, "byte": _a_rank(_predecessor_bytes)},
        _predecessor_bytes),
    # A barrier that tells every rank of the last level, reads of what others found, and a search of
    # the block (algorithms/searches/distributed_bfs/persistent_device.cuh).
    ("persistent", "exchange"): Formula(
        {"level": _levels, "start": _starts, "message": _barrier_messages}, _barrier_bytes),
    ("persistent", "gather"): Formula(
        {"level": _levels, "call": _in_company, "byte": _a_rank(_peer_bytes)}, _peer_bytes),
    ("persistent", "search"): Formula({"level": _levels, "arc": _arcs, "bitmap": _scanned_rows}),
    ("pairs", "plan"): _PLAN,
    ("pairs", "enumerate"): Formula({"level": _levels, "arc": _arcs, "bitmap": _sides}),
    ("pairs", "assign"): Formula(
        {"level": _levels, "message": _assign_messages,
         "byte": lambda s: _assign_messages(s) * _piece_bytes(s)},
        lambda s: s.level_count * 2 * (s.row_part_count - 1) * s.bitmap_bytes),
    ("pairs", "all_gather"): Formula(
        {"level": _levels, "message": _gather_messages,
         "byte": lambda s: _gather_messages(s) * _piece_bytes(s)},
        lambda s: s.level_count * (s.row_part_count - 1) * s.bitmap_bytes),
    ("pairs", "extract"): Formula({"level": _levels, "vertex": _reached, "bitmap": _sides}),
    ("pairs", "exchange"): Formula(
        {"level": _levels, "message": _gather_messages,
         "byte": lambda s: _exchange_bytes(s) / s.rank_count * _turns(s) / 2},
        _exchange_bytes),
    ("pairs", "write"): Formula({"level": _levels, "vertex": _reached}),
}


def formula_of(search: Search, step: str, sends: bool) -> Formula:
    """The formula of a search's step; of a step that has none, a level's cost and what a partition
    in two dimensions makes of bytes sent, or of vertices held."""
    known = FORMULAS.get(("persistent" if search.persistent else search.form, step))
    if known is not None:
        return known
    if sends:
        return Formula({"level": _levels, "call": _in_company,
                        "byte": lambda s: (s.level_count * s.bitmap_bytes / s.rank_count
                                           * (s.row_part_count + s.column_part_count - 2))})
    return Formula({"level": _levels, "bitmap": _sides,
                    "vertex": lambda s: s.vertex_count / s.rank_count})


class StepTimes(NamedTuple):
    """A step over all levels of a search, medians over the sources: the fastest rank, the median
    one and the slowest, and what all ranks sent (None: the log counts no bytes of it)."""

    least_ns: float
    median_ns: float
    largest_ns: float
    sent_bytes: Optional[float]


@dataclass(frozen=True)
class Measured:
    """A cell: its search and its steps."""

    search: Search
    steps: dict[str, StepTimes]
    shared_places: tuple[str, ...]
    hosts: tuple[str, ...]

    @property
    def total_ns(self) -> float:
        return sum(step.median_ns for step in self.steps.values())


@dataclass(frozen=True)
class StepFit:
    """The fitted cost of each of a step's terms, in ns; a term without one grew as another one in
    all cells that were fitted, and could not be told apart from it."""

    formula: Formula
    costs: dict[str, float]
    counts: numpy.ndarray  # what was fitted: a cell's a row, a term's a column
    rank_count_count: int  # numbers of ranks among the cells

    def time_ns(self, search: Search) -> float:
        return sum(cost * self.formula.terms[term](search) for term, cost in self.costs.items())

    @property
    def exact(self) -> bool:
        """As many costs as numbers of ranks: they give each its time whatever that was, and nothing
        is left to be wrong."""
        return sum(cost > 0 for cost in self.costs.values()) >= self.rank_count_count

    def undetermined(self, search: Search) -> list[str]:
        """The terms that the fitted cells can't tell apart and that do not grow alike up to this
        search; none where its time follows from theirs, whatever each term costs.

        It does where the search's counts are a sum of multiples of the cells': then all costs that
        give the cells' times give the search the same one.
        """
        wanted = numpy.array([count(search) for count in self.formula.terms.values()], dtype=float)
        scales = _scales(numpy.where(self.counts.any(axis=0), self.counts, wanted))
        wanted /= scales
        _, values, directions = numpy.linalg.svd(self.counts / scales)
        unseen = directions[int((values > ALIKE).sum()):]  # what no cell has a part in
        part = numpy.abs(unseen.T @ (unseen @ wanted))
        return [term for term, share in zip(self.formula.terms, part)
                if share > ALIKE * numpy.abs(wanted).max()]


@dataclass
class Model:
    """The cells of one variant by ranks, and the fit to those whose ranks had places of their own;
    `reason` says why there is no fit."""

    name: str
    measured: list[Measured]
    steps: list[str]
    reason: Optional[str] = None
    fits: dict[str, StepFit] = field(default_factory=dict)
    fitted: list[Measured] = field(default_factory=list)
    # A cell and what each step was expected to take by a fit to the other rank counts.
    held_out: list[tuple[Measured, dict[str, float]]] = field(default_factory=list)

    @property
    def base(self) -> Search:
        """What is scaled: the largest search that was fitted."""
        return max((cell.search for cell in self.fitted),
                   key=lambda search: (search.rank_count, search.vertex_count))

    def formula(self, step: str) -> Formula:
        return formula_of(self.measured[0].search, step, self.sends(step))

    def sends(self, step: str) -> bool:
        return any(cell.steps[step].sent_bytes is not None for cell in self.measured)

    def times_ns(self, rank_count: int) -> dict[str, float]:
        """Of each step, with as many vertices a rank as the largest search had."""
        search = self.base.with_ranks(rank_count)
        return {step: fit.time_ns(search) for step, fit in self.fits.items()}

    def communication_ns(self, rank_count: int) -> float:
        return sum(time for step, time in self.times_ns(rank_count).items() if self.sends(step))

    def growth(self, low: int, high: int) -> Optional[float]:
        """e, where communication grows with the ranks to the power of e; None where it is free."""
        times = self.communication_ns(low), self.communication_ns(high)
        return math.log(times[1] / times[0]) / math.log(high / low) if min(times) > 0 else None

    def undetermined(self, rank_count: int) -> dict[str, list[str]]:
        """Of each step that the fitted cells don't determine at so many ranks, the terms that they
        can't tell apart."""
        search = self.base.with_ranks(rank_count)
        found = {step: fit.undetermined(search) for step, fit in self.fits.items()}
        return {step: terms for step, terms in found.items() if terms}

    def exact_steps(self) -> list[str]:
        return [step for step, fit in self.fits.items() if fit.exact]

    def wanted_rank_counts(self) -> list[int]:
        """16, 64 and 1,024 as far as they go beyond the fit; of pairs the next that they take."""
        wanted = (32, 128, 2048) if self.base.form == "pairs" else (16, 64, 1024)
        return [count for count in wanted if count > self.base.rank_count]

    def predicted_rank_counts(self) -> list[int]:
        """Those that the fitted cells determine; none where a step's fit had nothing to be wrong
        about."""
        if self.exact_steps():
            return []
        return [count for count in self.wanted_rank_counts() if not self.undetermined(count)]

    def errors(self, step: Optional[str] = None) -> list[tuple[int, float]]:
        """(ranks, expected / measured - 1) of each cell that was held out; without a step, of all
        steps' sum. Cells that took no time have none."""
        found = []
        for cell, expected in self.held_out:
            measured = cell.total_ns if step is None else cell.steps[step].median_ns
            wanted = sum(expected.values()) if step is None else expected[step]
            if measured > 0:
                found.append((cell.search.rank_count, wanted / measured - 1))
        return found

    def largest_factor(self) -> Optional[float]:
        """By how much the sum of all steps was at most missed, either way, in what was held out."""
        ratios = [1 + error for _, error in self.errors()]
        return max(max(r, 1 / r) for r in ratios) if ratios and min(ratios) > 0 else None


def models(result: Json) -> list[Model]:
    """A model for each variant (and value of the other axes) that was measured with several ranks
    and logged its steps; none where nothing was."""
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


def _measured(cell: Json, result: Json) -> Optional[Measured]:
    log = cell.get("phase_log")
    if not log:
        return None
    steps = [column.removesuffix("_median_ns") for column in log["columns"]
             if column.endswith("_median_ns")]
    steps = [step for step in steps
             if {f"{step}_least_ns", f"{step}_largest_ns"} <= set(log["columns"])]

    def summed(column: str) -> Optional[float]:
        return metric_value(cell, f"phase_log.{column}.sum")

    facts = result["workloads"][cell["workload"]]["facts"]
    counts = [facts.get("vertex_count"), facts.get("arc_count"),
              metric_value(cell, "phase_log.phase_count"), summed("bottom_up"),
              summed("frontier_count")]
    if not steps or None in counts:
        return None
    times = {}
    for step in steps:
        values = [summed(f"{step}_{which}_ns") for which in ("least", "median", "largest")]
        if None in values:
            return None
        times[step] = StepTimes(*values, summed(f"{step}_sent_bytes"))
    parameters, ranks = cell["parameters"], cell.get("ranks") or {}
    persistent = cell["variant"].partition(":")[0] == "distributed-bfs/persistent"
    # Defaults of keys that a variant's name leaves out.
    search = Search(cell.get("rank_count") or 1, *counts, persistent=persistent,
                    form=parameters.get("form", "rows" if persistent else "grid"),
                    transfer=parameters.get("transfer", "host"),
                    in_sequence=parameters.get("exchange") == "by-group",
                    overlap=parameters.get("overlap", "on") == "on")
    return Measured(search, times, tuple(ranks.get("shared_places", [])),
                    tuple(dict.fromkeys(place["host"] for place in ranks.get("places", []))))


def fit(name: str, measured: list[Measured]) -> Model:
    """The model of these cells, or why there is none: ranks that share PUs or GPUs wait for each
    other, and what they take says nothing of ranks that don't."""
    measured = sorted(measured, key=lambda c: (c.search.rank_count, c.search.vertex_count))
    steps = [step for step in measured[0].steps if all(step in cell.steps for cell in measured)]
    model = Model(name, measured, steps)
    own = [cell for cell in measured if not cell.shared_places]
    counts = sorted({cell.search.rank_count for cell in own})
    if len(counts) < LEAST_RANK_COUNTS:
        listed = f" ({', '.join(map(str, counts))})" if counts else ""
        model.reason = (f"{len(counts)} rank {'count' if len(counts) == 1 else 'counts'}{listed} "
                        f"measured in places of their own; a fit that can be tried on what it was "
                        f"not fitted to takes {LEAST_RANK_COUNTS}")
        shared = sorted({cell.search.rank_count for cell in measured if cell.shared_places})
        if shared:
            places = dict.fromkeys(place for cell in measured for place in cell.shared_places)
            model.reason += (f". Ranks shared {', '.join(places)} where they were "
                             f"{', '.join(map(str, shared))}, and waited for each other: times of "
                             "these say nothing of others")
        return model
    model.fitted = own
    model.fits = {step: _fit_step(model, step, own) for step in steps}
    for count in counts:
        others = [cell for cell in own if cell.search.rank_count != count]
        fits = {step: _fit_step(model, step, others) for step in steps}
        for cell in own:
            if cell.search.rank_count == count:
                model.held_out.append((cell, {step: fits[step].time_ns(cell.search)
                                              for step in steps}))
    return model


def _fit_step(model: Model, step: str, cells: list[Measured]) -> StepFit:
    formula = model.formula(step)
    times = numpy.array([cell.steps[step].median_ns for cell in cells])
    counts = numpy.array([[term(cell.search) for term in formula.terms.values()]
                          for cell in cells], dtype=float)
    costs = least_squares(counts, times)
    return StepFit(formula, {term: cost for term, cost in zip(formula.terms, costs)
                             if cost is not None}, counts,
                   len({cell.search.rank_count for cell in cells}))


def _scales(counts: numpy.ndarray) -> numpy.ndarray:
    """Each column's largest count, 1 where it has none: bytes and levels are compared alike."""
    largest = numpy.abs(counts).max(axis=0)
    return numpy.where(largest > 0, largest, 1)


def least_squares(counts: numpy.ndarray, times: numpy.ndarray) -> list[Optional[float]]:
    """Costs of at least 0 whose relative errors have the least sum of squares; a column that is a
    multiple of an earlier one has None.

    Times below a hundredth of the largest weigh as if they were that. Of few columns the best fit
    is found by trying all sets of them: the least squares of the set that it uses are its own.
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
