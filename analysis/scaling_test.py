"""The scaling model: it finds the costs behind the data, shows a wrong model, and names unknown
parts."""

from __future__ import annotations

import copy
import html
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Callable

import numpy
import pytest

import figures
import report
import scaling
from growth import evaluate, of_older_log
from load import InputFault, Json, load
from scaling import Measured, Model, Search, StepTimes

DATA = Path(__file__).parent / "testdata"
SCALE = 14  # of one rank

# ns; the same in every step.
COSTS = {"search": 9e3, "level": 4e3, "call": 6e3, "round": 2e3, "message": 1.5e3, "byte": 0.5,
         "bitmap": 0.3, "arc": 0.1, "vertex": 2.0, "start": 8e4}
PERSISTENT = ["exchange", "gather", "search"]
STEPS = {"grid": ["plan", "expand", "search", "fold", "transpose", "predecessors"],
         "pairs": ["plan", "enumerate", "assign", "all_gather", "extract", "exchange", "write"]}


def older_growth(form: str, persistent: bool = False, **parameters: str) -> dict[str, str]:
    """For an older log, whose variant logged no counts of its own."""
    variant = f"distributed-bfs/{'persistent' if persistent else 'hybrid'}:form={form}"
    return of_older_log({"variant": variant, "parameters": {"form": form, **parameters}})[0]


def searched(ranks: int, vertices: float, arcs: float, levels: float, bottom_up: float,
             reached: float, form: str, persistent: bool = False, **parameters: str) -> Search:
    return Search(ranks, {"vertex_count": vertices, "arc_count": arcs, "phase_count": levels,
                          "bottom_up": bottom_up, "frontier_count": reached},
                  older_growth(form, persistent, **parameters))


def search(ranks: int, form: str = "grid", scale: float = SCALE, persistent: bool = False,
           **parameters: str) -> Search:
    n = ranks * 2**scale
    return searched(ranks, n, 27 * n, 7, 4, n / 2, form, persistent, **parameters)


def having(s: Search, **sums: float) -> Search:
    return replace(s, sums=s.sums | sums)


def steps_of(s: Search) -> list[str]:
    return next(steps for steps in (PERSISTENT, *STEPS.values())
                if all(terms_of(s, steps).values()))


def terms_of(s: Search, steps: list[str]) -> dict[str, list[str]]:
    return scaling._step_terms(s.growth, steps)


def counts(s: Search, step: str) -> dict[str, float]:
    """The counts of a rank, by the names of the terms."""
    return {scaling.label(term): s.count(f"{step}_{term}")
            for term in terms_of(s, [step])[step]}


def true_time(step: str, s: Search) -> float:
    return sum(COSTS[term] * count for term, count in counts(s, step).items())


def cell_of(s: Search, time: Callable[[str, Search], float] = true_time,
            shared: tuple[str, ...] = ()) -> Measured:
    steps = {}
    for step in steps_of(s):
        median = time(step, s)
        steps[step] = StepTimes(0.9 * median, median, 1.2 * median,
                                s.grown.get(f"{step}_sent_bytes"))
    return Measured(s, steps, terms_of(s, list(steps)), shared, ("here",))


def fitted(counts: tuple[int, ...], form: str = "grid",
           time: Callable[[str, Search], float] = true_time, persistent: bool = False,
           **parameters: str) -> Model:
    return scaling.fit("a variant", [
        cell_of(search(count, form, persistent=persistent, **parameters), time)
        for count in counts])


def costs(model: Model, step: str) -> dict[str, float]:
    return {scaling.label(term): cost for term, cost in model.fits[step].costs.items()}


