"""Sections 8.3 and 8.4 of the SWRL submission: booleans and strings.

Strings are plain: a text in a language, a number, an IRI is none. Regular expressions are those
of SPARQL's REGEX and REPLACE.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import pyoxigraph as ox

from rdfinc.terms.builtins.numeric import is_number, round_up_halves
from rdfinc.terms.builtins.values import NoValue
from rdfinc.terms.grammar import escape, literal_parts

_SPACE = re.compile("[ \t\r\n]+")


def texts(*values: Any) -> tuple[str, ...]:
    """The values, all strings. Raises NoValue for others."""
    if not all(type(value) is str for value in values):
        raise NoValue
    return values


def boolean_not(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NoValue
    return not value


def equal_ignoring_case(left: Any, right: Any) -> bool:
    one, other = texts(left, right)
    return one.casefold() == other.casefold()


def concatenation(*values: Any) -> str:
    return "".join(texts(*values))


def substring(value: Any, start: Any, length: Any = math.inf) -> str:
    """The characters at the rounded positions start … start + length − 1, counted from 1."""
    (text,) = texts(value)
    if not is_number(start) or not is_number(length):
        raise NoValue
    first = float(round_up_halves(start))
    end = first + float(round_up_halves(length))
    return "".join(c for i, c in enumerate(text, 1) if first <= i < end)


def length(value: Any) -> int:
    return len(texts(value)[0])


def normalize_space(value: Any) -> str:
    return _SPACE.sub(" ", texts(value)[0]).strip(" ")


def upper_case(value: Any) -> str:
    return texts(value)[0].upper()


def lower_case(value: Any) -> str:
    return texts(value)[0].lower()


def translate(value: Any, old: Any, new: Any) -> str:
    """Each character of `old` becomes the one at its place in `new`, or nothing."""
    text, old, new = texts(value, old, new)
    table = {ord(c): new[i : i + 1] for i, c in reversed(list(enumerate(old)))}
    return text.translate(table)


def contains(value: Any, part: Any) -> bool:
    text, part = texts(value, part)
    return part in text


def contains_ignoring_case(value: Any, part: Any) -> bool:
    text, part = texts(value, part)
    return part.casefold() in text.casefold()


def starts_with(value: Any, part: Any) -> bool:
    text, part = texts(value, part)
    return text.startswith(part)


def ends_with(value: Any, part: Any) -> bool:
    text, part = texts(value, part)
    return text.endswith(part)


def substring_before(value: Any, part: Any) -> str:
    """The text before the first occurrence; empty if there is none."""
    text, part = texts(value, part)
    return text[: max(text.find(part), 0)]


def substring_after(value: Any, part: Any) -> str:
    """The text behind the first occurrence; empty if there is none."""
    text, part = texts(value, part)
    at = text.find(part)
    return text[at + len(part) :] if at >= 0 else ""


# Regular expressions


_OF_XPATH = re.compile(r"\\([pPiIcC])|\\.|(\[(?:\\.|[^\]\\\[])+)-\[", re.DOTALL)
"""Categories of letters, and classes without others; an escape is passed over."""


def is_of_xpath(pattern: str) -> bool:
    """Whether a pattern has what XPath has and Python has not."""
    return any(found[1] or found[2] for found in _OF_XPATH.finditer(pattern))


def in_engine(pattern: str) -> str:
    """The pattern as the engine has it, which writes classes without others with another sign."""
    return _OF_XPATH.sub(lambda found: f"{found[2]}--[" if found[2] else found[0], pattern)


def matches(value: Any, pattern: Any) -> bool:
    """Does a part of the string match?"""
    text, pattern = texts(value, pattern)
    return by_engine("REGEX", text, in_engine(pattern)) == "true"


def replace(value: Any, pattern: Any, replacement: Any) -> str:
    text, pattern, replacement = texts(value, pattern, replacement)
    by = replacement_of(replacement, pattern)
    pattern = in_engine(pattern)
    _refuse_empty_match(pattern)
    return replaced_by_engine(text, pattern, by)


TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?!\?)|\$", re.DOTALL)
"""Of a pattern: an escape, a class, the begin of a group, or an end."""

Replacement = Sequence[str | int]
"""What is put in the place of a match: texts, and groups of the pattern by number."""

_PART = re.compile(r"\\([\\$])|\$([0-9]+)|([^\\$]+)|.", re.DOTALL)


@lru_cache(maxsize=256)
def replacement_of(written: str, pattern: str) -> Replacement:
    r"""A replacement as XPath writes it (Functions and Operators 3.1, 5.6.4): `$1` is a group, `\$`
    and `\\` are characters. Of digits after a `$` so many are meant as are the number of a group,
    and one at least; what is no group is empty. Raises NoValue for other uses of `$` and `\`."""
    groups = sum(found[0] == "(" for found in TOKEN.finditer(pattern))
    parts: list[str | int] = []
    for escaped, digits, text in _PART.findall(written):
        if not digits:
            if not (escaped or text):
                raise NoValue
            parts.append(escaped or text)
            continue
        group, rest = _group_of(digits, groups)
        if group <= groups:
            parts.append(group)
        parts.append(rest)
    return tuple(parts)


def _group_of(digits: str, groups: int) -> tuple[int, str]:
    """The number of a group, and the digits after it."""
    number = digits.lstrip("0")
    zeros = len(digits) - len(number)
    for length in range(min(len(number), len(str(groups))), 0, -1):
        if int(number[:length]) <= groups or zeros + length == 1:
            return int(number[:length]), number[length:]
    return 0, number


def is_token(token: Any, value: Any, pattern: Any) -> bool:
    """Is the first string among those into which the pattern cuts the second?"""
    token, text, pattern = texts(token, value, pattern)
    pattern = in_engine(pattern)
    _refuse_empty_match(pattern)
    mark = _mark(text)
    return token in by_engine("REPLACE", text, pattern, mark).split(mark)


def _mark(text: str) -> str:
    """A character that is not in a text."""
    return next(c for c in map(chr, range(0xE000, 0xF8FF)) if c not in text)


def _refuse_empty_match(pattern: str) -> None:
    if by_engine("REGEX", "", pattern) == "true":
        raise NoValue


LONGEST_TEXT = 1 << 26
"""Characters of a text that a function makes, at most: longer ones are no value."""


def replaced_by_engine(text: str, pattern: str, by: Replacement, flags: str = "") -> str:
    """The text with a replacement for each match. Raises NoValue where that is too long. Memory:
    twice the longest text; where more could be made, the matches are counted before, by a mark for
    each of them."""
    written = sum(len(part) for part in by if isinstance(part, str))
    groups = sum(isinstance(part, int) for part in by)
    kept = (1 + groups) * len(text)
    if kept + written * (len(text) + 1) > 2 * LONGEST_TEXT:
        mark = _mark(text)
        times = by_engine("REPLACE", text, pattern, mark, flags).count(mark)
        if kept + written * times > 2 * LONGEST_TEXT:
            raise NoValue
    in_its = "".join(p.replace("$", "$$") if isinstance(p, str) else f"${{{p}}}" for p in by)
    made = by_engine("REPLACE", text, pattern, in_its, flags)
    if len(made) > LONGEST_TEXT:
        raise NoValue
    return made


@lru_cache(maxsize=4096)
def by_engine(function: str, *arguments: str) -> str:
    """The lexical form of what a SPARQL function gives. Raises NoValue if that is nothing."""
    written = ", ".join(f'"{escape(argument)}"' for argument in arguments)
    solutions: Any = _engine().query(f"SELECT ({function}({written}) AS ?r) {{}}")
    found = next(iter(solutions))[0]
    if found is None:
        raise NoValue
    return literal_parts(str(found).encode())[0]


def matched_by_engine(texts: Sequence[str], pattern: str, flags: str) -> list[bool]:
    """For each of some texts whether a part matches, told by one query, which takes 3 µs a text and
    no time to begin. Raises NoValue for a pattern that the engine does not know."""
    by_engine("REGEX", "", pattern, flags)
    rows = " ".join(f'({place} "{escape(text)}")' for place, text in enumerate(texts))
    test = f'REGEX(?text, "{escape(pattern)}", "{escape(flags)}")'
    solutions: Any = _engine().query(
        f"SELECT ?place {{ VALUES (?place ?text) {{ {rows} }} FILTER({test}) }}"
    )
    found = [False] * len(texts)
    for (place,) in solutions:
        found[int(place.value)] = True
    return found


@cache
def _engine() -> ox.Store:
    return ox.Store()
