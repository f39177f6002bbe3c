"""Answers to queries, as tables for people and in the formats of programs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import click

from rdfinc.cli.console import cell, clean, put, put_data
from rdfinc.cli.output import table
from rdfinc.datalog.printing import term_text
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.terms.io.convert import key_of

FORMS = ["table", "csv", "tsv", "json", "xml"]
_OF_GRAPHS = {"table": "turtle", "json": "json-ld", "xml": "xml"}


def put_answer(result: Any, form: str, limit: int | None, namespaces: Mapping[str, str]) -> None:
    """Prints an answer, of a SELECT at most so many rows."""
    if result.graph is not None:
        if form not in _OF_GRAPHS:
            raise click.BadParameter(
                f"a graph is no {form}; it can be table (Turtle), json (JSON-LD) or xml",
                param_hint="--results",
            )
        put_data(result.serialize(format=_OF_GRAPHS[form]).decode().rstrip())
    elif result.type == "ASK" and form not in ("json", "xml"):
        put("true" if result.askAnswer else "false")
    elif form == "table":
        put(_table(result, limit, namespaces))
    elif form == "tsv":
        put_data("\n".join(_tsv(result, limit)))
    else:
        if limit is not None and result.type == "SELECT":
            rows = [zip(result.vars, row, strict=True) for row in islice(result, limit)]
            result.bindings = [{v: term for v, term in row if term is not None} for row in rows]
        text = result.serialize(format=form).decode()
        put_data(text.replace("\r\n", "\n") if form == "csv" else text)


def _table(result: Any, limit: int | None, namespaces: Mapping[str, str]) -> str:
    """Aligned columns, with long terms cut, and the number of rows."""
    known = {**PREFIXES, **namespaces}
    found = iter(result)
    rows = [
        ["" if t is None else cell(clean(term_text(key_of(t).decode(), known))) for t in row]
        for row in islice(found, limit)
    ]
    more = sum(1 for _ in found)
    count = f"{len(rows):,} row{'s' * (len(rows) != 1)}" + (f", and {more:,} more" if more else "")
    return "\n".join([*table([[f"?{v}" for v in result.vars], *rows]), "", count])


def _tsv(result: Any, limit: int | None) -> list[str]:
    rows = [
        ["" if t is None else key_of(t).decode().replace("\t", "\\t") for t in row]
        for row in islice(result, limit)
    ]
    return ["\t".join(row) for row in [[f"?{v}" for v in result.vars], *rows]]
