"""Unstratifiable rules: which of a user's are to blame, and their places in texts and files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rdfinc.datalog.analysis.rule_hypergraph import EdgeKind, head_of, inputs
from rdfinc.datalog.model import Rule
from rdfinc.datalog.relations import relation_text
from rdfinc.errors import UnstratifiableError
from rdfinc.terms.io.sources import expand


def to_blame(rules: Iterable[Rule], cycle: AbstractSet[str]) -> Iterator[Rule]:
    """User rules that contribute a negated or aggregated edge to the cycle. There are none if an
    axiom or a variable for a relation contributes it."""
    for rule in rules:
        awaited = [relation for relation, kind in inputs(rule) if kind is not EdgeKind.positive]
        names = {relation_text(relation, {}) for relation in awaited}
        if relation_text(head_of(rule), {}) in cycle and not names.isdisjoint(cycle):
            yield rule


@contextmanager
def placing(rules: Any, prefixes: Mapping[str, str]) -> Iterator[None]:
    """An UnstratifiableError gets the place of the first rule to blame in a text or path."""
    try:
        yield
    except UnstratifiableError as error:
        if isinstance(rules, str):
            raise _placed(error, rules, prefixes) from None
        paths = expand([rules]) if isinstance(rules, os.PathLike) else []
        raise _in_files(error, paths, prefixes) from None


@contextmanager
def placing_in_files(files: Iterable[str], prefixes: Mapping[str, str]) -> Iterator[None]:
    """As `placing`, for files of any kind."""
    try:
        yield
    except UnstratifiableError as error:
        raise _in_files(error, map(Path, files), prefixes) from None


def _in_files(
    error: UnstratifiableError, paths: Iterable[Path], prefixes: Mapping[str, str]
) -> UnstratifiableError:
    from rdfinc.datalog.syntax.rule_file import is_rule_file, rule_file_text

    for path in filter(is_rule_file, paths):
        if _placed(error, rule_file_text(path), prefixes).line:
            return error.within(str(path))
    return error


def _placed(
    error: UnstratifiableError, text: str, prefixes: Mapping[str, str]
) -> UnstratifiableError:
    from rdfinc.datalog.syntax.rule_statements import statements

    for statement in statements(text, prefixes):
        if not {*map(str, statement.rules)}.isdisjoint(error.rules):
            return error.at(text, statement.span.line, statement.span.column)
    return error
