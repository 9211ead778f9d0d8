"""Numbers with their units."""

from units import rates


def test_rates_have_their_units():
    found = {"bytes_per_second": {"median": 12.34e9}, "operations_per_second": {"median": 999.6e6},
             "items_per_second": {"median": 42.0}}
    assert rates(found) == "12.3 GB/s, 1e9 operations/s, 42 items/s"
    assert rates({}) == ""