def ranked(counts: tuple[int, ...] = (1, 2, 4, 8), form: str = "grid",
           shared: tuple[int, ...] = (), persistent: bool = False) -> Json:
    """A result of ranks, made from another one's."""
    result = load(DATA / "curve.json")
    cell, workload = result["cells"][0], result["workloads"][0]
    result.update(cells=[], not_measured=[], comparisons=[], workloads=[], verdicts=[])
    result["experiment"].update(
        id="fixture/ranks", title="Ranks", baseline=None, problem="distributed-bfs",
        axes={"ranks": list(counts), "scale": [SCALE + count for count in range(4)]},
        figure={"kind": "curve", "x": "ranks", "series": "form", "x_scale": "log2",
                "title": "Time of fold", "metric": "phase_log.fold_median_ns.sum"})
    result["metrics"] |= {
        "phase_log.fold_median_ns.sum": {"unit": "ns",
                                         "title": "fold time, median rank, sum over phases"},
        "phase_log.fold_sent_bytes.sum": {"unit": "bytes", "title": "fold sent, sum over phases"}}
    for index, count in enumerate(counts):
        s = search(count, form, persistent=persistent)
        columns = {name: s.sums[name] for name in ("bottom_up", "frontier_count")}
        for step, times in cell_of(s).steps.items():
            columns.update({f"{step}_least_ns": times.least_ns, f"{step}_median_ns":
                            times.median_ns, f"{step}_largest_ns": times.largest_ns})
            if times.sent_bytes is not None:
                columns[f"{step}_sent_bytes"] = times.sent_bytes
        logged = {name: {"sum": round(value), "largest": 1, "late_largest": 1}
                  for name, value in columns.items()}
        scale = SCALE + int(math.log2(count))
        result["workloads"].append(copy.deepcopy(workload))
        result["workloads"][-1].update(graph=f"kronecker:scale={scale}")
        result["workloads"][-1]["facts"].update({name: int(s.sums[name])
                                                 for name in ("vertex_count", "arc_count")})
        result["cells"].append(copy.deepcopy(cell))
        result["cells"][-1].update(
            id=f"{index:016x}", label=f"ranks={count}", problem="distributed-bfs",
            variant=f"distributed-bfs/{'persistent' if persistent else 'hybrid'}:form={form}",
            workload=index, graph=f"kronecker:scale={scale}", rank_count=count,
            parameters={"form": form},
            axes={"graph": "kronecker:scale={scale}", "scale": scale, "ranks": count},
            launcher="mpirun -n {ranks}", phase_log={
                "columns": list(columns), "plain_columns": [], "first_queries": [], "shares": {},
                "queries": [{"query": 0, "phase_count": s.sums["phase_count"], "columns": logged}]},
            ranks={"places": [{"rank": rank, "host": "here", "resolved": "core:0", "pu_count": 1,
                               "observed": "pu P#0", "gpus": []} for rank in range(count)],
                   "shared_places": ["pu P#0 of here"] if count in shared else [],
                   "least_ns": None, "median_ns": None, "largest_ns": None, "block_ns": None})
    return result


# The counts of the ranks of distributed-bfs/hybrid in a search of kronecker:scale=12,lengths=unit
# from its first uniform source (seed 42): 5 levels, 3,345 vertices reached.
COUNTED = [
    ("grid", 1, 3, {"plan": 0, "expand": 0, "fold": 0, "transpose": 0, "predecessors": 0}),
    ("grid", 2, 3, {"plan": 192, "expand": 1536, "fold": 1024, "transpose": 0,
                    "predecessors": 2944}),
    ("grid", 4, 3, {"plan": 576, "expand": 4096, "fold": 2560, "transpose": 1280,
                    "predecessors": 14912}),
    ("grid", 8, 3, {"plan": 1344, "expand": 7168, "fold": 4608, "transpose": 1920,
                    "predecessors": 21048}),
    # direction=top-down
    ("grid", 2, 0, {"expand": 0, "fold": 2560, "transpose": 0, "predecessors": 6424}),
    ("grid", 4, 0, {"expand": 2560, "fold": 2560, "transpose": 1280, "predecessors": 14848}),
    ("grid", 8, 0, {"expand": 2560, "fold": 7680, "transpose": 1920, "predecessors": 24608}),
    # direction=bottom-up
    ("grid", 2, 5, {"expand": 2560, "fold": 0, "transpose": 0, "predecessors": 0}),
    ("grid", 4, 5, {"expand": 5120, "fold": 2560, "transpose": 1280, "predecessors": 6656}),
    ("grid", 8, 5, {"expand": 10240, "fold": 2560, "transpose": 1920, "predecessors": 6784}),
    # exchange=together, and by-group
    ("pairs", 2, 3, {"plan": 192, "assign": 5120, "all_gather": 2560, "exchange": 3300}),
    ("pairs", 8, 3, {"plan": 1344, "assign": 15360, "all_gather": 7680, "exchange": 6104}),
]
# A predecessor that its owner found itself isn't sent: not more than the formula's, and not less than a share.
LEAST_SHARES = {"exchange": 0.45, "predecessors": 0.2}


@pytest.mark.parametrize("form, ranks, bottom_up, counted", COUNTED)
def test_bytes_are_what_ranks_count(form: str, ranks: int, bottom_up: int,
                                    counted: dict[str, int]) -> None:
    s = searched(ranks, 4096, 96812, 5, bottom_up, 3345, form)
    for step, sent_bytes in counted.items():
        expected = s.grown[f"{step}_sent_bytes"]
        assert LEAST_SHARES.get(step, 1) * expected <= sent_bytes <= expected, step


# The counts of distributed-bfs/persistent in kronecker:scale=25,lengths=unit on two H200s and in
# scale=26 on four: medians over 16 sources, of 7 levels both.
@pytest.mark.parametrize("ranks, reached, bottom_up, exchanged, gathered",
                         [(2, 17052257, 3, 448, 8533150), (4, 32785602, 3.5, 2688, 49220706)])
