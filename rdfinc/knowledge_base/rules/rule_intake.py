"""Rules in the forms in which users hand them in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rdfinc.datalog.model import Rule
from rdfinc.errors import RuleError, RuleSyntaxError, TermError
from rdfinc.knowledge_base.rules.swrl_sources import rules_of_file, rules_of_triples
from rdfinc.terms.io.formats import EXTENSIONS, is_known
from rdfinc.terms.io.sources import expand

_PATH = re.compile(r"\s*(\S+\.\w{1,5}|[^\s\[\]<>]*[/\\][^\s\[\]<>]*)\s*")

_ONE_BY_ONE = " in an iterable; that holds Rule objects or triples: give texts and Paths one by one"


def rules_of(rules: Any, prefixes: Mapping[str, str], *, unique_names: bool = False) -> list[Rule]:
    """The rules of a text, of a file, a Rule, or all that an iterable holds: rules, or triples that
    state SWRL rules, about names that may be unique.

    Raises RuleError with the place, FileNotFoundError, TermError for anything else.
    """
    if isinstance(rules, str):
        return _written(rules, prefixes)
    if isinstance(rules, os.PathLike):
        stored = partial(_stored, prefixes=prefixes, unique_names=unique_names)
        return [rule for path in expand([rules]) for rule in stored(path)]
    if isinstance(rules, Rule):
        return [rules]
    if isinstance(rules, bytes) or not isinstance(rules, Iterable):
        raise _no_rules(rules)
    found = list(rules)
    if found and all(isinstance(each, tuple) for each in found):
        return rules_of_triples(found, unique_names=unique_names)
    for rule in found:
        if not isinstance(rule, Rule):
            raise _no_rules(rule, _ONE_BY_ONE)
    return found


def _written(text: str, prefixes: Mapping[str, str]) -> list[Rule]:
    from rdfinc.datalog.syntax.rule_statements import safe_rules

    try:
        return safe_rules(text, prefixes)
    except RuleSyntaxError as error:
        path = _PATH.fullmatch(text)
        if path is None:
            raise
        hint = f"a str is read as rule text; for a file give Path({path[1]!r})"
        raise RuleSyntaxError(f"{error.reason}; {hint}", text, error.line, error.column) from None


def _stored(path: Path, prefixes: Mapping[str, str], *, unique_names: bool) -> list[Rule]:
    from rdfinc.datalog.syntax.rule_file import SUFFIX, is_rule_file, read_rule_file

    if is_rule_file(path):
        return read_rule_file(path, prefixes)
    if not is_known(path):
        raise RuleError(
            f"{path}: its extension tells no format that rules stand in; there are {SUFFIX}, and"
            f" for SWRL rules {EXTENSIONS}: rename the file, or give its text"
        )
    return rules_of_file(path, unique_names=unique_names)


def _no_rules(value: object, advice: str = "") -> TermError:
    return TermError(
        "rules are text, the Path of a file, Rule objects or triples, not "
        f"{type(value).__name__} {value!r}{advice}"
    )
