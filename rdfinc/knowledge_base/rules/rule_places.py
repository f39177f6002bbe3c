"""The places of unstratifiable rules in the texts and files that users hand in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rdfinc.errors import UnstratifiableError
from rdfinc.terms.io.sources import expand


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