def test_bytes_of_persistent_are_what_ranks_count(ranks: int, reached: int, bottom_up: float,
                                                  exchanged: int, gathered: int) -> None:
    """At most one level more reads bitmaps than went bottom-up, and bitmaps cover whole stripes."""
    s = searched(ranks, 2**24 * ranks, 2**29 * ranks, 7, bottom_up, reached, "rows", True)
    assert s.grown["exchange_sent_bytes"] == exchanged
    most = s.grown["gather_sent_bytes"]
    assert bottom_up / (bottom_up + 1) * most < gathered < 1.001 * most
    assert most == (bottom_up + 1) * (ranks - 1) * reached / 8


def counted_logs() -> list[tuple[str, dict[str, str], Json]]:
    """Keys, formulas and sums of logs that DistributedStepLog's test writes."""
    logs = json.loads((DATA / "logs" / "counted.json").read_text(encoding="utf-8"))
    return [(log["keys"], log["growth"], search) for log in logs for search in log["searches"]]


@pytest.mark.parametrize("keys, growth, counted", counted_logs())
def test_formulas_of_logs_are_what_ranks_count(keys: str, growth: dict[str, str],
                                               counted: Json) -> None:
    """Predecessors that their owner found itself are not sent, and the source has none. Pieces differ by
    a word. Lists are sent if they are shorter."""
    grown = evaluate(growth, counted)
    logged = [name for name in counted if name in growth]
    assert len(logged) == len(growth) - (5 if "grid" in keys else 3)  # helpers are no columns
    for name in logged:
        if name == "write_vertex_count":
            assert counted[name] == grown[name] - 1
        elif name.startswith(("predecessors_", "exchange_", "extract_vertex")):
            assert 0.2 * grown[name] <= counted[name] <= grown[name] * 1.000001, name
        elif "frontier=auto" in keys and name.startswith(("expand_", "fold_", "transpose_")):
            assert 0.4 * grown[name] <= counted[name] <= 4 * grown[name], name
        else:
            rounding = 0.02 if counted["ranks"] in (6, 9) else 1e-9
            assert counted[name] == pytest.approx(grown[name], rel=rounding), name


def test_barriers_of_persistent_are_a_level_and_a_start() -> None:
    """On two GPUs, a median of 7.5 levels; the first barrier waits for the other's beginning."""
    s = searched(2, 2**23, 258674858, 7.5, 3, 4607263, "rows", True)
    assert s.grown["exchange_sent_bytes"] == 480
    assert counts(s, "exchange") == {"level": 7.5, "start": 1, "message": 7.5}
    assert counts(replace(s, rank_count=8), "exchange")["message"] == 7 * 7.5
    assert counts(replace(s, rank_count=1), "exchange")["start"] == 0


@pytest.mark.parametrize("ranks", [1, 2, 4, 6, 8, 32])
@pytest.mark.parametrize("bottom_up", [0, 4, 7])
def test_nccl_sends_predecessors_of_whole_parts(ranks: int, bottom_up: int) -> None:
    s = having(search(ranks, transfer="nccl"), bottom_up=bottom_up)
    rows, columns, n = round(s.grown["rows"]), s.grown["columns"], s.vertex_count
    sent_bytes = messages = 0.0
    for r in range(rows):
        for c in range(columns):
            if bottom_up < 7:
                sent_bytes += 4 * (n / columns - n / ranks)  # the part but its own piece
                sent_bytes += 4 * n / ranks * (r * columns + c != c * rows + r)
                messages += rows - 1
            if bottom_up > 0:
                sent_bytes += 4 * (n / rows - n / ranks)
                messages += columns - 1
    assert s.grown["predecessors_sent_bytes"] == pytest.approx(sent_bytes)
    assert counts(s, "predecessors")["message"] == messages / ranks


def test_groups_in_sequence_exchange_one_after_the_other() -> None:
    """A rank's bytes are in two of the B exchanges that it waits for."""
    s = search(32, "pairs")
    together = counts(s, "exchange")
    in_sequence = counts(search(32, "pairs", exchange="by-group"), "exchange")
    assert [terms["message"] for terms in (together, in_sequence)] == [7 * 2 * 7, 7 * 8 * 7]
    assert together["byte"] * 32 == 4 * s.sums["frontier_count"] * 7 / 8
    assert in_sequence["byte"] == 4 * together["byte"]


@pytest.mark.parametrize("ranks", range(1, 40))
def test_grid_is_the_partitions(ranks: int) -> None:
    s = search(ranks)
    rows, columns = round(s.grown["rows"]), s.grown["columns"]
    assert rows * columns == ranks and rows >= columns
    assert all(ranks % c for c in range(columns + 1, math.isqrt(ranks) + 1))
    kept = sum(r * columns + c == c * rows + r for r in range(rows) for c in range(columns))
    assert s.grown["kept"] == pytest.approx(kept / ranks)
    whole_rows = search(ranks, "rows", persistent=True).grown
    assert (whole_rows["rows"], whole_rows["columns"]) == (ranks, 1)


