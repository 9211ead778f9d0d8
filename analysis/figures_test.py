"""The figures' artists: a bar, point and label for each value, each in place."""

from __future__ import annotations

import copy
import warnings
from pathlib import Path

import matplotlib
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import BarContainer, ErrorbarContainer

import figures
from canvas import STYLE, WHITE, look, ratio_ticks
from charts import HOLLOW
from load import Json, load
from load_test import failed

DATA = Path(__file__).parent / "testdata"


@pytest.fixture
def bars() -> Json:
    return load(DATA / "bars.json")


@pytest.fixture
def curve() -> Json:
    return load(DATA / "curve.json")


@pytest.fixture
def phases() -> Json:
    return load(DATA / "phases.json")


@pytest.fixture
def placement() -> Json:
    return load(DATA / "placement.json")


def drawn(result: Json) -> figures.Drawn:
    [figure] = figures.draw(result)
    assert figure is not None
    return figure


def axes_of(result: Json) -> Axes:
    return drawn(result).figure.axes[0]


def heights(axes: Axes) -> list[float]:
    """The ends of bars. Bars of ratios begin at 1."""
    return [bar.get_y() + bar.get_height() for group in axes.containers if isinstance(group, BarContainer)
            for bar in group]


def whiskers(axes: Axes) -> list[tuple[float, float]]:
    """(low, high) of every error bar."""
    found = []
    for group in axes.containers:
        if isinstance(group, ErrorbarContainer):
            (low, high), = [segment[:, 1] for segment in group.lines[2][0].get_segments()]
            found.append((low, high))
    return found


def legend(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_bars_of_ratios_begin_at_1_beside_the_papers(bars: Json) -> None:
    axes = axes_of(bars)
    measured = [1.0461, 1.1352, 1 / 0.8713, 1]
    paper = [1 / (1 + gain / 100) for gain in (-5.36, -20.58, 0.0, -21.34)]
    assert sorted(heights(axes)) == pytest.approx(sorted(measured + paper))
    assert {bar.get_y() for group in axes.containers if isinstance(group, BarContainer)
            for bar in group} == {1} and axes.get_yscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        "heap-dynamic", "heap", "radix"]
    assert texts(axes).count("not measured") == 2 and texts(axes).count("reference") == 1
    assert legend(axes) == ["width 32", "width 32: Oldtown, USA (paper)", "width 64",
                            "width 64: Oldtown, USA (paper)", "1x: queue = heap, width = 32"]
    assert axes.get_legend().get_title().get_text() == "Fixture Xenon 9000, USA-road-d.NY"
    assert axes.get_xlabel() == "queue"
    assert axes.get_ylabel() == "Time relative to\nqueue = heap, width = 32"


def test_texts_lie_within_the_axes(bars: Json) -> None:
    axes = axes_of(bars)
    axes.figure.draw_without_rendering()
    frame = axes.get_window_extent()
    for text in axes.texts:
        box = text.get_window_extent()
        assert frame.y0 - 1 <= box.y0 and box.y1 <= frame.y1 + 1, text.get_text()


def test_failed_cells_are_drawn_once_and_without_times(tmp_path: Path) -> None:
    bars = failed(DATA / "bars.json", 2, tmp_path)
    figure = drawn(bars)
    axes = figure.figure.axes[0]
    assert len(heights(axes)) == 3 + 4 and texts(axes).count("not measured") == 3
    assert "Not measured: queue heap-dynamic width 64; queue radix width 32; queue radix width 64." \
        in figure.notes
    bars["experiment"]["figure"]["metric"] = "memory.accounted_bytes"
    assert texts(axes_of(bars)).count("not measured") == 3
    spec = bars["experiment"]["figure"]
    del spec["x"], spec["series"]
    figure = drawn(bars)
    assert len(figure.figure.axes[0].get_xticklabels()) == 6
    assert "queue=heap-dynamic, width=64; queue=radix, width=32" in figure.notes[-1]


