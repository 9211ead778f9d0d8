"""A figure's SVG in the form for a page: without parts that only people need. Figures are most of a page's bytes."""

from __future__ import annotations

import re
from urllib.parse import quote

SIGNS = " !$'()*+,-./:;<=>?@[]^_{|}~"  # signs that an address may hold unchanged


def data_address(svg: bytes) -> str:
    """The picture as an address in double quotes."""
    swapped = str.maketrans("\"'", "'\"")  # attributes; a double quote takes three bytes here
    text = re.sub(r"<[^>]*>", lambda tag: tag[0].translate(swapped), _small(svg.decode("utf-8")))
    return f"data:image/svg+xml,{quote(text, safe=SIGNS)}"


def _small(text: str) -> str:
    text = re.sub(r"<\?xml.*?\?>|<!DOCTYPE[^>]*>", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*\n\s*", " ", re.sub(r">\s+<", "><", text.strip()))
    text = _short_ids(text).replace("xlink:href=", "href=")
    return _without_bare_groups(_styles_as_classes(text))


def _short_ids(text: str) -> str:
    """Removes ids that nothing refers to, and makes the others numbers."""
    used = dict.fromkeys(re.findall(r"#([\w.-]+)", text))
    names = {name: f"i{number}" for number, name in enumerate(used)}
    text = re.sub(r' id="([^"]*)"',
                  lambda match: f' id="{names[match[1]]}"' if match[1] in names else "", text)
    return re.sub(r'(href="|url\()#([\w.-]+)', lambda match: f"{match[1]}#{names[match[2]]}", text)


def _styles_as_classes(text: str) -> str:
    """Makes each style a class, because matplotlib repeats it at every mark."""
    styles = dict.fromkeys(re.findall(r' style="([^"]*)"', text))
    names = {style: f"s{number}" for number, style in enumerate(styles)}
    text = re.sub(r' style="([^"]*)"', lambda match: f' class="{names[match[1]]}"', text)
    rules = "".join(f".{name}{{{re.sub('(?<=[:;]) ', '', style)}}}" for style, name in names.items())
    return re.sub(r"<svg[^>]*>", lambda match: f"{match[0]}<style>{rules}</style>", text, count=1)


def _without_bare_groups(text: str) -> str:
    """Removes groups without attributes, which change nothing."""
    is_bare: list[bool] = []

    def kept(tag: re.Match) -> str:
        if tag[0].startswith("</"):
            return "" if is_bare.pop() else tag[0]
        if not tag[0].endswith("/>"):
            is_bare.append(tag[0] == "<g>")
        return "" if tag[0] == "<g>" else tag[0]

    return re.sub(r"</?g(?: [^>]*)?/?>", kept, text)
