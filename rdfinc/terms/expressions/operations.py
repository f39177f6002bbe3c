"""The operators of a SPARQL expression, with the operands that they join."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rdfinc.terms.expressions.rewriting import Call, Item, Part, text_of

RELATIONS = ("=", "!=", "<", "<=", ">", ">=", "IN", "NOT IN")
SIGNS = ("!", "+", "-")
_LEVELS = (("||",), ("&&",), RELATIONS, ("+", "-"), ("*", "/"))
"""Operators between operands, from those that bind least."""

_OPERATORS = {*SIGNS, *(operator for level in _LEVELS for operator in level)}


class Operation(Struct, frozen=True):
    """Operands joined by operators that bind alike, which group to the left; or one operand with
    its sign."""

    operators: tuple[str, ...]
    operands: tuple[Part, ...]


def operation(part: Part) -> Operation | Item:
    """The outermost operation of a part of an expression; its token or call if it has none.

    Linear in the tokens of the part.
    """
    items = _words(part)
    for level in _LEVELS:
        operators, operands = _split(items, level)
        if operators:
            return Operation(tuple(operators), tuple(operands))
    if len(items) > 1 and items[0] in SIGNS:
        return Operation((str(items[0]),), (items[1:],))
    return items[0] if len(items) == 1 else text_of(items)


def _words(part: Part) -> Part:
    """The items without space, NOT IN being one of them."""
    words: Part = []
    for item in part:
        if isinstance(item, Call):
            words.append(item)
        elif item.upper() == "IN" and words and str(words[-1]).upper() == "NOT":
            words[-1] = "NOT IN"
        elif not item.isspace():
            words.append("IN" if item.upper() == "IN" else item)
    return words


def _split(items: Part, level: Sequence[str]) -> tuple[list[str], list[Part]]:
    """The operators of a level between operands, and these."""
    operators: list[str] = []
    operands: list[Part] = [[]]
    for item in items:
        if operands[-1] and item in level and not _is_operator(operands[-1][-1]):
            operators.append(str(item))
            operands.append([])
        else:
            operands[-1].append(item)
    return operators, operands


def _is_operator(item: Item) -> bool:
    return isinstance(item, str) and item in _OPERATORS
