"""Figures in the form for a page."""

from urllib.parse import unquote

from page_svg import data_address

SVG = (b'<?xml version="1.0"?>\n<svg>\n <style>*{a: b}</style><defs><path id="mark7" d="M 0 0 \nL 1 1"/></defs>\n'
       b'  <g id="axes_1"><use xlink:href="#mark7" style="fill: #123; stroke: blue"/></g>\n'
       b'  <g clip-path="url(#clip)"><g><use xlink:href="#mark7" style="fill: #123; stroke: blue"/></g></g>\n'
       b"  <text style=\"font: 9px 'DejaVu Sans'\">it's \"so\" &amp; 5%</text><g/>\n"
       b'  <clipPath id="clip"/></svg>\n')


def test_a_picture_keeps_its_words_and_loses_what_only_people_need() -> None:
    address = data_address(SVG)
    assert unquote(address).removeprefix("data:image/svg+xml,") == (
        "<svg><style>.s0{fill:#123;stroke:blue}.s1{font:9px 'DejaVu Sans'}</style>"
        "<style>*{a: b}</style><defs><path id='i0' d='M 0 0 L 1 1'/></defs>"
        "<use href='#i0' class='s0'/>"
        "<g clip-path='url(#i2)'><use href='#i0' class='s0'/></g>"
        "<text class='s1'>it's \"so\" &amp; 5%</text><g/><clipPath id='i2'/></svg>")
    assert "#" not in address and "&" not in address and '"' not in address