@pytest.mark.parametrize("form", ["grid", "rows"])
@pytest.mark.parametrize("ranks", [1, 2, 4, 8, 32])
def test_peers_read_the_other_pieces_of_row_and_column(form: str, ranks: int) -> None:
    s = search(ranks, form, 15, persistent=True)
    rows, columns = round(s.grown["rows"]), s.grown["columns"]
    pieces = 0
    for r in range(rows):
        for c in range(columns):
            of_row = {r * columns + m for m in range(columns)}
            of_column = {c * rows + m for m in range(rows)}
            own = {r * columns + c}
            pieces += len(of_row - own) + len(of_column - own)
    # Half the vertices are reached; behind 4 levels bottom-up, and lists for a fifth.
    assert s.grown["gather_sent_bytes"] == pytest.approx(5 * pieces * 2**14 / 8)
    assert having(s, bottom_up=0).grown["gather_sent_bytes"] == 0


@pytest.mark.parametrize("form, counts, beyond", [("grid", (1, 2, 4, 8), 1024),
                                                  ("pairs", (2, 8, 32, 128), 2048)])
def test_costs_that_were_put_in_come_out(form: str, counts: tuple[int, ...], beyond: int) -> None:
    model = fitted(counts, form)
    expected = {step: true_time(step, search(beyond, form)) for step in STEPS[form]}
    assert model.times_ns(beyond) == pytest.approx(expected, rel=1e-6)
    assert costs(model, "plan") == pytest.approx(
        {"level": 4e3, "call": 6e3, "round": 2e3} if form == "grid"
        else {"level": 10e3, "round": 2e3})  # of pairs there is no one rank that calls nobody
    assert model.predicted_rank_counts()[-1] == beyond


def test_messages_and_bytes_are_told_apart_by_other_shares() -> None:
    """With the same number of vertices for each rank they grow alike."""
    model = fitted((1, 2, 4, 8))
    assert "byte_count" not in model.fits["fold"].costs
    cells = [cell_of(search(count, scale=scale)) for count in (1, 2, 4, 8) for scale in (12, 14)]
    fold = costs(scaling.fit("", cells), "fold")
    assert fold == pytest.approx({"level": 4e3, "call": 6e3, "message": 1.5e3, "byte": 0.5})


def test_what_was_not_told_apart_is_not_predicted() -> None:
    """Up to 4 ranks R and C are at most 2, so messages and calls are equal in number."""
    model = fitted((1, 2, 4))
    assert costs(model, "expand").keys() == {"level", "call"}
    assert model.wanted_rank_counts() == [16, 64, 1024] and model.predicted_rank_counts() == []
    undetermined = model.undetermined(1024)
    sent = ["call_count", "message_count", "byte_count"]
    assert undetermined["expand"] == undetermined["fold"] == sent
    assert undetermined["transpose"] == ["call_count", "byte_count"] and "plan" not in undetermined
    assert model.undetermined(4) == {}
    expected = true_time("expand", search(1024))
    assert model.times_ns(1024)["expand"] < 0.2 * expected  # what it would have said
    told_apart = fitted((1, 2, 4, 8))
    assert told_apart.undetermined(1024) == {}
    assert told_apart.times_ns(1024)["expand"] == pytest.approx(expected)
    # A term in which no cell has a part.
    alone = scaling._fit_step(told_apart, "expand", told_apart.measured[:1])
    assert alone.undetermined(search(1)) == []
    assert alone.undetermined(search(2)) == sent


def test_as_many_costs_as_cells_predict_nothing() -> None:
    """Three barriers' costs fit any three cells' times. A fourth cell can contradict them."""
    model = fitted((1, 2, 4), "rows", persistent=True)
    assert costs(model, "exchange") == pytest.approx(
        {"level": 4e3, "start": 8e4, "message": 1.5e3})
    assert model.undetermined(1024) == {} and model.exact_steps() == ["exchange", "gather"]
    assert model.wanted_rank_counts() == [16, 64, 1024] and model.predicted_rank_counts() == []
    model = fitted((1, 2, 4, 8), "rows", persistent=True)
    assert model.exact_steps() == [] and model.predicted_rank_counts() == [16, 64, 1024]
    expected = {step: true_time(step, search(1024, "rows", persistent=True))
                for step in PERSISTENT}
    assert model.times_ns(1024) == pytest.approx(expected)


def test_a_wrong_model_is_found_out() -> None:
    counts = (1, 2, 4, 8, 16)
    model = fitted(counts, time=lambda step, s: 1e4 * s.rank_count**2)
    (ranks, error) = model.errors()[-1]
    assert ranks == 16 and error < -0.5 and model.largest_factor() > 2
    (ranks, error) = fitted(counts).errors()[-1]
    assert ranks == 16 and abs(error) < 1e-6


