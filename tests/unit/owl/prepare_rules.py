"""Writes `prepared_rules.json`, with the argument `-` to standard output instead."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import astuple

import rdfinc.datalog.printing  # noqa: F401  (what `str` gives)
from rdfinc.datalog.model import Rule
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.profiles import prepared_rules, profile_rules
from rdfinc.owl.profiles.profile_rules import Asleep
from rdfinc.owl.vocabulary import LONG

LENGTHS = (*range(1, LISTS.long_list + 1), LONG)
"""The lengths of lists whose rules are prepared."""


def coded(part: Any) -> Any:
    if isinstance(part, tuple):
        return [0, *map(coded, part)]
    if type(part) in prepared_rules.CLASSES:
        own = astuple(part)
        return [prepared_rules.CLASSES.index(type(part)), *map(coded, own)]
    return part


def prepared() -> str:
    """The texts that the profiles ask the rules of, and their rules."""
    found: dict[str, tuple[Rule, ...]] = {}

    def note(text: str) -> tuple[Rule, ...]:
        return found.setdefault(text, tuple(parse_rules(text)))

    profile_rules.rules_of = note
    for profile in ("rdfs", "owl2rl"):
        ask(profile)
    lines = (f'"{prepared_rules.digest(text)}":{dumped(rules)}' for text, rules in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def ask(profile: str) -> None:
    profile_rules.fixed_rules(profile)
    profile_rules.axiomatic_rules(profile)
    for construct in sorted(profile_rules.list_constructs(profile)):
        for n in LENGTHS:
            profile_rules.list_rules(profile, construct, n)
    for each in (*profile_rules.sleeping_rules(profile), *profile_rules.datatype_rules(profile)):
        list(awake(each.rules()))


def awake(rules: Iterable[Rule | Asleep]) -> Iterator[Rule]:
    for each in rules:
        if isinstance(each, Asleep):
            yield from awake(each.rules())
        else:
            yield each


def dumped(rules: tuple[Rule, ...]) -> str:
    return json.dumps([coded(rule) for rule in rules], separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    if sys.argv[1:] == ["-"]:
        sys.stdout.write(prepared())
    else:
        Path(prepared_rules.__file__).with_name(prepared_rules.FILE).write_text(prepared(), "utf-8")
