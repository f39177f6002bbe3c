"""What users hand in as rules."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rdfinc.datalog.model import Rule
from rdfinc.errors import RuleSyntaxError, TermError
from rdfinc.knowledge_base.swrl_sources import rules_of_file, rules_of_triples
from rdfinc.terms.sources import expand

_PATH = re.compile(r"\s*(\S+\.\w{1,5}|[^\s\[\]<>]*[/\\][^\s\[\]<>]*)\s*")


def rules_of(rules: Any, prefixes: Mapping[str, str]) -> list[Rule]:
    """The rules of a text, of a file, a Rule, or all that an iterable holds: rules, or triples that
    state SWRL rules.

    Raises RuleError with the place, FileNotFoundError, TermError for anything else.
    """
    if isinstance(rules, str):
        return _written(rules, prefixes)
    if isinstance(rules, os.PathLike):
        return [rule for path in expand([rules]) for rule in _stored(path, prefixes)]
    if isinstance(rules, Rule):
        return [rules]
    if isinstance(rules, bytes) or not isinstance(rules, Iterable):
        raise _no_rules(rules)
    found = list(rules)
    if found and all(isinstance(each, tuple) for each in found):
        return rules_of_triples(found)
    for rule in found:
        if not isinstance(rule, Rule):
            raise _no_rules(rule)
    return found


def _written(text: str, prefixes: Mapping[str, str]) -> list[Rule]:
    from rdfinc.datalog.statements import safe_rules

    try:
        return safe_rules(text, prefixes)
    except RuleSyntaxError as error:
        path = _PATH.fullmatch(text)
        if path is None:
            raise
        hint = f"a str is read as rule text; for a file give Path({path[1]!r})"
        raise RuleSyntaxError(f"{error.reason}; {hint}", text, error.line, error.column) from None


def _stored(path: Path, prefixes: Mapping[str, str]) -> list[Rule]:
    from rdfinc.datalog.rule_file import SUFFIX, read_rule_file

    if path.suffix != SUFFIX:
        return rules_of_file(path)
    return read_rule_file(path, prefixes)


def _no_rules(value: object) -> TermError:
    return TermError(
        "rules are text, the Path of a file, Rule objects or triples, not "
        f"{type(value).__name__} {value!r}"
    )