def test_growth_of_communication() -> None:
    model = fitted((1, 2, 4, 8))
    sending = [step for step in STEPS["grid"] if step != "search"]
    low, high = (sum(true_time(step, search(count)) for step in sending) for count in (64, 1024))
    assert model.growth(64, 1024) == pytest.approx(math.log(high / low) / math.log(16))
    # In bytes alone, two dimensions grow with the square root; groups in sequence linearly.
    def of_bytes(step: str, s: Search) -> float:
        return {"assign": 2, "all_gather": 1}.get(step, 0) * s.grown["spread"] * s.grown["bitmap"]

    together = fitted((2, 8, 32), "pairs", of_bytes).growth(128, 2048)
    in_sequence = fitted((2, 8, 32), "pairs", of_bytes, exchange="by-group").growth(128, 2048)
    assert together == pytest.approx(0.5, abs=0.05)
    assert in_sequence == pytest.approx(1, abs=0.05)


def test_costs_are_never_negative() -> None:
    counts = numpy.array([[1.0, 1], [1, 2], [1, 4]])
    times = numpy.array([9.0, 6, 2])
    alone = (1 / times).sum() / (1 / times**2).sum()  # of relative errors
    assert scaling.least_squares(counts, times) == [pytest.approx(alone), 0]
    assert scaling.least_squares(counts, numpy.zeros(3)) == [0, 0]
    doubled = numpy.array([[1.0, 2], [2, 4], [3, 6]])
    assert scaling.least_squares(doubled, numpy.array([2.0, 4, 6])) == [pytest.approx(2), None]


def test_units_of_counts_do_not_matter() -> None:
    levels, arcs = numpy.array([7.0, 7, 7]), numpy.array([4e8, 3.9e8, 3.8e8])
    times = 4e3 * levels + 0.1 * arcs
    assert scaling.least_squares(numpy.array([arcs, levels]).T, times) == [
        pytest.approx(0.1), pytest.approx(4e3)]
    assert scaling.least_squares(numpy.array([levels, 1e8 * levels]).T, times)[1] is None


def test_no_model_of_few_ranks_or_of_shared_places() -> None:
    model = fitted((1, 8))
    assert not model.fits and model.reason.startswith("2 rank counts (1, 8) measured")
    cells = [cell_of(search(count), shared=("pu P#0",) if count > 2 else ())
             for count in (1, 2, 4, 8)]
    model = scaling.fit("", cells)
    assert not model.fits and "With 4, 8 ranks several shared pu P#0" in model.reason
    model = scaling.fit("", [*cells, cell_of(search(16)), cell_of(search(64))])
    assert [cell.search.rank_count for cell in model.fitted] == [1, 2, 16, 64]
    assert model.predicted_rank_counts() == [1024]


# Steps that no code knows, and their log. The second runs once in each search.
GROWTH = {"columns": "middle_divisor(ranks)", "neighbours": "columns + ranks / columns - 2",
          "dig_arc_count": "arc_count", "dig_up_message_count": "phase_count * ranks * neighbours",
          "dig_up_sent_bytes": "phase_count * vertex_count / 8 * neighbours",
          "dig_up_message_bytes": "dig_up_sent_bytes"}
DUG = ["dig", "dig_up"]


def dug(step: str, s: Search) -> float:
    return {"dig": 4e3 * 7 + 0.1 * s.sums["arc_count"] / s.rank_count,
            "dig_up": 9e3 * 7 + 1.5e3 * 7 * evaluate(GROWTH, {"ranks": s.rank_count, **s.sums})[
                "neighbours"]}[step]


def counting(names: tuple[str, str] = ("dig", "dig_up"), growth: dict[str, str] = GROWTH,
             factor: float = 1) -> Json:
    """A result whose logs have counts of their own, `factor` of what their formulas give."""
    result = ranked()
    renamed = {f"{old}_": f"{new}_" for old, new in zip(DUG, names)}

    def named(text: str) -> str:
        for old, new in sorted(renamed.items(), reverse=True):  # the longer one first
            if text.startswith(old):
                return new + text.removeprefix(old)
        return text

    for cell in result["cells"]:
        n = cell["rank_count"] * 2**SCALE
        s = Search(cell["rank_count"], {"vertex_count": n, "arc_count": 27 * n, "phase_count": 7},
                   GROWTH)
        columns = {f"{step}_{which}_ns": dug(step, s) for step in DUG
                   for which in ("least", "median", "largest")}
        columns |= {name: round(value * factor) for name, value in s.grown.items()
                    if name.startswith("dig_")}
        columns = {named(name): value for name, value in columns.items()}
        cell.update(variant="a-problem/of-mine", parameters={})
        cell["phase_log"].update(columns=list(columns), growth={
            named(name): named(text) for name, text in growth.items()})
        cell["phase_log"]["queries"][0]["columns"] = {
            name: {"sum": round(value), "largest": 1, "late_largest": 1}
            for name, value in columns.items()}
    return result


