"""Rules in the forms in which users hand them in: texts, files, Rule objects, and SWRL as triples.

Rules handed in as triples are read, and the triples are not stated.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rdfinc.datalog.model import Program, Rule
from rdfinc.errors import RuleError, RuleSyntaxError, TermError
from rdfinc.owl.swrl.swrl_triples import swrl_program
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.convert import statement_keys
from rdfinc.terms.io.formats import EXTENSIONS, is_known
from rdfinc.terms.io.reading import read
from rdfinc.terms.io.sources import expand

_PATH = re.compile(r"\s*(\S+\.\w{1,5}|[^\s\[\]<>]*[/\\][^\s\[\]<>]*)\s*")

Fact = tuple[str, str, str]

_ONE_BY_ONE = " in an iterable; that holds Rule objects or triples: give texts and Paths one by one"


def rules_of(rules: Any, prefixes: Mapping[str, str], *, unique_names: bool = False) -> list[Rule]:
    """The rules of a text (SWRL's if `->` is its arrow), of a file, a Rule, or all that an iterable
    holds: rules, or triples that state SWRL rules. Names in SWRL rules may be unique.

    Raises RuleError with the place, FileNotFoundError, TermError for anything else.
    """
    if isinstance(rules, str):
        from rdfinc.owl.swrl_text import is_swrl, parse_swrl

        if is_swrl(rules):
            return list(parse_swrl(rules, prefixes, unique_names=unique_names))
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


def facts_apart(rules: Iterable[Rule]) -> tuple[list[Rule], list[Fact]]:
    """The rules that have a body, and the facts that those without one state, by keys."""
    with_body, facts = list[Rule](), list[Fact]()
    for rule in rules:
        if not rule.is_fact or rule.head is None:
            with_body.append(rule)
        else:
            s, p, o = map(str, rule.head.terms())
            facts.append((s, p, o))
    return with_body, facts


def prefixes_of(rules: Any) -> dict[str, str]:
    """The prefixes that a text of rules, or a file of such, declares."""
    from rdfinc.datalog.syntax.rule_file import is_rule_file, rule_file_text
    from rdfinc.datalog.syntax.rule_statements import declared_prefixes
    from rdfinc.owl.swrl_text import is_swrl

    if isinstance(rules, str):
        return {} if is_swrl(rules) else declared_prefixes(rules)
    paths = expand([rules]) if isinstance(rules, os.PathLike) else ()
    texts = (rule_file_text(path) for path in paths if is_rule_file(path))
    return {prefix: iri for text in texts for prefix, iri in declared_prefixes(text).items()}


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


def rules_of_file(path: Path, *, unique_names: bool = False) -> list[Rule]:
    """The SWRL rules of an RDF file in any format.

    Raises RuleError, also if it has none; DataSyntaxError.
    """
    terms = Dictionary()
    loaded = read(path, terms)
    triples = _Triples(zip(*loaded.columns()[:3].tolist(), strict=True))
    return _found(swrl_program(triples, terms, unique_names=unique_names), str(path))


def rules_of_triples(triples: Iterable[Any], *, unique_names: bool = False) -> list[Rule]:
    """The SWRL rules among (s, p, o) or (s, p, o, graph). Raises RuleError, TermError."""
    terms = Dictionary()
    keys = (statement_keys(triple)[:3] for triple in triples)
    stated = _Triples(tuple(map(terms.encode, key)) for key in keys)
    return _found(swrl_program(stated, terms, unique_names=unique_names), "these triples")


def _found(rules: Program, source: str) -> list[Rule]:
    found = list(rules)
    if not found:
        raise RuleError(
            f"there are no SWRL rules (swrl:Imp) in {source}; OWL axioms are rules while they are "
            "among the facts: load or insert them"
        )
    return found


class _Triples:
    """Triples by ids, indexed both ways."""

    def __init__(self, triples: Iterable[tuple[int, ...]]) -> None:
        self._objects: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._subjects: dict[tuple[int, int], list[int]] = defaultdict(list)
        for s, p, o in dict.fromkeys(triples):
            self._objects[p, s].append(o)
            self._subjects[p, o].append(s)

    def objects(self, p: int, s: int) -> list[int]:
        return self._objects.get((p, s), [])

    def subjects(self, p: int, o: int) -> list[int]:
        return self._subjects.get((p, o), [])