def test_figures_of_some_cells_say_which_failed(tmp_path: Path) -> None:
    bars = failed(DATA / "bars.json", 2, tmp_path)
    bars["experiment"]["figure"]["where"] = {"width": 64}
    del bars["experiment"]["figure"]["relative_to"]
    [said] = figures.refused(bars)
    assert figures.draw(bars) == [], "one bar is no picture"
    assert "Time per query (ms): 9.11, on Fixture Xenon 9000, USA-road-d.NY." in said
    assert said.endswith("Not measured: queue heap-dynamic width 64; queue radix width 64.")


def test_nothing_is_relative_to_a_failed_cell(tmp_path: Path) -> None:
    axes = axes_of(failed(DATA / "bars.json", 1, tmp_path))
    assert sorted(heights(axes)) == pytest.approx([8.31, 9.02, 9.11])
    assert axes.get_ylabel() == "Time per query (ms)"


def test_cells_whose_own_reference_failed_say_so(tmp_path: Path) -> None:
    bars = failed(DATA / "bars.json", 3, tmp_path)
    bars["experiment"]["figure"].update(relative_to={"queue": "heap"}, paper=[])
    figure = drawn(bars)
    assert texts(figure.figure.axes[0]).count("no reference") == 1
    assert "No reference: queue heap-dynamic width 64." in figure.notes


