"""The editor of queries, and answers as tables of links."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from itertools import islice
from urllib.parse import urlencode

from rdflib.query import Result

from rdfinc.plugins.server.pages.elements import Prefixes, paragraph, table, term
from rdfinc.plugins.server.served import Asked, Served
from rdfinc.plugins.sparql.budget import Budget
from rdfinc.plugins.sparql.results import Selected, Triples

ROWS = 1000
"""Rows of an answer that a page shows."""

EXAMPLES = {
    "everything": "SELECT * WHERE { ?s ?p ?o } LIMIT 100",
    "classes and their members": "SELECT ?class (COUNT(*) AS ?members)\n"
    "WHERE { ?x a ?class }\nGROUP BY ?class ORDER BY DESC(?members)",
    "properties": "SELECT ?property (COUNT(*) AS ?facts)\n"
    "WHERE { ?s ?property ?o }\nGROUP BY ?property ORDER BY DESC(?facts)",
    "graphs": "SELECT ?graph (COUNT(*) AS ?statements)\n"
    "WHERE { GRAPH ?graph { ?s ?p ?o } }\nGROUP BY ?graph",
}


def editor(text: str, *, may_update: bool, refused: str = "") -> str:
    """The form in which a query is written, below what is wrong with it."""
    update = (
        ' <button type="submit" formmethod="post" formaction="/change">Update</button>'
        if may_update
        else ""
    )
    examples = ", ".join(
        f'<a href="/?{escape(urlencode({"query": query}))}">{escape(name)}</a>'
        for name, query in EXAMPLES.items()
    )
    told = f'<p class="refused" role="alert">{escape(refused)}</p>' if refused else ""
    return (
        f'{told}<form action="/" method="get"><label for="query">SPARQL; known prefixes need no '
        f'declaration</label><textarea id="query" name="query" rows="8" spellcheck="false" '
        f"autofocus>\n{escape(text)}</textarea>"
        f'<p><button type="submit">Ask</button>{update} <span class="soft">or Ctrl-Enter; '
        f"for example {examples}</span></p></form>"
    )


def answered(served: Served, asked: Asked, budget: Budget) -> str:
    """The answer to a query. Raises as `Served.query`."""
    start = time.perf_counter()
    shown = _answer(served.query(asked, budget), served.prefixes)
    return f"{shown}{paragraph(f'{(time.perf_counter() - start) * 1000:.1f} ms')}"


def _answer(result: Result, prefixes: Prefixes) -> str:
    write = partial(term, prefixes=prefixes)
    if isinstance(result, Selected):
        header = [f"?{variable}" for variable in result.vars or ()]
        return _rows(header, result.written(write, ""))
    if isinstance(result, Triples):
        rows = (tuple(map(write, keys)) for keys in result.term_keys())
        return _rows(("subject", "predicate", "object"), rows)
    return f"<p><strong>{'yes' if result.askAnswer else 'no'}</strong></p>"


def _rows(header: Sequence[str], rows: Iterator[tuple[str, ...]]) -> str:
    shown = list(islice(rows, ROWS))
    more = next(rows, None) is not None
    count = f"{len(shown):,} row{'s' * (len(shown) != 1)}"
    caption = f"the first {count}; there are more" if more else count
    return table(caption, header, shown)
