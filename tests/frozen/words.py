"""The texts of two builds, made comparable: names, kernels, differences and expected differences."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Iterator


class BadInput(Exception):
    """A fault, its place and its remedy."""


def one_name(text: str) -> str:
    """A result is the same whether it is compressed or not."""
    return text.replace(".json.gz", ".json")


# Expected differences


@dataclass
class Rule:
    line: str
    pattern: re.Pattern[str]
    replacement: str | None  # None: the rule allows a difference
    used: bool = False


@dataclass
class Expectations:
    rules: list[Rule] = field(default_factory=list)

    def rename(self, said: dict[str, list[str]]) -> dict[str, list[str]]:
        """The renames, in subjects and in lines."""
        renames = [rule for rule in self.rules if rule.replacement is not None]

        def renamed(text: str) -> str:
            for rule in renames:
                text, count = rule.pattern.subn(rule.replacement, text)
                rule.used |= count > 0
            return text

        result: dict[str, list[str]] = {}
        for subject, lines in said.items():
            result.setdefault(renamed(subject), []).extend(map(renamed, lines))
        return result

    def allows(self, difference: str) -> bool:
        for rule in self.rules:
            if rule.replacement is None and rule.pattern.search(difference):
                rule.used = True
                return True
        return False

    def unused(self) -> list[str]:
        return [rule.line for rule in self.rules if not rule.used]


def read_expectations(path: str) -> Expectations:
    """The file of --expect. A line without a reason is refused."""
    found = Expectations()
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}")
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        form = re.fullmatch(r"(?:rename (?P<old>.+?) => (?P<new>.*?)|allow (?P<seen>.+?)) ## \S.*",
                            line)
        if form is None:
            raise BadInput(f"{path}:{number}: write `rename REGEX => REPLACEMENT ## REASON` or "
                           "`allow REGEX ## REASON`")
        try:
            found.rules.append(Rule(line, re.compile(form["old"] or form["seen"]), form["new"]))
        except re.error as error:
            raise BadInput(f"{path}:{number}: not a regular expression: {error}")
    return found


# Differences


def differences(before: dict[str, list[str]],
                after: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """Subjects that differ, with a line for each removed (-) and each new (+) text."""
    for subject in sorted(before.keys() | after.keys()):
        if subject not in after:
            yield subject, ["-all of it"]
        elif subject not in before:
            yield subject, ["+all of it"]
        elif before[subject] != after[subject]:
            lines = difflib.unified_diff(lines_of(before[subject]), lines_of(after[subject]),
                                         n=0, lineterm="")
            yield subject, [line for line in islice(lines, 2, None)  # after the two files' names
                            if not line.startswith("@@")]


def lines_of(texts: list[str]) -> list[str]:
    return [line for text in texts for line in text.split("\n")]


def same_kernels(before: dict[str, list[str]], after: dict[str, list[str]]) -> list[str]:
    """Keeps one of each kernel's equal copies, which separate objects have. Notes the kernels whose
    number of copies changed."""
    notes = []
    for subject in sorted(before.keys() & after.keys()):
        if not subject.startswith("kernel ") or before[subject] == after[subject]:
            continue
        counts = len(before[subject]), len(after[subject])
        for said in (before, after):
            said[subject] = sorted(set(said[subject]))
        if counts[0] != counts[1] and before[subject] == after[subject]:
            notes.append(f"{subject}: equal copies: {counts[0]} before, {counts[1]} after")
    return notes


# PTX

NAME = re.compile(r"_Z\w[\w$]*?(?=_param_\d+\b|[^\w$]|$)")
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
FUNCTION = re.compile(r"^\.(?:entry|func)\b\s*(?:\([^)]*\)\s*)?([\w$]+)")
# nvcc's names for a source file's private symbols, which hold its path.
OF_A_FILE = [
    (re.compile(r"_INTERNAL_[0-9a-f]{8}_\w+"), "_INTERNAL_"),
    (re.compile(r"_GLOBAL__N__[0-9a-f]{8}_\w+"), "(anonymous namespace)"),
    (re.compile(r"__nv_static_\d+__[0-9a-f]{8}_\d+_\w*?_cu_[0-9a-f]{8}(_\d+)?_"), "__nv_static_"),
    (re.compile(r"__cuda_local_var_\d+_\d+_"), "__cuda_local_var_"),
]
# Numbers that count through a module: the kernel of a label, of a stack, of a text.
OF_A_MODULE = [
    (re.compile(r"\$L__BB\d+_"), "$L__BB_"),
    (re.compile(r"__local_depot\d+"), "__local_depot"),
]
NUMBERED = re.compile(r"\$str(?:\$\d+)?|__unnamed_\d+|anonymous_\$_\d+|__constant\$\d+")


def names_in(module: str) -> set[str]:
    """The mangled names of a module."""
    return set(NAME.findall(module))


def items_of(module: str) -> Iterator[str]:
    """A module's declarations and functions, as text."""
    code = re.sub(r"^\.(version|target|address_size|file|loc)\b.*\n", "", module, flags=re.M)
    code = re.sub(r"//.*", "", code)
    code = re.sub(r"\.(visible|weak|extern) (?=\.(entry|func)\b)", "", code)  # who may see it
    depth, begin = 0, 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|[{}();]', code):
        mark = found[0]
        depth += (mark in "{(") - (mark in "})")
        item = code[begin:found.end()].strip()
        is_function = FUNCTION.search(item)
        if depth == 0 and (mark == ";" or mark == "}" and is_function):
            yield item
            begin = found.end()


def declared(item: str) -> str:
    """The name of a variable or function."""
    if function := FUNCTION.search(item):
        return function[1]
    variable = re.search(r"([\w$]+)\s*(?:\[[^\]]*\]\s*)*(?:=|;)", item)
    return variable[1] if variable else item


def kernels_of(module: str, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Name and text of each kernel and function of a module. A text ends with the variables of the
    module that it needs, in the order in which it names them."""
    head = "\n".join(re.findall(r"^\.(?:version|target)\b.*", module, re.M))
    items = [(declared(item), item) for item in items_of(module)]
    functions = [(name, item) for name, item in items
                 if FUNCTION.search(item) and item.endswith("}")]
    variables = {name: item for name, item in items
                 if not FUNCTION.search(item)}
    for name, item in functions:
        text, seen = item, set()
        queue = [item]
        while queue:
            for word in IDENTIFIER.findall(queue.pop(0)):
                if word in variables and word not in seen:
                    seen.add(word)
                    text += "\n" + variables[word]
                    queue.append(variables[word])
        yield readable(name, names), plain(f"{head}\n{text}", names)


def readable(text: str, names: dict[str, str]) -> str:
    """Demangled names, without their source file's name."""
    text = NAME.sub(lambda found: names.get(found[0], found[0]), text)
    for pattern, replacement in OF_A_FILE:
        text = pattern.sub(replacement, text)
    return text


def plain(text: str, names: dict[str, str]) -> str:
    """A kernel's text without what depends on its place in its module."""
    for pattern, replacement in OF_A_MODULE:
        text = pattern.sub(replacement, text)
    order: dict[str, str] = {}
    text = NUMBERED.sub(lambda found: order.setdefault(found[0], f"$constant{len(order)}"), text)
    text = readable(text, names)
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip())
