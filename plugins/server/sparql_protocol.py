"""Queries and updates by the SPARQL 1.1 protocol."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from rdfinc.plugins.server.answer_formats import GRAPHS, offers, written
from rdfinc.plugins.server.bodies import (
    Parameters,
    base_of,
    body_of,
    graphs_of,
    only,
    parameters,
    text_of,
)
from rdfinc.plugins.server.content_types import accept_of, essence, names_any, wanted
from rdfinc.plugins.server.recording import KIND
from rdfinc.plugins.server.refusals import RefusalError, require_update
from rdfinc.plugins.server.responses import answer
from rdfinc.plugins.server.served import Served, SparqlRequest
from rdfinc.plugins.server.service_description import description
from rdfinc.plugins.server.workers import Workers
from rdfinc.plugins.sparql.columns.budget import Budget

QUERY, UPDATE = "application/sparql-query", "application/sparql-update"
FORM = "application/x-www-form-urlencoded"


class SparqlProtocol:
    """The endpoint `/sparql`, which takes queries and updates, and `/update`, which takes the
    latter."""

    def __init__(self, served: Served, workers: Workers) -> None:
        self._served, self._workers = served, workers

    async def read(self, request: Request) -> Response:
        """GET: a query, or without one what the service is."""
        given = parameters(request.scope["query_string"])
        if "update" in given:
            raise RefusalError(405, "an update is sent by POST", {"Allow": "POST"})
        if "query" not in given:
            return await self._description(request)
        return await self._query(request, given, only(given, "query") or "")

    async def post(self, request: Request) -> Response:
        """POST: a query or an update, in a form or as it is."""
        given, kind, text = await self._sent(request)
        if kind == "query":
            return await self._query(request, given, text)
        return await self._update(request, given, text)

    async def post_update(self, request: Request) -> Response:
        """POST to the endpoint of updates."""
        given, kind, text = await self._sent(request)
        if kind == "query":
            raise RefusalError(400, "updates are taken here, queries at /sparql")
        return await self._update(request, given, text)

    async def _sent(self, request: Request) -> tuple[Parameters, str, str]:
        """The parameters, whether it is a query or an update, and its text."""
        media_type, charset = essence(request.headers.get("content-type", ""))
        if media_type not in (QUERY, UPDATE, FORM):
            told = f"{media_type or 'what tells no Content-Type'} is not taken here"
            raise RefusalError(415, f"{told}: send {QUERY}, {UPDATE} or {FORM}")
        given = parameters(request.scope["query_string"])
        body = await body_of(request, self._served.settings)
        if media_type != FORM:
            return given, media_type.rpartition("-")[2], text_of(body, charset)
        for name, values in parameters(body).items():
            given.setdefault(name, []).extend(values)
        query, update = only(given, "query"), only(given, "update")
        if (query is None) == (update is None):
            raise RefusalError(400, "a form has a parameter query, or a parameter update")
        return given, "update" if query is None else "query", query or update or ""

    async def _query(self, request: Request, given: Parameters, text: str) -> Response:
        named = graphs_of(given, "default-graph-uri", "named-graph-uri")
        asked = SparqlRequest(text, base_of(request), *named)
        budget, header = self._served.budget(), accept_of(request)

        def found(budget: Budget) -> tuple[bytes, str]:
            result = self._served.query(asked, budget)
            offered = offers(result)
            media_type = wanted(_taken(given, header, offered), offered)
            return written(result, media_type, self._served.prefixes, budget), media_type

        content, media_type = await self._workers.ask(request, budget, found)
        return answer(content, media_type)

    async def _update(self, request: Request, given: Parameters, text: str) -> Response:
        request.scope[KIND] = "update"
        require_update(self._served.settings)
        named = graphs_of(given, "using-graph-uri", "using-named-graph-uri")
        asked, budget = SparqlRequest(text, base_of(request), *named), self._served.budget()
        await self._workers.write(request, lambda: self._served.update(asked, budget))
        return Response(status_code=204)

    async def _description(self, request: Request) -> Response:
        media_type = wanted(accept_of(request), list(GRAPHS))
        content = description(base_of(request), self._served, media_type)
        return answer(content, media_type)


SHORT_NAMES = {
    "json": "application/sparql-results+json,application/ld+json",
    "xml": "application/sparql-results+xml,application/rdf+xml",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "turtle": "text/turtle",
    "ttl": "text/turtle",
    "n3": "text/turtle",
    "nt": "application/n-triples",
    "ntriples": "application/n-triples",
    "rdf": "application/rdf+xml",
    "rdf+xml": "application/rdf+xml",
    "json-ld": "application/ld+json",
}
"""What the names of formats stand for that clients send."""


def _taken(given: Parameters, header: str, offers: Sequence[str]) -> str:
    """What a client takes: the media types that a link asks for as `format`; else those of the
    header, if it names one that is to be had; else what a short name stands for, if that is. Some
    clients send both a name and a type, and a name beside the header."""
    asked = [each.lower() for each in given.get("format", ())]
    media_types = [each for each in asked if "/" in each]
    short = ",".join(SHORT_NAMES[each] for each in asked if each in SHORT_NAMES)
    if media_types and names_any(",".join(media_types), offers):
        return ",".join(media_types)
    if names_any(short, offers) and (media_types or not names_any(header, offers)):
        return short
    return ",".join(media_types) or header