@pytest.mark.parametrize("count", [2, 3, 6, 12, 40])
@pytest.mark.parametrize("kind", ["bars", "heatmap"])
def test_long_labels_stay_whole(bars: Json, kind: str, count: int) -> None:
    bars["cells"] = [
        {**copy.deepcopy(bars["cells"][0]), "id": f"{number:016x}",
         "label": f"distributed-bfs/hybrid:form=pairs,threads=1,exchange=by-group, ranks={number}",
         "axes": {"system": f"distributed-bfs/hybrid:form=pairs,threads=1,ranks={number}",
                  "row": f"graph=kronecker:scale={number % 2},lengths=unit,another={number % 2}"}}
        for number in range(1, count + 1)]
    bars["not_measured"], bars["comparisons"] = [], []
    bars["experiment"]["figure"] = {"kind": "bars"} if kind == "bars" else {
        "kind": "heatmap", "x": "system", "series": "row"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = drawn(bars).figure
        figure.canvas.draw()
    axes = figure.axes[0]
    labels = [label for label in axes.get_xticklabels() if label.get_text()]
    assert "ranks=1" in labels[0].get_text() and "hybrid:" in labels[0].get_text()
    boxes = [label.get_window_extent() for label in labels]
    width, height = figure.canvas.get_width_height()
    for index, box in enumerate(boxes):
        assert 0 <= box.x0 and box.x1 <= width and 0 <= box.y0 and box.y1 <= height
        assert not any(box.overlaps(other) for other in boxes[:index])
    assert axes.get_window_extent().height > 0.3 * 100


def test_bars_whiskers_are_the_comparisons_intervals(bars: Json) -> None:
    pair = bars["comparisons"][0]
    wanted = pair["ci95_low"], pair["ci95_high"]
    found = whiskers(axes_of(bars))
    assert len(found) == 3
    assert any(low == pytest.approx(wanted[0]) and high == pytest.approx(wanted[1])
               for low, high in found)


@pytest.mark.parametrize("low, high, wanted", [
    (0.96, 1.05, [0.96, 0.98, 1, 1.02, 1.04]), (0.7, 1.3, [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3]),
    (0.5, 2.1, [0.5, 1, 2]),
    (1e-3, 1e5, [0.01, 1, 100, 10000])])
def test_ticks_of_ratios(low: float, high: float, wanted: list[float]) -> None:
    assert ratio_ticks(low, high) == wanted


def test_bars_without_a_comparison_say_so(bars: Json) -> None:
    bars["comparisons"] = []
    figure = drawn(bars)
    assert not whiskers(figure.figure.axes[0])
    assert any(note.startswith("Ratio of medians, no interval") for note in figure.notes)


def test_bars_by_label_with_several_paper_machines(bars: Json) -> None:
    spec = bars["experiment"]["figure"]
    del spec["x"], spec["series"]
    spec["paper"] += [{**point, "label": "Newtown"} for point in spec["paper"][:2]]
    axes = axes_of(bars)
    assert len(heights(axes)) == 4 + 4 + 2
    assert legend(axes)[:3] == ["measured here", "Oldtown, USA (paper)", "Newtown (paper)"]
    assert len(axes.get_xticklabels()) == 6  # the two cells that were not measured have a place


def test_bars_by_label_call_graphs_by_their_short_names(bars: Json) -> None:
    spec = bars["experiment"]["figure"]
    del spec["x"], spec["series"]
    for cell in bars["cells"]:
        cell["label"] = f"graph={cell['graph']}, {cell['label']}"
    labels = [label.get_text() for label in axes_of(bars).get_xticklabels()]
    assert sum("graph=USA-road-d.NY" in label for label in labels) == 4
    assert not any("dimacs:" in label for label in labels)


def test_bars_without_their_reference_show_times(bars: Json) -> None:
    bars["experiment"]["figure"]["relative_to"] = {"queue": "radix", "width": 32}
    figure = drawn(bars)
    axes = figure.figure.axes[0]
    assert sorted(heights(axes)) == pytest.approx([7.94, 8.31, 9.02, 9.11])
    assert axes.get_ylabel() == "Time per query (ms)" and axes.get_ylim()[0] == 0
    assert any("was not measured" in note for note in figure.notes)
    assert any("names no unit" in note for note in figure.notes)


def test_paper_values_with_a_unit_join_absolute_bars(bars: Json) -> None:
    spec = bars["experiment"]["figure"]
    del spec["relative_to"]
    spec["paper"] = [{"label": "Oldtown", "where": {"queue": "heap", "width": 32}, "value": 0.02,
                      "unit": "s"}]
    assert sorted(heights(axes_of(bars))) == pytest.approx([7.94, 8.31, 9.02, 9.11, 20.0])


def test_memory_bars(bars: Json) -> None:
    spec = bars["experiment"]["figure"]
    spec["metric"] = "memory.resident_bytes"
    spec["paper"] = []
    del spec["relative_to"]
    axes = axes_of(bars)
    assert sorted(heights(axes)) == pytest.approx(
        [size * 1.25 / 2**20 for size in (6e6, 6.5e6, 9e6)])
    assert axes.get_ylabel() == "Resident memory (MiB)"
    assert texts(axes).count("not measured") == 3


def test_curve_points_paper_and_band(curve: Json) -> None:
    figure = drawn(curve)
    axes = figure.figure.axes[0]
    ours = next(line for line in axes.lines if line.get_linestyle() == "-" and
                len(line.get_xdata()) == 7)
    assert list(ours.get_xdata()) == [2, 3, 4, 6, 8, 14, 32]
    assert list(ours.get_ydata()) == pytest.approx([1, 0.978, 0.951, 1.004, 1.031, 1.12, 1.33])
    paper = next(line for line in axes.lines if line.get_linestyle() == "--")
    assert list(paper.get_xdata()) == [2, 3, 4, 5, 6, 8, 14, 20, 32]
    assert paper.get_ydata()[0] == 1 and paper.get_ydata()[-1] == pytest.approx(7.30 / 5.55)
    assert legend(axes) == ["measured here", "Oldtown, USA (paper)", "lowest measured, at 4",
                            "1x: arity = 2"]
    assert len(whiskers(axes)) == 4 and len(axes.collections) >= 1
    hollow = next(line for line in axes.lines if line.get_markerfacecolor() == WHITE)
    assert list(hollow.get_xdata()) == [14, 32]
    assert axes.get_xscale() == "log" and axes.get_ylabel() == "Time relative to\narity = 2"
    assert HOLLOW in figure.notes and "Not measured: arity 64." in figure.notes


def test_curve_of_a_family_on_a_logarithmic_axis(curve: Json) -> None:
    spec = curve["experiment"]["figure"]
    del spec["relative_to"]
    spec["y_scale"] = "log"
    spec["paper"] = [{"label": "Oldtown, USA", "x": [2, 4, 5], "value": [17.8, 19.4, 29.2],
                      "unit": "ms"}]
    for row in curve["cells"] + curve["not_measured"]:
        row["axes"] |= {"graph": "square:scale={scale},lengths=uniform:0..4^{arity}", "scale": 9}
    axes = axes_of(curve)
    assert axes.get_yscale() == "log"
    paper = next(line for line in axes.lines if line.get_linestyle() == "--")
    assert list(paper.get_xdata()) == [2, 4, 5]
    assert list(paper.get_ydata()) == pytest.approx([17.8, 19.4, 29.2])
    assert axes.get_legend().get_title().get_text() == \
        "Fixture Xenon 9000, square:scale=9,lengths=uniform:0..4^(2..32)"
    assert axes.get_xlabel() == "largest length 4^arity"


def test_curve_of_some_cells(curve: Json) -> None:
    curve["experiment"]["figure"]["where"] = {"arity": [2, 4, 8]}
    ours = next(line for line in axes_of(curve).lines if line.get_linestyle() == "-"
                and len(line.get_xdata()) > 1)
    assert list(ours.get_xdata()) == [2, 4, 8]


def test_the_papers_values_alone_are_no_figure(curve: Json) -> None:
    for cell in curve["cells"]:
        cell["wall_ns"] = None
    del curve["experiment"]["figure"]["relative_to"]
    for point in curve["experiment"]["figure"]["paper"]:
        point["unit"] = "s"
    assert figures.draw(curve) == []


def test_several_figures(bars: Json) -> None:
    spec = bars["experiment"]["figure"]
    bars["experiment"]["figure"] = [spec, {**spec, "title": "Another"}]
    assert [drawn.title for drawn in figures.draw(bars)] == [spec["title"], "Another"]


def test_curve_paper_without_a_reference_value_is_left_out(curve: Json) -> None:
    spec = curve["experiment"]["figure"]
    spec["paper"] = [point for point in spec["paper"] if point["x"] != 2]
    figure = drawn(curve)
    assert len(legend(figure.figure.axes[0])) == 3
    assert any("has no value at arity = 2" in note for note in figure.notes)


def test_curve_over_words_becomes_bars(placement: Json) -> None:
    placement["experiment"]["figure"]["kind"] = "curve"
    figure = drawn(placement)
    assert len(heights(figure.figure.axes[0])) == 11
    assert figure.notes[0] == "Drawn as bars: 'placement' is not a numeric axis of every cell."


def test_heatmap_cells(placement: Json) -> None:
    axes = axes_of(placement)
    grid = axes.images[0].get_array()
    assert grid.shape == (3, 4)
    assert grid[0, 1] == pytest.approx(42.8) and int(grid.mask.sum()) == 1
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "queue heap", "queue dial", "queue radix"]
    assert texts(axes).count("not\nmeasured") == 1 and len(texts(axes)) == 12


