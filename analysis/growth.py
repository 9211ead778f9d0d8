"""Formulas of a phase log: how its sums grow with the number of ranks.

A log has them by name (`growth` in result.schema.json); a formula may use the names before it,
numbers, + - * / % **, comparisons (1 or 0) and the functions below. Their meaning is unknown here.
"""

from __future__ import annotations

import ast
import functools
import json
import math
import operator
from pathlib import Path
from typing import Callable, Mapping

from load import InputFault, Json

OLDER_LOGS = Path(__file__).parent / "scaling_older_logs.json"


def _middle_divisor(number: float) -> int:
    """The largest divisor that is at most the square root."""
    whole = round(number)
    return next(count for count in range(math.isqrt(whole), 0, -1) if whole % count == 0)


FUNCTIONS: dict[str, Callable[..., float]] = {
    "log2": math.log2, "sqrt": math.sqrt, "ceil": math.ceil, "min": min, "max": max,
    "gcd": lambda a, b: math.gcd(round(a), round(b)), "middle_divisor": _middle_divisor}
OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge}


def evaluate(formulas: Mapping[str, str], given: Mapping[str, float]) -> dict[str, float]:
    """The value of each formula, in order. InputFault for one that can't be read or has no
    value."""
    names, values = dict(given), {}
    for name, text in formulas.items():
        try:
            names[name] = values[name] = _value(_parsed(text), names)
        except (KeyError, TypeError, SyntaxError) as error:
            unknown = f"unknown name {error}" if isinstance(error, KeyError) else "not a formula"
            raise InputFault(f"growth of {name}: {unknown} in '{text}'; correct the variant's log")
        except (ArithmeticError, ValueError) as error:
            raise InputFault(f"growth of {name}: '{text}' has no value ({error}); "
                             "correct the variant's log")
    return values


@functools.lru_cache(maxsize=None)
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, names)
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](_value(node.left, names), _value(node.right, names))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = _value(node.left, names), _value(node.comparators[0], names)
        return int(OPERATORS[type(node.ops[0])](left, right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return FUNCTIONS[node.func.id](*(_value(argument, names) for argument in node.args))
    raise TypeError(node)


@functools.lru_cache(maxsize=None)
def _older_logs() -> Json:
    return json.loads(OLDER_LOGS.read_text(encoding="utf-8"))


def of_older_log(cell: Json) -> tuple[dict[str, str], dict[str, str]]:
    """Formulas of counts, and the names of counts, for an older log without its own counts; none if the
    table lacks the cell's variant."""
    family, parameters = cell["variant"].partition(":")[0], cell["parameters"]
    formulas: dict[str, str] = {}
    for entry in _older_logs()["logs"]:
        if family in entry["families"] and all(parameters.get(key) in values for key, values in
                                               entry.get("parameters", {}).items()):
            formulas.update(entry["growth"])
    return formulas, _older_logs()["units"]