def test_steps_are_fitted_to_their_own_counts() -> None:
    [model] = scaling.models(counting())
    assert model.steps == DUG and model.predicted_rank_counts() == [16, 64, 1024]
    assert costs(model, "dig").keys() == {"phase"}  # as many arcs a rank everywhere
    assert costs(model, "dig_up") == pytest.approx({"phase": 9e3, "message": 1.5e3}, rel=1e-3)
    s = model.base.with_ranks(1024)
    assert model.times_ns(1024) == pytest.approx({step: dug(step, s) for step in DUG}, rel=1e-3)
    assert model.sends("dig_up") and not model.sends("dig")
    assert [model.unit(term) for term in model.terms("dig_up")] == [
        "a phase", "a message", "a byte of messages"]


def test_a_renamed_step_has_the_same_fit() -> None:
    [model], [renamed] = scaling.models(counting()), scaling.models(counting(("search", "fold")))
    assert renamed.steps == ["search", "fold"]
    for old, new in zip(DUG, renamed.steps):
        assert costs(renamed, new) == costs(model, old)
        assert renamed.errors(new) == model.errors(old)
    assert list(renamed.times_ns(1024).values()) == list(model.times_ns(1024).values())


def test_counts_grow_from_what_was_counted() -> None:
    """The formula gives the factor, and the log the number."""
    [model], [half] = scaling.models(counting()), scaling.models(counting(factor=0.5))
    for count in (1, 8, 64):
        s, of_half = (m.base.with_ranks(count) for m in (model, half))
        assert of_half.count("dig_up_message_count") == s.count("dig_up_message_count") / 2
        assert of_half.count("dig_up_phase_count") == s.count("dig_up_phase_count") == 7
    assert half.times_ns(64) == pytest.approx(model.times_ns(64))


def uncounted() -> Json:
    result = counting(("search", "fold"))
    for cell in result["cells"]:
        cell["phase_log"]["columns"].remove("search_arc_count")
        del cell["phase_log"]["queries"][0]["columns"]["search_arc_count"]
    return result


def test_a_step_without_counts_is_not_guessed(tmp_path: Path) -> None:
    [model] = scaling.models(uncounted())
    assert model.uncounted_steps() == ["search"] and list(model.fits) == ["fold"]
    assert model.predicted_rank_counts() == []
    assert [ranks for ranks, _ in model.errors()] == [1, 2, 4, 8]  # of what is fitted
    report.write([uncounted()], tmp_path)
    page = html.unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    for text in (page, markdown):
        assert "not fitted: the log has no counts of this step" in text
        assert ("No prediction for 16, 64, 1024 ranks: the log has no counts of these steps: "
                "search.") in text
        assert "Steps that are not in it, because the log has no counts of them: search." in text
    assert "| search | 1.000 |" not in markdown and "| no counts |" in markdown


def test_a_log_that_counts_nothing_has_no_model() -> None:
    result = counting(growth={})
    for cell in result["cells"]:
        log = cell["phase_log"]
        log["columns"] = [name for name in log["columns"] if name.endswith("_ns")]
    [model] = scaling.models(result)
    assert not model.fits and model.reason.startswith("the phase log has no counts of its steps")


def test_counts_without_growth_are_fitted_and_not_predicted(tmp_path: Path) -> None:
    growth = {name: text for name, text in GROWTH.items() if name != "dig_up_message_count"}
    [model] = scaling.models(counting(growth=growth))
    assert costs(model, "dig_up") == pytest.approx({"phase": 9e3, "message": 1.5e3}, rel=1e-3)
    assert model.ungrown() == {"dig_up": ["message_count"]}
    assert model.wanted_rank_counts() == [16, 64, 1024] and model.predicted_rank_counts() == []
    report.write([counting(growth=growth)], tmp_path)
    assert ("the log does not say how these counts grow with the ranks (dig_up: message)."
            in (tmp_path / "report.md").read_text(encoding="utf-8"))


def test_rank_counts_that_a_variant_does_not_take() -> None:
    [model] = scaling.models(counting(growth={"takes": "log2(ranks) % 2 == 1"} | GROWTH))
    assert model.wanted_rank_counts() == [32, 128, 2048]
    assert model.rank_counts_up_to(128) == [2, 8, 32, 128]
    assert model.most_ranks is None
    [model] = scaling.models(counting(growth={"most_ranks": "4 * 8"} | GROWTH))
    assert model.most_ranks == 32 and model.rank_counts_up_to(9) == [1, 2, 4, 8]