def test_heatmap_of_one_axis_becomes_bars_with_intervals(placement: Json) -> None:
    placement["cells"] = [c for c in placement["cells"] if c["axes"]["queue"] == "heap"]
    placement["not_measured"] = []
    axes = axes_of(placement)
    assert heights(axes) == pytest.approx([40, 42.8, 45.6, 48.4])
    assert whiskers(axes)[0] == pytest.approx((39.6, 40.4))
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        f"core:{core}" for core in range(4)]


def test_many_categories_are_thinned(placement: Json) -> None:
    cell = placement["cells"][0]
    placement["cells"] = [{**cell, "id": f"{core:016x}", "axes": {"placement": f"core:{core}"}}
                          for core in range(96)]
    placement["not_measured"] = []
    axes = axes_of(placement)
    assert len(heights(axes)) == 96 and len(axes.get_xticklabels()) == 32


def lines_of(axes: Axes) -> list:
    return [line for line in axes.lines if len(line.get_xdata()) > 0]


def test_phases_of_several_cells_show_one_query_each(phases: Json) -> None:
    figure = drawn(phases)
    axes, other = figure.figure.axes
    first, second = lines_of(axes)
    rows = phases["cells"][0]["phase_log"]["first_queries"][0]["rows"]
    assert list(first.get_xdata()) == list(range(1, 13)) == list(second.get_xdata())
    assert list(first.get_ydata()) == pytest.approx([row[2] / 1000 for row in rows])
    assert axes.get_yscale() == "log" and axes.get_ylabel() == "Host time (us)"
    assert other.get_ylabel() == "Updated vertices" and len(other.collections) == 1
    assert legend(axes) == ["vertices=all", "vertices=updated", "Updated vertices (right)"]
    assert figure.notes == ["Query: source 11.", "Measured on Fixture Xenon 9000, road."]
    assert "12 phases, largest 9 in phase 1" in figure.alt


