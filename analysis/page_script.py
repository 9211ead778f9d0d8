"""The script that makes a page's figures interactive: a product of the build (target `page`)."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent


def page_script() -> str:
    """The script's text: a bundle's own, else the one built last; "" if there is none."""
    built = sorted(HERE.parent.glob("build/*/page/page.js"), key=lambda path: path.stat().st_mtime)
    found = [path for path in [HERE / "page.js", *reversed(built)] if path.is_file()]
    return found[0].read_text(encoding="utf-8") if found else ""