def test_formulas() -> None:
    def value(text: str, **names: float) -> float:
        return evaluate({"it": text}, names)["it"]

    assert value("2 * (a + 1) ** 2 / 4 - -1 % 3", a=3) == 6
    assert value("(a > 1) + (a >= 3) + (a < 2) + (a == 3) + (a != 3)", a=3) == 3
    assert value("max(log2(8), sqrt(4), ceil(2.5), gcd(8, 12), min(9, 7))") == 7
    assert [value("middle_divisor(a)", a=a) for a in (1, 2, 12, 36, 37)] == [1, 1, 3, 6, 1]
    assert evaluate({"b": "a + 1", "c": "b * 2"}, {"a": 1}) == {"b": 2, "c": 4}


@pytest.mark.parametrize("text, said", [
    ("b + 1", "unknown name 'b'"), ("exit(1)", "unknown name 'exit'"), ("a +", "not a formula"),
    ("'a'", "not a formula"), ("a.real", "not a formula"), ("[a]", "not a formula"),
    ("True", "not a formula"), ("a // 2", "unknown name"), ("a(1)", "unknown name 'a'"),
    ("1 / (a - a)", "has no value"), ("log2(a - 9)", "has no value")])
def test_faults_of_formulas(text: str, said: str) -> None:
    with pytest.raises(InputFault, match="growth of it: ") as fault:
        evaluate({"it": text, "b": "1"}, {"a": 2})
    assert said in str(fault.value)


def test_a_steps_time_of_zero_is_no_fault() -> None:
    model = fitted((1, 2, 4, 8), time=lambda step, s: 0)
    assert set(model.times_ns(64).values()) == {0} and model.errors() == []
    assert model.growth(64, 1024) is None and model.largest_factor() is None


def test_models_of_a_result() -> None:
    [model] = scaling.models(ranked())
    assert model.steps == STEPS["grid"] and model.name == "distributed-bfs/hybrid:form=grid"
    assert [cell.search.grown for cell in model.measured] == [
        search(count).grown for count in (1, 2, 4, 8)]
    assert scaling.models(load(DATA / "curve.json")) == []
    by_gpu = ranked()
    by_gpu["cells"][0]["parameters"]["transfer"] = "nccl"
    assert [cell.search.growth == older_growth("grid", transfer="nccl")
            for cell in scaling.models(by_gpu)[0].measured] == [True, False, False, False]
    without = ranked()
    for cell in without["cells"]:
        cell["phase_log"] = None
    assert scaling.models(without) == []
    lacking = ranked()
    lacking["cells"][0]["phase_log"]["queries"] = []
    assert [cell.search.rank_count for cell in scaling.models(lacking)[0].measured] == [2, 4, 8]


def test_each_family_has_a_default_form() -> None:
    """Which its variants' names and parameters leave out."""
    def growth(variant: str, parameters: dict[str, str]) -> dict[str, str]:
        return of_older_log({"variant": variant, "parameters": parameters})[0]

    assert growth("distributed-bfs/hybrid:alpha=15", {}) == older_growth("grid")
    assert growth("distributed-bfs/persistent:alpha=60", {}) == older_growth("rows", True)
    assert growth("distributed-bfs/persistent", {"form": "grid"}) == older_growth("grid", True)
    assert growth("distributed-bfs/other", {}) == {}


def test_models_have_names_of_their_own() -> None:
    result = ranked()
    for cell in ranked()["cells"]:
        result["cells"].append(cell)
        cell["variant"] += ",direction=top-down"
    cells = result["cells"]
    variants = ["distributed-bfs/hybrid:form=grid",
                "distributed-bfs/hybrid:form=grid,direction=top-down"]
    assert [model.name for model in scaling.models(result)] == variants
    result["cells"] = [copy.deepcopy(cell) | {"axes": cell["axes"] | {"threads": threads}}
                       for threads in (1, 2) for cell in cells]
    result["experiment"]["axes"]["threads"] = [1, 2]
    assert [model.name for model in scaling.models(result)] == [
        f"{variant}, threads {threads}" for threads in (1, 2) for variant in variants]
    # One variant for each value needs no more than that.
    result["cells"] = [cell for cell in result["cells"]
                       if (cell["variant"] == variants[0]) == (cell["axes"]["threads"] == 1)]
    assert [model.name for model in scaling.models(result)] == ["threads 1", "threads 2"]


def test_both_forms_of_a_report_have_the_model(tmp_path: Path) -> None:
    report.write([ranked()], tmp_path)
    page = html.unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    section = markdown[markdown.index("### Scaling model"):]
    times = {step: true_time(step, search(1024)) for step in STEPS["grid"]}
    binding = max(times, key=times.__getitem__)
    for text in (page, section):
        assert "A prediction decides no verdict." in text
        assert f"With 1024 ranks {binding} binds: {times[binding] * 1e-6:#.4g} of " in text
        assert "Fitted to 1, 2, 4, 8 ranks, all on one host (here)" in text
        assert "the time of a network is not in it. The largest error of a held-out sum" in text
    [row] = [line for line in section.splitlines() if line.startswith("| 4 | 65536 | fold |")]
    assert row.endswith("| 57344 | 57344 | 1.000 |")
    assert (tmp_path / "figures" / "fixture-ranks-scaling.svg").stat().st_size > 10_000
    assert "figures/fixture-ranks-scaling.svg" in section and page.count("<img") == 3