def test_phases_of_one_cell_show_a_line_a_query(phases: Json) -> None:
    phases["experiment"]["figure"] = {"kind": "phases", "column": "updated_count",
                                      "where": {"vertices": "updated"}}
    figure = drawn(phases)
    (axes,) = figure.figure.axes
    assert legend(axes) == [f"source {source}" for source in (11, 22, 33, 44, 55)]
    log = phases["cells"][1]["phase_log"]["first_queries"]
    for line, entry in zip(lines_of(axes), log):
        assert list(line.get_ydata()) == [row[0] for row in entry["rows"]]
    assert axes.get_yscale() == "linear" and axes.get_ylabel() == "Updated vertices"


def test_phases_without_a_log_say_so(phases: Json) -> None:
    phases["cells"][0]["phase_log"] = None
    figure = drawn(phases)
    assert len(lines_of(figure.figure.axes[0])) == 1
    assert "No phase log with host_ns: vertices=all." in figure.notes
    phases["cells"][1]["phase_log"] = None
    assert figures.draw(phases) == []
    del phases["cells"][1]["phase_log"]  # a result from before there were logs
    assert figures.draw(phases) == []


def test_cumulative_shares_of_phases_beside_the_papers(phases: Json) -> None:
    phases["experiment"]["figure"] = {
        "kind": "cumulative", "column": "updated_count", "where": {"vertices": "updated"},
        "paper": [{"label": "Oldtown", "x": 100, "value": 0.59}]}
    axes = axes_of(phases)
    ours, paper = lines_of(axes)
    shares = phases["cells"][1]["phase_log"]["shares"]["updated_count"]
    assert list(ours.get_xdata()) == [10**k for k in range(8)]
    assert list(ours.get_ydata()) == pytest.approx([100 * s for s in shares.values()])
    assert (list(paper.get_xdata()), list(paper.get_ydata())) == ([100], [59])
    assert axes.get_xscale() == "log"
    assert legend(axes) == ["road", "Oldtown (paper)"]


def test_cumulative_shares_of_lengths(phases: Json) -> None:
    phases["experiment"]["figure"] = {"kind": "cumulative", "column": "lengths"}
    figure = drawn(phases)
    (line,) = lines_of(figure.figure.axes[0])
    assert list(line.get_xdata()) == [10**k for k in range(7)]
    assert list(line.get_ydata()) == pytest.approx([0, 0.1, 20, 40, 60, 80, 100])
    assert "40 % at most 1000" in figure.alt
    phases["workloads"][0]["facts"] = {"digest": "d"}  # a result from before there were such facts
    assert figures.draw(phases) == []


def test_cumulative_shares_of_degrees_beside_the_papers(phases: Json) -> None:
    phases["experiment"]["figure"] = {
        "kind": "cumulative", "column": "degrees",
        "paper": [{"label": "text", "x": 32, "value": 0.1}]}
    phases["workloads"][0]["facts"] = {
        f"degrees_above_{bound}_ratio": share for bound, share in ((1, 0.5), (2, 0.25), (16, 0.001))}
    figure = drawn(phases)
    ours, paper = lines_of(figure.figure.axes[0])
    assert list(ours.get_xdata()) == [1, 2, 16]
    assert list(ours.get_ydata()) == pytest.approx([50, 25, 0.1])
    assert (list(paper.get_xdata()), list(paper.get_ydata())) == ([32], [10])
    assert figure.figure.axes[0].get_yscale() == "log"
    assert "25 % above 2" in figure.alt


