"""Regular expressions that end: each is told beforehand how many steps backtracking may take.

Few are left to Python's `re`; more go to pyoxigraph's engine, which takes time linear in the text
and finds the same matches, but has no look-around and no references back. What XPath writes in
another way than Python (Functions and Operators 3.1, 5.6.1 and 5.6.4) is translated, or left to
the engine.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from importlib import import_module
from typing import Any

from rdfinc.errors import BudgetExceededError
from rdfinc.terms.builtins.strings import (
    LONGEST_TEXT,
    TOKEN,
    Replacement,
    by_engine,
    in_engine,
    is_of_xpath,
    matched_by_engine,
    replaced_by_engine,
    replacement_of,
)
from rdfinc.terms.builtins.values import NoValue

_sre: Any = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

STEPS = 100_000
"""What `re` may take, some thousandths of a second; in any case `LINEAR` for each character."""

LINEAR = 64
LONGEST_QUICK = 1 << 20
"""Characters of a text up to which it is told beforehand."""
TEXTS_AT_ONCE = 1 << 11
"""Texts that are searched between two checks, and that the engine is asked about at once."""

_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_LOOKS = ("ASSERT", "ASSERT_NOT")
_SINGLE = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "AT", "GROUPREF")
_FLAGS = {"i": re.IGNORECASE, "s": re.DOTALL, "m": re.MULTILINE, "x": re.VERBOSE}

Choices = tuple[float, int]
"""(c, d): on a text of n characters there are at most c·nᵈ ways to match from one place."""

_ONE: Choices = (1, 0)


def search(pattern: str, text: str, flags: str) -> bool:
    """Whether a part of the text matches. Raises BudgetExceededError where that may take for ever,
    `re.error`."""
    pattern, flags = _literal(pattern, flags), _known(flags)
    python = _in_python(pattern, flags)
    if python is not None and _is_quick(python, len(text), flags):
        return re.search(python, text, python_flags(flags)) is not None
    return _linear("REGEX", pattern, text, in_engine(pattern), flags) == "true"


def search_all(
    pattern: str, texts: Sequence[str], flags: str, check: Callable[[], None]
) -> list[bool]:
    """For each of some texts whether a part matches, with a `check` before some of them. Raises as
    `search` does."""
    quick, longest, _ = quick_search(pattern, flags)
    slow = [*dict.fromkeys(text for text in texts if len(text) > longest)]
    known: dict[str, bool] = {}
    pattern, flags = _literal(pattern, flags), _known(flags)
    for start in range(0, len(slow), TEXTS_AT_ONCE):
        check()
        some = slow[start : start + TEXTS_AT_ONCE]
        known |= zip(some, _all_linear(pattern, some, flags), strict=True)
    found: list[bool] = []
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        check()
        for text in texts[start : start + TEXTS_AT_ONCE]:
            found.append(known[text] if len(text) > longest else bool(quick(text)))
    return found


@lru_cache(maxsize=256)
def quick_search(pattern: str, flags: str) -> tuple[Callable[[str], Any], int, str]:
    """The search of `re`, up to which length of a text it is quick, -1 for none, and what each
    match contains. Raises `re.error`."""
    pattern, flags = _literal(pattern, flags), _known(flags)
    python = _in_python(pattern, flags)
    if python is None:
        return bool, -1, ""
    longest = 0
    while longest < LONGEST_QUICK and _is_quick(python, 2 * longest + 1, flags):
        longest = 2 * longest + 1
    parsed = _sre.parse(python, python_flags(flags))
    part = "" if parsed.state.flags & re.IGNORECASE else max(_parts(parsed), key=len)
    return re.compile(python, python_flags(flags)).search, longest, part


@lru_cache(maxsize=256)
def _in_python(pattern: str, flags: str) -> str | None:
    """The pattern as `re` has it; None if that has no such patterns. Where `$` is the end of the
    text alone, Python has another letter for it."""
    if is_of_xpath(pattern):
        return None
    if "m" in flags:
        return pattern
    return TOKEN.sub(lambda found: r"\Z" if found[0] == "$" else found[0], pattern)


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

    Raises as `search` does, and NoValue for other uses of `$` and `\\`, for what would be too long,
    and for a pattern that an empty text matches (err:FORX0003): it would match between all
    characters, and engines differ in where.
    """
    is_literal = "q" in flags
    if _matches_nothing(pattern, flags):
        raise NoValue
    pattern, flags = _literal(pattern, flags), _known(flags)
    parts: Replacement = [by] if is_literal else replacement_of(by, pattern)
    python = _in_python(pattern, flags)
    if python is not None and _is_quick(python, len(text), flags):
        return _by_python(python, parts, text, flags)
    _linear("REGEX", pattern, "", in_engine(pattern), flags)  # the engine knows the pattern
    return replaced_by_engine(text, in_engine(pattern), parts, flags)


@lru_cache(maxsize=256)
def _matches_nothing(pattern: str, flags: str) -> bool:
    return search(pattern, "", flags)


def _by_python(pattern: str, by: Replacement, text: str, flags: str) -> str:
    made = 0

    def meant(found: re.Match[str]) -> str:
        nonlocal made
        new = [part if isinstance(part, str) else found[part] or "" for part in by]
        made += sum(map(len, new))
        if made > LONGEST_TEXT:
            raise NoValue
        return "".join(new)

    found = re.sub(pattern, meant, text, flags=python_flags(flags))
    if len(found) > LONGEST_TEXT:
        raise NoValue
    return found


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


def _linear(function: str, pattern: str, *arguments: str) -> str:
    try:
        return by_engine(function, *arguments)
    except NoValue:
        raise _unknown(pattern) from None


def _all_linear(pattern: str, texts: Sequence[str], flags: str) -> list[bool]:
    try:
        return matched_by_engine(texts, in_engine(pattern), flags)
    except NoValue:
        raise _unknown(pattern) from None


def _unknown(pattern: str) -> Exception:
    """The error for a pattern that the engine does not know: only `re` does, or none."""
    if is_of_xpath(pattern):
        return re.error(f"{pattern[:80]!r} is no regular expression")
    return _endless(pattern)


def _endless(pattern: str) -> BudgetExceededError:
    message = (
        f"query stopped: the regular expression {pattern[:80]!r} may take for ever; repeat nothing"
        " that itself has choices (* + ? |), or do without references back and look-around"
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
    if kind in _LOOKS:
        return _in_turn(given[1])
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
