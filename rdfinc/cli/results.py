"""Answers to queries, as tables for people and in the formats of programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import click

from rdfinc.cli.console import cell, put_data
from rdfinc.cli.files import write_text
from rdfinc.cli.output import table
from rdfinc.datalog.printing import term_text
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.terms.io.convert import key_of

FORMS = ["table", "csv", "tsv", "json", "xml"]
_OF_GRAPHS = {"table": "turtle", "json": "json-ld", "xml": "xml"}
_BY_SUFFIX = {
    ".txt": "table", ".csv": "csv", ".tsv": "tsv", ".json": "json", ".srj": "json",
    ".xml": "xml", ".srx": "xml",
}  # fmt: skip
_GRAPHS_BY_SUFFIX = {".ttl": "table", ".jsonld": "json", ".rdf": "xml"}


def put_answer(result: Any, form: str, limit: int | None, namespaces: Mapping[str, str]) -> None:
    """Prints an answer, of a SELECT at most so many rows."""
    if result.graph is not None and form not in _OF_GRAPHS:
        raise click.BadParameter(
            f"a graph is no {form}; it can be table (Turtle), json (JSON-LD) or xml",
            param_hint="--results",
        )
    text = _text(result, form, limit, namespaces)
    put_data(_with_line_feeds(text) if form == "csv" else text)


def write_answer(
    result: Any, output: Path, limit: int | None, namespaces: Mapping[str, str]
) -> None:
    """Writes an answer to a file, in the form that its extension tells."""
    known = _BY_SUFFIX if result.graph is None else _GRAPHS_BY_SUFFIX
    if output.suffix not in known:
        what = "rows are" if result.graph is None else "a graph is"
        raise click.BadParameter(
            f"{output}: {what} written as one of {' '.join(known)}", param_hint="--output"
        )
    text = _text(result, known[output.suffix], limit, namespaces)
    write_text(output, text if text.endswith("\n") else f"{text}\n")


def _text(result: Any, form: str, limit: int | None, namespaces: Mapping[str, str]) -> str:
    if result.graph is not None:
        text: str = result.serialize(format=_OF_GRAPHS[form]).decode()
        return text.rstrip()
    if result.type == "ASK" and form not in ("json", "xml"):
        return "true" if result.askAnswer else "false"
    if form == "table":
        return _table(result, limit, namespaces)
    if limit is not None and result.type == "SELECT":
        rows = [zip(result.vars, row, strict=True) for row in islice(result, limit)]
        result.bindings = [{v: term for v, term in row if term is not None} for row in rows]
    found: str = result.serialize(format=form).decode()
    return found


def _with_line_feeds(text: str) -> str:
    """CSV with line feeds between its rows, as other programs of a terminal print lines; those in
    quotes stay."""
    return _QUOTED_OR_END.sub(lambda found: found[1] or "\n", text)


_QUOTED_OR_END = re.compile(r'("[^"]*")|\r\n')


def _table(result: Any, limit: int | None, namespaces: Mapping[str, str]) -> str:
    """Aligned columns, with long terms cut, and the number of rows."""
    known = {**PREFIXES, **namespaces}
    found = iter(result)
    rows = [
        ["" if t is None else cell(term_text(key_of(t).decode(), known)) for t in row]
        for row in islice(found, limit)
    ]
    more = sum(1 for _ in found)
    count = f"{len(rows):,} row{'s' * (len(rows) != 1)}" + (f", and {more:,} more" if more else "")
    return "\n".join([*table([[f"?{v}" for v in result.vars], *rows]), "", count])