def test_graphs_have_short_names_where_these_differ(placement: Json) -> None:
    first, second = placement["cells"][:2]
    placement["cells"], placement["not_measured"] = [first, second], []
    placement["experiment"]["figure"] = {"kind": "bars", "x": "graph"}

    def categories(*graphs: str) -> list[str]:
        for cell, graph in zip((first, second), graphs):
            cell["graph"] = cell["axes"]["graph"] = graph
        return [label.get_text() for label in axes_of(placement).get_xticklabels()]

    assert categories("dimacs:NY", "topology:NW,lengths=hash:1..9") == ["NY", "NW"]
    assert categories("topology:NW,lengths=unit", "topology:NW,lengths=hash:1..9") == [
        "topology:NW,lengths=unit", "topology:NW,lengths=hash:1..9"]


def test_nothing_to_draw(bars: Json) -> None:
    bars["experiment"]["figure"] = None
    assert figures.draw(bars) == []


@pytest.mark.parametrize("name", ["bars", "curve", "phases", "placement"])
def test_alt_text_and_rendering(name: str) -> None:
    result = load(DATA / f"{name}.json")
    figure = drawn(result)
    assert figure.title in figure.alt and "Fixture Xenon 9000" in figure.alt
    svg = figures.render(figure)
    assert svg == figures.render(drawn(result))
    assert b"DOCTYPE" not in svg and b"<metadata" not in svg and b"</svg>" in svg


def test_no_label_leaves_the_figure_or_meets_another() -> None:
    for name in ("bars", "curve", "phases", "placement"):
        figure = drawn(load(DATA / f"{name}.json")).figure
        figure.canvas.draw()
        axes = figure.axes[0]
        boxes = [text.get_window_extent() for text in axes.texts]
        low, high = axes.get_xlim()
        boxes += [label.get_window_extent() for label in axes.get_xticklabels()
                  if low <= label.get_position()[0] <= high]
        if axes.get_legend():
            boxes.append(axes.get_legend().get_window_extent())
        width, height = figure.canvas.get_width_height()
        for index, box in enumerate(boxes):
            assert 0 <= box.x0 and box.x1 <= width and 0 <= box.y0 and box.y1 <= height
            assert not any(box.overlaps(other) for other in boxes[:index])


def ring(axes: Axes) -> tuple[float, float]:
    """The place of the ring round the best point."""
    [found] = [line for line in axes.lines if line.get_markersize() == 13]
    return float(found.get_xdata()[0]), float(found.get_ydata()[0])


def test_the_lowest_is_never_the_reference(curve: Json) -> None:
    assert ring(axes_of(curve)) == pytest.approx((4, 0.951))
    curve["experiment"]["figure"]["relative_to"] = {"arity": 4}  # the fastest
    del curve["experiment"]["figure"]["paper"]
    axes = axes_of(curve)
    x, ratio = ring(axes)
    assert x != 4 and ratio > 1
    [label] = [text for text in legend(axes) if text.startswith("lowest measured")]
    assert label == f"lowest measured beside the reference, at {x:g}"


def test_the_lowest_is_never_the_papers(curve: Json) -> None:
    spec = curve["experiment"]["figure"]
    del spec["relative_to"]
    for point in spec["paper"]:
        point |= {"value": 0.001, "unit": "ms"}
    axes = axes_of(curve)
    least = min((cell["wall_ns"]["median"], cell["axes"]["arity"]) for cell in curve["cells"]
                if cell["wall_ns"])
    assert ring(axes) == pytest.approx((least[1], least[0] * 1e-6))


def test_no_ring_where_the_reference_is_all(curve: Json) -> None:
    curve["experiment"]["figure"]["where"] = {"arity": 2}
    axes = axes_of(curve)
    assert not [line for line in axes.lines if line.get_markersize() == 13]
    assert not [text for text in legend(axes) if "lowest" in text]


def with_series(result: Json, count: int) -> Json:
    """The result's cells, repeated for each value of another axis."""
    cells = [cell for cell in result["cells"] if cell["wall_ns"]]
    result["cells"] = [{**copy.deepcopy(cell), "id": f"{index:03}{cell['id']}",
                        "axes": {**cell["axes"], "kind": f"k{index}"}}
                       for index in range(count) for cell in cells]
    result["not_measured"], result["comparisons"] = [], []
    figure = result["experiment"]["figure"]
    figure["series"] = "kind"
    figure.pop("relative_to", None)
    figure.pop("paper", None)
    return result


