"""The editor of queries, and answers as tables of links."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from itertools import islice
from urllib.parse import urlencode

from rdflib.query import Result

from rdfinc.plugins.server.answer_formats import offers
from rdfinc.plugins.server.pages.elements import Prefixes, table, term
from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.server.served import Served, SparqlRequest
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.results.query_results import Selected, Triples

ROWS = 1000
"""Rows of an answer that a page shows."""

_NAMES = {
    "application/sparql-results+json": "JSON",
    "application/sparql-results+xml": "XML",
    "text/csv": "CSV",
    "text/tab-separated-values": "TSV",
    "text/turtle": "Turtle",
    "application/n-triples": "N-Triples",
    "application/rdf+xml": "RDF/XML",
    "application/ld+json": "JSON-LD",
}

EXAMPLES = {
    "everything": "SELECT * WHERE { ?s ?p ?o } LIMIT 100",
    "classes and their members": "SELECT ?class (COUNT(*) AS ?members)\n"
    "WHERE { ?x a ?class }\nGROUP BY ?class ORDER BY DESC(?members)",
    "properties": "SELECT ?property (COUNT(*) AS ?facts)\n"
    "WHERE { ?s ?property ?o }\nGROUP BY ?property ORDER BY DESC(?facts)",
    "graphs": "SELECT ?graph (COUNT(*) AS ?statements)\n"
    "WHERE { GRAPH ?graph { ?s ?p ?o } }\nGROUP BY ?graph",
}


def editor(text: str, *, may_update: bool, refused: RefusalError | None = None) -> str:
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
    invalid = ' aria-invalid="true" aria-errormessage="mistake"' if refused else ""
    return (
        f'{_mistake(text, refused)}<form action="/" method="get"><label for="query">SPARQL; known '
        f'prefixes need no declaration</label><textarea id="query" name="query" rows="8" '
        f'spellcheck="false" aria-describedby="keys" autofocus{invalid}>\n{escape(text)}'
        f'</textarea><ul id="names" role="listbox" aria-label="Names" hidden></ul>'
        f'<p><button type="submit">Ask</button>{update} <span id="keys" class="soft">Ctrl-Enter '
        f'asks, Ctrl-Space completes a name</span></p></form><p class="soft">For example '
        f'{examples}. Or write it in <a href="/yasgui">YASGUI</a>.</p>'
        f'<details id="history" hidden><summary>Asked before</summary><ul></ul></details>'
    )


def _mistake(text: str, refused: RefusalError | None) -> str:
    """What is wrong, and the line of the text where it is, with a mark."""
    if refused is None:
        return ""
    told, at = f'<p class="refused" role="alert" id="mistake">{escape(refused.sentence)}</p>', ""
    if refused.place is not None:
        line, column = refused.place
        written = f"{text}\n".split("\n")[line - 1].rstrip("\r")
        before, wrong, after = written[: column - 1], written[column - 1 : column], written[column:]
        at = (
            f'<pre data-line="{line}" data-column="{column}">{escape(before)}'
            f"<mark>{escape(wrong) or ' '}</mark>{escape(after)}</pre>"
        )
    return told + at


def answered(served: Served, asked: SparqlRequest, budget: Budget) -> str:
    """The answer to a query. Raises as `Served.query`."""
    start = time.perf_counter()
    result = served.query(asked, budget)
    shown = _answer(result, served.prefixes)
    took = f"{(time.perf_counter() - start) * 1000:.1f} ms"
    return (
        f'<section aria-label="Answer">{shown}<p class="soft">{took}; as '
        f"{_formats(asked.text, offers(result))}</p></section>"
    )


def _formats(text: str, media_types: Sequence[str]) -> str:
    """Links to the whole answer in each of some formats."""
    return ", ".join(
        f'<a href="/sparql?{escape(urlencode({"query": text, "format": media_type}))}">{name}</a>'
        for media_type, name in _NAMES.items()
        if media_type in media_types
    )


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
