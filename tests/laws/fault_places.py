"""Where the code of a fault is: found as a syntax tree, in a function that is named.

Layout, comments and what else the module holds do not matter, nor in which folder it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from laws.faults import Fault


def faulty(fault: Fault, package: Path) -> list[tuple[Path, str]]:
    """The modules of a package in which the code of a fault is, each with its text when the fault
    has taken the place of that; one for each time that it is there."""
    module, _, name = fault.place.partition(".")
    return [
        (path, text)
        for path in package.rglob(f"{module}.py")
        for text in _texts(path.read_text(encoding="utf-8"), name, fault)
    ]


def _texts(text: str, name: str, fault: Fault) -> Iterator[str]:
    tree = ast.parse(text)
    place = _named(tree, name.split(".") if name else [])
    old, new = (ast.parse(code).body for code in (fault.old, fault.new))
    for parent, field, at in _occurrences(place, old, new) if place else ():
        there = getattr(parent, field)
        setattr(parent, field, _replaced(there, at, old, new))
        yield ast.unparse(tree)
        setattr(parent, field, there)


def _named(place: ast.AST, names: list[str]) -> ast.AST | None:
    """The class or function of a qualified name."""
    for name in names:
        inner = (each for each in ast.iter_child_nodes(place) if getattr(each, "name", "") == name)
        found = next(inner, None)
        if found is None:
            return None
        place = found
    return place


def _occurrences(
    place: ast.AST, old: list[ast.stmt], new: list[ast.stmt]
) -> Iterator[tuple[ast.AST, str, int | None]]:
    """The node and the field of it, and the position if that is a list, at which the code is."""
    wanted = [ast.dump(each) for each in old]
    if _expression(old) and _expression(new):
        wanted = [ast.dump(_expression(old))]
    for node in ast.walk(place):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST) and [ast.dump(value)] == wanted:
                yield node, field, None
            elif isinstance(value, list) and all(isinstance(each, ast.AST) for each in value):
                there = [ast.dump(each) for each in value]
                for at in range(len(there) - len(wanted) + 1):
                    if there[at : at + len(wanted)] == wanted:
                        yield node, field, at


def _replaced(there: object, at: int | None, old: list[ast.stmt], new: list[ast.stmt]) -> object:
    instead = [_expression(new)] if _expression(old) and _expression(new) else new
    if at is None:
        return instead[0]
    assert isinstance(there, list)
    return [*there[:at], *instead, *there[at + len(old) :]]


def _expression(code: list[ast.stmt]) -> ast.expr | None:
    """What code evaluates, if it is nothing but an expression."""
    only = code[0] if len(code) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None
