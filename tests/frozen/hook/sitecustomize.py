"""Writes down the contents of a figure instead of drawing it into a file. Python imports this module by
itself if PYTHONPATH names its folder, so that it gets all figures of any program."""

import json
import os


def rounded(values):
    """Numbers with nine digits; lists of them likewise."""
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, (list, tuple)):
        return [rounded(value) for value in values]
    return float(f"{values:.9g}") if isinstance(values, float) else values


def shown(axes, number):
    """The contents of one pair of axes, as lines of text."""
    from matplotlib.colors import to_hex

    def colour(value):
        return to_hex(value, keep_alpha=True) if len(value) in (3, 4) or isinstance(value, str) \
            else [to_hex(one, keep_alpha=True) for one in value]

    lines = [f"titles: {[axes.get_title(place) for place in ('left', 'center', 'right')]}",
             f"x: {axes.get_xlabel()!r} {axes.get_xscale()}",
             f"y: {axes.get_ylabel()!r} {axes.get_yscale()}"]
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        labels = [label.get_text() for label in axis.get_ticklabels()]
        lines.append(f"{name} labels: {list(filter(None, labels))}")
    for at, line in enumerate(axes.get_lines()):
        lines += [f"line {at} points: {rounded(line.get_xydata())}",
                  f"line {at} style: {colour(line.get_color())} {line.get_linestyle()!r} "
                  f"{line.get_marker()!r} {line.get_linewidth():g} {line.get_markersize():g}"]
    for at, patch in enumerate(axes.patches):
        outline = patch.get_path().transformed(patch.get_patch_transform())
        lines += [f"patch {at}: {rounded(outline.vertices)}",
                  f"patch {at} style: {colour(patch.get_facecolor())} {patch.get_hatch()!r}"]
    for at, collection in enumerate(axes.collections):
        paths = [rounded(path.vertices) for path in collection.get_paths()]
        colours = [colour(one) for one in collection.get_facecolor()] \
            or [colour(one) for one in collection.get_edgecolor()]
        lines += [f"area {at}: {paths}", f"area {at} style: {colours}"]
    for at, image in enumerate(axes.get_images()):
        lines.append(f"image {at}: {rounded(image.get_array().filled(float('nan')))}")
    for text in axes.texts:
        place = getattr(text, "xy", text.get_position())
        lines.append(f"text: {text.get_text()!r} at {rounded([float(value) for value in place])}")
    legend = axes.get_legend()
    lines += [f"legend: {text.get_text()!r}" for text in (legend.get_texts() if legend else [])]
    return [f"axes {number} {line}" for line in lines]


def watch(path):
    try:
        from matplotlib.figure import Figure
    except ImportError:  # this Python draws nothing
        return
    seen = []

    def savefig(self, *_, **__):
        if any(self is figure for figure in seen):  # a figure is written once a format
            return
        seen.append(self)
        title = " ".join(self._suptitle.get_text().split()) if self._suptitle else ""
        lines = [f"title: {title}"]
        for number, axes in enumerate(self.get_axes()):
            lines += shown(axes, number)
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(json.dumps([f"{len(seen)}", lines]) + "\n")

    Figure.savefig = savefig


if os.environ.get("BELLMARK_DRAWN"):
    watch(os.environ["BELLMARK_DRAWN"])
