"""The roofline of rounds against logs whose bounds are known."""

import pytest

from rounds import roof_of


def cell_of(rows, counters=(), columns=("frontier_count", "gpu_ns")):
    queries = [{"query": 0, "columns": {columns[0]: {"sum": sum(row[0] for row in rows)}}}]
    return {"phase_log": {"columns": list(columns), "first_queries": [{"query": 0, "rows": rows}],
                          "queries": queries},
            "counters": [{"name": name, "value": value} for name, value in counters]}


def test_long_chains_of_small_rounds_are_bound_by_latency():
    roof = roof_of(cell_of([[1, 1000]] * 99 + [[1000, 21000]]))
    assert roof.round_count == 100 and roof.floor_ns == 1000
    assert roof.floor_share == pytest.approx(100_000 / 120_000)
    assert roof.entry_ns == pytest.approx(20_000 / 1099)
    assert roof.bound == "latency of rounds"


def test_memory_binds_by_its_counters():
    rows = [[1, 1000]] * 5 + [[1_000_000, 1_000_000]]
    plain = roof_of(cell_of(rows))
    assert plain.bound == "not rounds" and plain.dram_share is None
    counters = [("dram__bytes.sum", 3_000_015), ("dram__bytes.sum.peak_sustained_elapsed", 4_000_020)]
    roof = roof_of(cell_of(rows, counters))
    assert roof.dram_share == pytest.approx(0.75) and roof.bound == "DRAM"
    assert roof.dram_bytes == pytest.approx(3)
    idle = roof_of(cell_of(rows, [(name, value / 10 if "peak" not in name else value)
                                  for name, value in counters]))
    assert idle.bound == "neither: work of entries"


def test_rows_without_entries_are_no_rounds():
    """They end buckets: long, and without the chain of a round."""
    roof = roof_of(cell_of([[0, 9000]] * 10 + [[1, 1000]] * 90))
    assert roof.round_count == 90 and roof.floor_ns == 1000
    assert roof.floor_share == pytest.approx(90_000 / 180_000)


def test_the_floor_takes_all_rounds_that_are_as_small():
    """The fastest tenth of a hundred like rounds would be a floor that hardly a round reaches."""
    roof = roof_of(cell_of([[1, 100]] * 10 + [[1, 1000]] * 90))
    assert roof.floor_ns == 1000


@pytest.mark.parametrize("cell", [
    {"phase_log": None},
    cell_of([[1, 5]] * 3),
    cell_of([[0, 5]] * 9),
    cell_of([[1, 0]] * 9),
    cell_of([[1, 5]] * 9, columns=("thread_count", "gpu_ns")),
    cell_of([[1, 5]] * 9, columns=("frontier_count", "threshold")),
])
def test_logs_without_rounds_have_no_roof(cell):
    assert roof_of(cell) is None
