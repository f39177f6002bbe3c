"""What an update changes, and in what the closures of two files differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rdfinc.cli.console import cell
from rdfinc.datalog.printing import term_text
from rdfinc.terms.io.convert import key_of

SHOWN = 50
"""Facts that came, or went, that people are shown."""

_BLANK = re.compile(r"_:\S+")


def lines(facts: Iterable[Any], prefixes: Mapping[str, str]) -> list[str]:
    """Facts as text, in order."""
    return sorted(
        " ".join(cell(term_text(key_of(term).decode(), prefixes)) for term in fact)
        for fact in facts
    )


def changes_text(added: list[str], removed: list[str]) -> str:
    """What came and went, and how many."""
    count = f"{len(added):,} came, {len(removed):,} went"
    return "\n".join([*_signed("+", added), *_signed("-", removed), count])


def _signed(sign: str, facts: list[str]) -> Iterator[str]:
    yield from (f"{sign} {fact}" for fact in facts[:SHOWN])
    if len(facts) > SHOWN:
        yield f"{sign} … and {len(facts) - SHOWN:,} more"


def differences(
    old: Iterable[Any], new: Iterable[Any], prefixes: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """The facts that are only among the new ones, and those that are only among the old ones.
    Labels of blank nodes mean nothing beyond a file, so that all are taken for one."""
    before, after = (Counter(_nameless(facts, prefixes)) for facts in (old, new))
    return sorted((after - before).elements()), sorted((before - after).elements())


def _nameless(facts: Iterable[Any], prefixes: Mapping[str, str]) -> Iterator[str]:
    for fact in facts:
        texts = (term_text(key_of(term).decode(), prefixes) for term in fact)
        yield " ".join("[]" if _BLANK.fullmatch(text) else text for text in texts)
