"""Conditions that only ask whether terms are the same: answered without looking at the terms."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from msgspec import Struct

from rdfinc.terms.late_patterns import late

_SIMPLE = r'(\?\w+|<[^\s<>]*>|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^\s<>]*>)?)'
_SAME = late(rf"(!?)sameTerm\({_SIMPLE},\s*{_SIMPLE}\)", re.DOTALL)
_COMPARISON = late(r"(\?\w+) (!?)= (\?\w+|<[^\s<>]*>)")
_CONNECTIVES = late(r"(?:[()\s]|!(?=\()|&&|\|\|)*")


class Identity(Struct, frozen=True):
    """`test(*variables, *constants)` is the condition.

    The arguments may be anything that is equal exactly for equal terms: keys, ids, arrays of ids,
    for which the test works element by element, or columns of a data frame.
    """

    constants: tuple[str, ...]
    test: Callable[..., Any]


@lru_cache(maxsize=1024)
def identity(text: str, variables: tuple[str, ...]) -> Identity | None:
    """The condition as a test of identity; None unless it is made of sameTerm, !, && and ||."""
    if not _SAME.search(text) or not _CONNECTIVES.fullmatch(_SAME.sub("", text)):
        return None
    operands = [operand for found in _SAME.finditer(text) for operand in found.groups()[1:]]
    constants = tuple(dict.fromkeys(operand for operand in operands if operand[0] != "?"))
    names = {f"?{name}": f"v{i}" for i, name in enumerate(variables)}
    names |= {constant: f"c{i}" for i, constant in enumerate(constants)}

    def comparison(found: re.Match[str]) -> str:
        return f"{'_differ' if found[1] else '_same'}({names[found[2]]}, {names[found[3]]})"

    source = _SAME.sub(comparison, text)
    source = source.replace("!(", "_not(").replace("&&", "&").replace("||", "|")
    functions = {"_same": operator.eq, "_differ": operator.ne, "_not": partial(operator.eq, False)}
    # the source holds nothing but the names made above, parentheses, & and |
    return Identity(constants, eval(f"lambda {', '.join(names.values())}: {source}", functions))


@lru_cache(maxsize=1024)
def comparison(text: str, variables: tuple[str, ...]) -> Identity | None:
    """`?x = ?y`, `?x != <iri>` and the like, as a test that is right unless both are literals."""
    found = _COMPARISON.fullmatch(text)
    if found is None:
        return None
    return identity(f"{found[2]}sameTerm({found[1]}, {found[3]})", variables)
