"""A function of SPARQL, and the ways in which it looks at its operands (`term_columns`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from rdfinc.plugins.sparql.columns.enclosed_texts import EnclosedTexts
from rdfinc.tables.kernels import Mask
from rdfinc.terms.builtins.value_arrays import TypedValues
from rdfinc.terms.builtins.values import NoValue

FAULTS = (ArithmeticError, AttributeError, IndexError, TypeError, ValueError, re.error)
"""The exceptions of functions that stand for errors in the sense of SPARQL."""

VALUES, TEXTS, KEYS, LEXICAL, TRUTHS = "values", "texts", "keys", "lexical", "truths"


class Function(Struct, frozen=True):
    """`function` of operands in these `views` gives values, keys or truths.

    `operands` are their names in nodes of expressions. Where the first operand is of type str, and
    the others are so, or of the type `others`, the function `simple` gives the same. So do `typed`
    for whole columns of values, and `enclosed` for many texts as one and single texts beside;
    both may give None.
    """

    operands: tuple[str, ...]
    views: tuple[str, ...]
    function: Callable[..., Any]
    gives: str = VALUES
    simple: Callable[..., Any] | None = None
    others: type = str
    typed: Callable[..., TypedValues | None] | None = None
    enclosed: Callable[..., EnclosedTexts | Mask | None] | None = None


def unary(view: str, function: Any, gives: str = VALUES, **ways: Any) -> Function:
    return Function(("arg",), (view,), function, gives, **ways)


def binary(views: tuple[str, str], function: Any, gives: str = VALUES, **ways: Any) -> Function:
    return Function(("arg1", "arg2"), views, function, gives, **ways)


def literal_key(key: bytes) -> bytes:
    """The key of a literal; raises NoValue for other terms."""
    if key[:1] != b'"':
        raise NoValue
    return key
