"""The figures' artists: as many bars, points and labels as there are values, each in place."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer

import figures
from load import Json, load

DATA = Path(__file__).parent / "testdata"


@pytest.fixture
def bars() -> Json:
    return load(DATA / "bars.json")


@pytest.fixture
def curve() -> Json:
    return load(DATA / "curve.json")


@pytest.fixture
def placement() -> Json:
    return load(DATA / "placement.json")


def drawn(result: Json) -> figures.Drawn:
    figure = figures.draw(result)
    assert figure is not None
    return figure


def axes_of(result: Json) -> Axes:
    return drawn(result).figure.axes[0]


def heights(axes: Axes) -> list[float]:
    return [bar.get_height() for group in axes.containers if isinstance(group, BarContainer)
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


def test_bars_show_gains_beside_the_papers(bars: Json) -> None:
    axes = axes_of(bars)
    measured = [100 * (1 / ratio - 1) for ratio in (1.0461, 1.1352, 1 / 0.8713)] + [0]
    paper = [-5.36, -20.58, 0.0, -21.34]
    assert sorted(heights(axes)) == pytest.approx(sorted(measured + paper))
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        "heap-dynamic", "heap", "radix"]
    assert texts(axes).count("not measured") == 2 and texts(axes).count("reference") == 1
    assert legend(axes) == ["width 32: Fixture Xenon 9000, USA-road-d.NY (measured)",
                            "width 32: Oldtown, USA (paper)",
                            "width 64: Fixture Xenon 9000, USA-road-d.NY (measured)",
                            "width 64: Oldtown, USA (paper)"]
    assert axes.get_xlabel() == "queue" and "Gain over" in axes.get_ylabel()
    assert "queue = heap, width = 32 (%)" in axes.get_ylabel()


def test_bars_whiskers_are_the_comparisons_intervals(bars: Json) -> None:
    pair = bars["comparisons"][0]
    wanted = 100 * (1 / pair["ci95_high"] - 1), 100 * (1 / pair["ci95_low"] - 1)
    found = whiskers(axes_of(bars))
    assert len(found) == 3
    assert any(low == pytest.approx(wanted[0]) and high == pytest.approx(wanted[1])
               for low, high in found)


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
    assert legend(axes) == ["Fixture Xenon 9000, USA-road-d.NY (measured)",
                            "Oldtown, USA (paper)", "Newtown (paper)"]
    assert len(axes.get_xticklabels()) == 6  # the two cells that were not measured have a place


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
    assert legend(axes) == ["Fixture Xenon 9000, USA-road-d.NY (measured)",
                            "Oldtown, USA (paper)", "lowest measured: arity = 4"]
    assert len(whiskers(axes)) == 4 and len(axes.collections) >= 1
    hollow = next(line for line in axes.lines if line.get_markerfacecolor() == "white")
    assert list(hollow.get_xdata()) == [14, 32]
    assert axes.get_xscale() == "log" and axes.get_ylabel() == "Time relative to\narity = 2"
    assert figures.HOLLOW in figure.notes and "Not measured: arity 64." in figure.notes


def test_curve_paper_without_a_reference_value_is_left_out(curve: Json) -> None:
    spec = curve["experiment"]["figure"]
    spec["paper"] = [point for point in spec["paper"] if point["x"] != 2]
    figure = drawn(curve)
    assert len(legend(figure.figure.axes[0])) == 2
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


def test_nothing_to_draw(bars: Json) -> None:
    bars["experiment"]["figure"] = None
    assert figures.draw(bars) is None


@pytest.mark.parametrize("name", ["bars", "curve", "placement"])
def test_alt_text_and_rendering(name: str) -> None:
    result = load(DATA / f"{name}.json")
    figure = drawn(result)
    assert figure.title in figure.alt and "Fixture Xenon 9000" in figure.alt
    assert figures.render(figure, "png").startswith(b"\x89PNG")
    svg = figures.render(figure, "svg")
    assert svg == figures.render(drawn(result), "svg")
    assert b"DOCTYPE" not in svg and b"<metadata" not in svg and b"</svg>" in svg


def test_no_label_leaves_the_figure_or_meets_another() -> None:
    for name in ("bars", "curve", "placement"):
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
