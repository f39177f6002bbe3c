"""Regular expressions that end: each is told beforehand how many steps backtracking may take.

Few are left to Python's `re`; more go to pyoxigraph's engine, which takes time linear in the text
and finds the same matches, but has no look-around and no references back.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from importlib import import_module
from typing import Any

from rdfinc import BudgetExceededError
from rdfinc.terms.builtins.strings import by_engine
from rdfinc.terms.builtins.values import NoValue

_sre: Any = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

STEPS = 100_000
"""What `re` may take, some thousandths of a second; in any case `LINEAR` for each character."""

LINEAR = 64
LONGEST_QUICK = 1 << 20
"""Characters of a text up to which it is told beforehand."""

_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_SINGLE = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "AT", "GROUPREF")
_FLAGS = {"i": re.IGNORECASE, "s": re.DOTALL, "m": re.MULTILINE, "x": re.VERBOSE}

Choices = tuple[float, int]
"""(c, d): on a text of n characters there are at most c·nᵈ ways to match from one place."""

_ONE: Choices = (1, 0)


def search(pattern: str, text: str, flags: str) -> bool:
    """Whether a part of the text matches. Raises BudgetExceededError where that may take for ever,
    `re.error`."""
    pattern, flags = _literal(pattern, flags), _known(flags)
    if _is_quick(pattern, len(text), flags):
        return re.search(pattern, text, python_flags(flags)) is not None
    return _linear("REGEX", pattern, text, pattern, flags) == "true"


@lru_cache(maxsize=256)
def quick_search(pattern: str, flags: str) -> tuple[Callable[[str], Any], int, str]:
    """The search of `re`, up to which length of a text it is quick, and what each match contains.
    Raises `re.error`."""
    pattern, flags = _literal(pattern, flags), _known(flags)
    longest = 0
    while longest < LONGEST_QUICK and _is_quick(pattern, 2 * longest + 1, flags):
        longest = 2 * longest + 1
    parsed = _sre.parse(pattern, python_flags(flags))
    part = "" if parsed.state.flags & re.IGNORECASE else max(_parts(parsed), key=len)
    return re.compile(pattern, python_flags(flags)).search, longest, part


def _parts(parsed: Iterable[Any]) -> Iterator[str]:
    """Texts that each match contains."""
    part = ""
    for kind, given in parsed:
        if str(kind) == "LITERAL":
            part += chr(given)
        else:
            yield part
            part = ""
    yield part


def substitute(pattern: str, by: str, text: str, flags: str) -> str:
    """The text with `by` (`$1` is a group, `\\$` and `\\\\` are characters) for each match.

    Raises as `search` does. Of empty matches the two engines find different ones.
    """
    by = by.replace("\\", r"\\").replace("$", r"\$") if "q" in flags else by
    pattern, flags = _literal(pattern, flags), _known(flags)
    if _is_quick(pattern, len(text), flags):
        python = re.sub(r"\\([\\$])|\$([0-9]+)", _escape_of_python, by)
        return re.sub(pattern, python, text, flags=python_flags(flags))
    if re.match(pattern, "", python_flags(flags)):
        raise _endless(pattern)
    engine = re.sub(r"\\([\\$])|\$([0-9]+)", _escape_of_engine, by)
    return _linear("REPLACE", pattern, text, pattern, engine, flags)


def _literal(pattern: str, flags: str) -> str:
    """The pattern; with the flag q, one that matches it as a text."""
    return re.escape(pattern) if "q" in flags else pattern


def _known(flags: str) -> str:
    """The flags of the engines: beside q, only i says anything. Raises `re.error`."""
    if unknown := set(flags) - {*_FLAGS, "q"}:
        raise re.error(f"{', '.join(sorted(unknown))}: no flag of a regular expression")
    return "i" * ("i" in flags) if "q" in flags else flags


def python_flags(flags: str) -> int:
    return reduce(lambda known, letter: known | _FLAGS[letter], flags, 0)


def _escape_of_python(found: re.Match[str]) -> str:
    return rf"\g<{found[2]}>" if found[2] else {"\\": r"\\", "$": "$"}[found[1]]


def _escape_of_engine(found: re.Match[str]) -> str:
    return f"${{{found[2]}}}" if found[2] else {"\\": "\\", "$": "$$"}[found[1]]


def _linear(function: str, pattern: str, *arguments: str) -> str:
    try:
        return by_engine(function, *arguments)
    except NoValue:
        raise _endless(pattern) from None


def _endless(pattern: str) -> BudgetExceededError:
    message = (
        f"query stopped: the regular expression {pattern[:80]!r} may take for ever; repeat nothing"
        " that itself has choices (* + ? |), or do without references back, look-around, and empty"
        " matches to replace"
    )
    return BudgetExceededError(message, "regex", STEPS, math.inf)


def _is_quick(pattern: str, length: int, flags: str) -> bool:
    """Whether `re` is, with texts of that length, and so with shorter ones."""
    width, (ways, degree) = _measured(pattern, python_flags(flags))
    size = length + 1
    return min(width, size) * ways * float(size) ** (degree + 1) <= max(STEPS, LINEAR * size)


@lru_cache(maxsize=1024)
def _measured(pattern: str, flags: int) -> tuple[int, Choices]:
    """The least length of a match, and the choices."""
    parsed = _sre.parse(pattern, flags)
    return max(parsed.getwidth()[0], 1), _in_turn(parsed)


def _in_turn(parts: Sequence[Any]) -> Choices:
    found = [_choices(str(kind), given) for kind, given in parts]
    return math.prod(ways for ways, _ in found), sum(degree for _, degree in found)


def _choices(kind: str, given: Any) -> Choices:
    """Of one part, as the parser of `re` has it; of what it is not known, no end of them."""
    if kind in _SINGLE:
        return _ONE
    if kind in _REPEATS:
        return _repeated(*given)
    if kind == "SUBPATTERN":
        return _in_turn(given[-1])
    if kind == "BRANCH":
        branches = [_in_turn(branch) for branch in given[1]]
        return sum(ways for ways, _ in branches), max(degree for _, degree in branches)
    return math.inf, 0


def _repeated(least: int, most: int, parts: Sequence[Any]) -> Choices:
    ways, degree = _in_turn(parts)
    if most <= 1:
        return ways + 1, degree
    if (ways, degree) != _ONE:
        return math.inf, 0
    return (1, 1) if most == _sre.MAXREPEAT else (most - least + 1, 0)
