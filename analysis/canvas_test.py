"""Looks of series: the colours, markers, lines and hatches that tell them apart."""

from __future__ import annotations

import itertools

import numpy
from matplotlib.colors import to_rgb

from canvas import COLOURS, compact, look

# The view of linear RGB of most people, and without red, green or blue cones (Machado et al. 2009).
SEEN = {
    "all": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
               [0.004733, 0.691367, 0.303900]],
}
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def lab(colour: str, seen: list) -> numpy.ndarray:
    """The seen colour, in CIELAB."""
    channels = numpy.array(to_rgb(colour))
    linear = numpy.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055)**2.4)
    xyz = numpy.array(XYZ) @ numpy.clip(numpy.array(seen) @ linear, 0, 1) / [0.9505, 1, 1.089]
    x, y, z = numpy.where(xyz > 0.008856, numpy.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return numpy.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_colours_are_told_apart_by_everybody_and_on_white() -> None:
    assert len(COLOURS) >= 12
    for seen in SEEN.values():
        colours = [lab(colour, seen) for colour in COLOURS]
        assert min(numpy.linalg.norm(a - b) for a, b in itertools.combinations(colours, 2)) > 15
    assert max(lab(colour, SEEN["all"])[0] for colour in COLOURS) < 80, "white has 100"


def test_24_looks_differ_with_and_without_hatches() -> None:
    looks = [look(index) for index in range(24)]
    assert len({(own.colour, own.marker, str(own.dash)) for own in looks}) == 24
    assert len({(own.colour, own.hatch) for own in looks}) == 24


def test_coordinates_have_two_decimals_and_all_else_stays():
    svg = (b'<!DOCTYPE x>\n<!-- 0.12345 --><path d="M 40.89899 681.995 L -1.23456 1000123.456" '
           b'transform="translate(12.3 5) scale(0.015625 -0.015625)"/><text x="1.2345">0.0141 ms,\n0.0166</text>')
    assert compact(svg) == (b'<!-- 0.12345 --><path d="M 40.9 682 L -1.23 1000123.46" '
                            b'transform="translate(12.3 5) scale(0.015625 -0.015625)"/>'
                            b'<text x="1.23">0.0141 ms,\n0.0166</text>')
