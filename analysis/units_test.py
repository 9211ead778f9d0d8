"""Numbers with their units."""

from units import metric_text, rates


def test_rates_have_their_units():
    found = {"bytes_per_second": {"median": 12.34e9}, "operations_per_second": {"median": 999.6e6},
             "items_per_second": {"median": 42.0}}
    assert rates(found) == "12.3 GB/s, 1e9 operations/s, 42 items/s"
    assert rates({}) == ""


def test_a_claims_rates_have_their_units():
    assert metric_text(12.34e9, {"denominator": None, "unit": "bytes/s"}) == "12.3 GB/s"
    assert metric_text(4.56e6, {"denominator": None, "unit": "items/s"}) == "4.56e6 items/s"
    assert metric_text(0.5, {"denominator": "b", "unit": ""}) == "0.500"
