"""`build_site.py - -o DIR`: static pages of all results, from the output of `bellmark site` on
standard input.

Writes DIR/*.html, the style sheet and the script that they share, and a copy of each result. A page's
address comes from its subject, and stays. Every number, interval and verdict is the results'.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import sys
import warnings
from pathlib import Path
from typing import Optional, Sequence

if __name__ == "__main__":  # matplotlib's warnings to programmers don't help readers of a page
    warnings.simplefilter("ignore")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)

try:
    from document import CSS, NAVIGATION, Block, Link, Paragraph, Section, to_html
    from load import InputFault
    from page_script import page_script
    from report import write_atomically
    from report_experiment import experiment_section
    from site_data import Site, read_site
    from site_pages import Page, lists, pages
    from site_tables import result_file
except ModuleNotFoundError as error:
    print(f"build_site.py: {sys.executable} lacks the Python package '{error.name}'; run "
          f"'apt-get install python3-{error.name}' and use /usr/bin/python3", file=sys.stderr)
    sys.exit(7)

STYLE, SCRIPT = "style.css", "page.js"
_site: Optional[Site] = None  # shared by the processes that draw


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit code: 0 done, 2 bad input, 7 the machine failed (permission, space)."""
    parser = argparse.ArgumentParser(prog="build_site.py", description=__doc__.split("\n\n")[0])
    parser.add_argument("data", choices=["-"], help="standard input")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", required=True)
    options = parser.parse_args(arguments)
    try:
        site = read_site(sys.stdin.buffer)
        if not site.stored:
            raise InputFault("none of the results can be drawn: " + "; ".join(site.left_out))
        write(site, options.output)
        print(options.output / "index.html")
        return 0
    except InputFault as fault:
        print(f"build_site.py: {fault}", file=sys.stderr)
        return 2
    except OSError as fault:
        print(f"build_site.py: {fault.filename or options.output}: {fault.strerror}; "
              "give a folder that can be written to", file=sys.stderr)
        return 7


def write(site: Site, folder: Path) -> None:
    """Writes the site. Each file appears whole or not at all, the index last."""
    (folder / "results").mkdir(parents=True, exist_ok=True)
    for stored in site.stored:
        write_atomically(folder / result_file(stored), stored.file.read_bytes())
    script = page_script()
    write_atomically(folder / STYLE, CSS.encode("utf-8"))
    if script:
        write_atomically(folder / SCRIPT, script.encode("utf-8"))
    index, *others = pages(site, _sections(site))
    for page in [*others, index]:
        text = to_html(page.title, _framed(page, site), style=STYLE, script_file=SCRIPT if script else "")
        write_atomically(folder / page.file, text.encode("utf-8"))


def _framed(page: Page, site: Site) -> list[Block]:
    """The page with links to all lists above it."""
    links: list = []
    for text, file in lists(site):
        links += [Link(text, "", file), " "]
    return [Section("site", [Paragraph(links)], kind=NAVIGATION), *page.blocks]


def _sections(site: Site) -> list[Section]:
    """Each result's section with its figures, which take nearly all of the time to draw."""
    global _site
    _site = site
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0))) as pool:
        return pool.map(_section, range(len(site.stored)), chunksize=1)


def _section(index: int) -> Section:
    assert _site is not None
    stored = _site.stored[index]
    return experiment_section(stored.result, stored.name, set(), stored.result)


if __name__ == "__main__":
    sys.exit(main())
