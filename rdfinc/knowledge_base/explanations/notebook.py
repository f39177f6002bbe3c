"""First rows as text, and HTML for notebooks: colours and fonts are the notebook's own, light or
dark."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import Any

from rdfinc.datalog.printing import cut, shortened, term_text, visible
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.terms.io.convert import key_of

ROWS, LINES, LETTERS, WIDTH = 20, 200, 120, 1000
"""Rows of a table, lines of a text, letters of a term and of a line that are shown, the latter
of a whole term as well."""

PARTS = ("subject", "predicate", "object")
"""The header of a table of facts."""


def cell(term: Any, prefixes: Mapping[str, str]) -> str:
    """A term in few letters, and more of it where the pointer rests on it, with its length if that
    is not all; an IRI of the web is a link."""
    if term is None:
        return ""
    whole = key_of(term).decode()
    return linked(whole, term_text(whole, {**PREFIXES, **prefixes}))


def linked(whole: str, words: str) -> str:
    """The same for a term by its key, in these words."""
    shown, title = escape(cut(visible(words), LETTERS)), escape(_title(visible(whole)))
    if whole.startswith(("<http://", "<https://")):
        return f'<a href="{escape(whole[1:-1])}" title="{title}">{shown}</a>'
    return f'<span title="{title}">{shown}</span>'


def _title(text: str) -> str:
    return text if len(text) <= WIDTH else f"{shortened(text, WIDTH)} ({len(text):,} letters)"


def row_lines(
    rows: Iterable[Sequence[Any]], prefixes: Mapping[str, str], count: int
) -> Iterator[str]:
    """The first rows of a table of terms, a line each, and how many more there are."""
    known = {**PREFIXES, **prefixes}
    for row in islice(rows, ROWS):
        yield " ".join("" if t is None else term_text(key_of(t).decode(), known) for t in row)
    yield from further(count)


def further(count: int) -> Iterator[str]:
    """How many rows there are after the first, if there are any."""
    if count > ROWS:
        yield f"… and {count - ROWS:,} more"


def html_table(
    header: Sequence[str], rows: Iterable[Sequence[Any]], prefixes: Mapping[str, str], count: int
) -> str:
    """The first rows of a table of terms, and how many more there are."""
    shown = [[cell(term, prefixes) for term in row] for row in islice(rows, ROWS)]
    return table(header, shown, count)


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The same of texts."""
    shown = [[escape(cut(visible(text), LETTERS)) for text in row] for row in rows[:ROWS]]
    return table(header, shown, len(rows))


def table(header: Sequence[str], cells: Sequence[Sequence[str]], count: int) -> str:
    """A table of cells in HTML, and how many more rows there are, or that there are none."""
    left = 'style="text-align: left"'
    whole = 'style="text-align: left; white-space: nowrap"'
    head = "".join(f"<th {whole}>{escape(name)}</th>" for name in header)
    words = further(count) if count else ["no rows"]
    more = "".join(f"<div>{each}</div>" for each in words)
    rows = ("".join(f"<td {left}>{cell}</td>" for cell in row) for row in cells)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def indented(text: str) -> str:
    """Lines of text, each set in as far as it is indented by pairs of spaces."""
    lines = visible(text).splitlines()
    shown = [
        f'<div style="margin-left: {(len(line) - len(line.lstrip())) // 2 * 1.5}em;'
        ' white-space: pre-wrap; overflow-wrap: anywhere">'
        f"{escape(shortened(line.lstrip(), WIDTH))}</div>"
        for line in lines[:LINES]
    ]
    more = [f"<div>… and {len(lines) - LINES:,} more lines</div>"] if len(lines) > LINES else []
    return "".join([*shown, *more])


def picture(svg: str) -> str:
    """A whole SVG document, whose style is its own; what is wider than the page is moved along, not
    made small."""
    data = b64encode(svg.encode()).decode()
    image = f'<img alt="" style="max-width: none" src="data:image/svg+xml;base64,{data}"/>'
    return f'<div style="overflow-x: auto">{image}</div>'


def folded(summary: str, content: str, *, is_open: bool) -> str:
    """A part with a heading that can be folded away."""
    state = ' open="open"' if is_open else ""
    return f"<details{state}><summary>{escape(visible(summary))}</summary>{content}</details>"