def test_lines_of_24_series_differ(curve: Json) -> None:
    lines = [line for line in axes_of(with_series(curve, 24)).lines if line.get_linewidth() == 2
             and len(line.get_xdata()) > 1]
    assert len(lines) == 24
    assert len({(line.get_color(), line.get_marker(), str(line.get_linestyle()))
                for line in lines}) == 24


def test_bars_of_24_series_differ_as_the_legend_does(bars: Json) -> None:
    bars["experiment"]["figure"] |= {"x": "queue", "where": {"width": 32}}
    axes = axes_of(with_series(bars, 24))
    shown = {(bar.get_facecolor(), bar.get_hatch()) for group in axes.containers
             if isinstance(group, BarContainer) for bar in group}
    assert len(shown) == 24
    assert shown == {(patch.get_facecolor(), patch.get_hatch())
                     for patch in axes.get_legend().get_patches()}


def test_lines_of_24_phase_logs_differ(phases: Json) -> None:
    first = phases["cells"][0]
    phases["cells"] = [{**copy.deepcopy(first), "id": f"{index:016x}", "label": f"cell {index}"}
                       for index in range(24)]
    phases["experiment"]["figure"] = {"kind": "phases", "column": "updated_count"}
    lines = lines_of(axes_of(phases))
    assert len(lines) == 24
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 24


def test_two_of_the_papers_lines_for_a_series_differ(curve: Json) -> None:
    spec = with_series(curve, 2)["experiment"]["figure"]
    spec["paper"] = [{"label": label, "x": [2, 4], "value": [3, 4], "unit": "ms",
                      "where": {"kind": kind}}
                     for label in ("Oldtown", "Newtown") for kind in ("k0", "k1")]
    lines = [line for line in axes_of(curve).lines if line.get_linestyle() == "--"]
    assert len(lines) == 4
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 4


def test_first_six_series_keep_one_marker() -> None:
    assert {look(index).marker for index in range(6)} == {"o"}
    assert {look(index).hatch for index in range(6)} == {""}


def test_series_name_the_machine_that_they_ran_on(bars: Json) -> None:
    bars["environment"]["gpus"] = [{"name": "Fixture G100"}]
    for cell in bars["cells"]:
        if cell["axes"]["width"] == 64:
            cell["gpu"] = {"index": 0, "name": "Fixture G100", "pci_bus_id": "0"}
    figure = drawn(bars)
    found = legend(figure.figure.axes[0])
    assert "width 32 (Fixture Xenon 9000)" in found and "width 64 (Fixture G100)" in found
    assert "on Fixture Xenon 9000 and Fixture G100, USA-road-d.NY" in figure.alt


def test_cells_of_a_graph_with_axes_in_braces_stand_apart(bars: Json) -> None:
    """If the text in braces counted as the graph's name, one bar would hide all others."""
    for cell in bars["cells"]:
        cell["axes"] |= {"graph": "spots:{place},k={k}", "place": cell["axes"]["queue"],
                         "k": cell["axes"]["width"]}
        cell["graph"] = f"spots:{cell['axes']['queue']},k={cell['axes']['width']}"
    bars["not_measured"] = []
    bars["experiment"]["figure"] = {"kind": "bars", "x": "graph", "series": "system"}
    axes = axes_of(bars)
    assert len(heights(axes)) == len(axes.get_xticklabels()) == len(bars["cells"])
    assert not any("{" in label.get_text() for label in axes.get_xticklabels())


@pytest.mark.parametrize("dpi", [72, 110, 150])
def test_the_title_is_clear_of_a_long_legend_at_every_resolution(bars: Json, dpi: int) -> None:
    bars["experiment"]["figure"] |= {"x": "queue", "where": {"width": 32}}
    figure = drawn(with_series(bars, 12)).figure
    figure.set_dpi(dpi)
    with matplotlib.rc_context(STYLE):
        FigureCanvasAgg(figure).draw()
        title, names = figure._suptitle, figure.axes[0].get_legend()
        gap = title.get_window_extent().y0 - names.get_window_extent().y1
    assert 4 < gap / dpi * 72 < 8