def test_a_report_says_why_there_is_no_model(tmp_path: Path) -> None:
    report.write([ranked(shared=(4, 8))], tmp_path)
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "No model: 2 rank counts (1, 2) measured in places of their own" in markdown
    assert "binds" not in markdown and "| no model | 57344 | 57344 | 1.000 |" in markdown
    assert not (tmp_path / "figures" / "fixture-ranks-scaling.svg").exists()


def test_a_report_says_why_nothing_is_predicted(tmp_path: Path) -> None:
    report.write([ranked((1, 2, 4))], tmp_path)
    page = html.unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    for text in (page, markdown):
        assert ("There is no prediction beyond the measured ranks. No prediction for 16, 64, 1024 "
                "ranks: on 1, 2, 4 ranks some counts of a step grew alike") in text
        assert "(expand: call, message, byte; fold: call, message, byte; " in text
        assert "binds" not in text and "Takes most" not in text
    assert (tmp_path / "figures" / "fixture-ranks-scaling.svg").stat().st_size > 10_000


def test_a_report_of_persistent_says_how_many_ranks_it_takes(tmp_path: Path) -> None:
    report.write([ranked(form="rows", persistent=True)], tmp_path)
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "binds: " in markdown and " The search takes up to 32 ranks. Larger numbers" in markdown
    report.write([ranked((1, 2, 4), "rows", persistent=True)], tmp_path)
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert ("There is no prediction beyond the measured ranks. No prediction for 16, 64, 1024 ranks: "
            "on 1, 2, 4 ranks a step has one cost for each "
            "number of ranks (exchange, gather). ") in markdown
    assert "binds" not in markdown and "up to 32 ranks" not in markdown


def test_figure_of_a_model() -> None:
    result = ranked()
    [model] = scaling.models(result)
    drawn = figures.draw_model(model, result)
    [axes] = drawn.figure.axes
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        *STEPS["grid"], "all steps"]
    lines = [line for line in axes.lines if len(line.get_xdata()) == 11]
    points = [line for line in axes.lines if len(line.get_xdata()) == 4]
    assert len(lines) == len(STEPS["grid"]) + 1 and len(points) >= len(lines) - 3
    assert list(lines[-1].get_ydata()[:4]) == pytest.approx(list(points[-1].get_ydata()), rel=1e-3)
    assert "measured up to 8; the model at 1024: plan " in drawn.alt
    factor = f"{model.largest_factor():.3g}"
    assert drawn.notes[0].endswith(f"predicted from the others is a factor of {factor}.")
    cells = [*model.measured, cell_of(search(8, scale=12))]
    uneven = figures.draw_model(scaling.fit("", cells), result)
    assert uneven.notes[-1:] == ["Cells with other numbers of vertices a rank are not shown: 1."]


def test_stacks_of_steps_are_the_sums() -> None:
    result = ranked()
    [model] = scaling.models(result)
    drawn = figures.draw_stacks(model, result)
    assert drawn.data is not None
    for cell, place in zip(model.fitted, drawn.data["x"]["names"]):
        for bar, total in (("measured", model.total_ns(cell)),
                           ("model", sum(fit.time_ns(cell.search) for fit in model.fits.values()))):
            parts = [point["y"] for series in drawn.data["series"] for point in series["points"]
                     if (point["x"], point["bar"]) == (place, bar)]
            assert sum(parts) == pytest.approx(total * 1e-6, rel=1e-4)


def test_figures_of_steps_have_units_and_graphs_their_scales() -> None:
    result = ranked()
    [drawn] = figures.draw(result)
    [axes] = drawn.figure.axes
    assert axes.get_ylabel() == "Fold time, median rank,\nsum over phases (ms)"
    assert axes.get_legend().get_texts()[0].get_text() == "form grid"
    assert axes.get_legend().get_title().get_text() == \
        "Fixture Xenon 9000, kronecker:scale=14..17"
    assert list(axes.lines[0].get_ydata()) == pytest.approx(
        [true_time("fold", search(count)) * 1e-6 for count in (1, 2, 4, 8)], rel=1e-4)
    result["experiment"]["figure"]["metric"] = "phase_log.fold_sent_bytes.sum"
    [axes] = figures.draw(result)[0].figure.axes
    assert axes.get_ylabel() == "Fold sent, sum over phases (MiB)"
    result["experiment"]["figure"]["metric"] = "teps.median"
    for index, cell in enumerate(result["cells"]):
        cell["teps"] = {"median": {"median": 1e9 + index}}
    [axes] = figures.draw(result)[0].figure.axes
    assert axes.get_legend().get_texts()[-1].get_text() == "highest measured, at 8"
