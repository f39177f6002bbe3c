"""Graphs as resources, by the SPARQL 1.1 graph store protocol.

`/graphs?default` and `/graphs?graph=<IRI>` name a graph, and every address below `/graphs/` is one
of itself. What a graph states is read and written; what follows is `?graph=urn:rdfinc:derived`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence

from starlette.requests import Request
from starlette.responses import Response

from rdfinc.plugins.server.answer_formats import GRAPHS, graph_bytes
from rdfinc.plugins.server.bodies import base_of, body_of, only, parameters, require_iri, text_of
from rdfinc.plugins.server.content_types import accept_of, essence, wanted
from rdfinc.plugins.server.form_parts import parts_of
from rdfinc.plugins.server.refusals import RefusalError, require_update
from rdfinc.plugins.server.responses import answer
from rdfinc.plugins.server.served import Document, Served
from rdfinc.plugins.server.workers import Workers
from rdfinc.plugins.sparql.columns.budget import Budget

MULTIPART = "multipart/form-data"
State = Callable[[str | None, Sequence[Document], Budget], bool]


class GraphStore:
    """The endpoint `/graphs`."""

    def __init__(self, served: Served, workers: Workers) -> None:
        self._served, self._workers = served, workers

    async def read(self, request: Request) -> Response:
        """GET and HEAD: what a graph states."""
        name, budget = _graph_of(request), self._served.budget()
        media_type = wanted(accept_of(request), list(GRAPHS))

        def found() -> bytes:
            return graph_bytes(self._served.graph(name, budget), media_type, self._served.prefixes)

        return answer(await self._workers.read(request, budget, found), media_type)

    async def replace(self, request: Request) -> Response:
        """PUT: from now on a graph states what the body does."""
        return await self._state(request, _graph_of(request), self._served.replace)

    async def add(self, request: Request) -> Response:
        """POST: a graph states what the body does, too; one that has no name gets one."""
        if _names_none(request):
            name = f"{base_of(request).rstrip('/')}/{uuid.uuid4()}"
            made = await self._state(request, name, self._served.add)
            made.headers["Location"] = name
            return made
        return await self._state(request, _graph_of(request), self._served.add)

    async def remove(self, request: Request) -> Response:
        """DELETE: there is no such graph any more; the default graph is emptied."""
        require_update(self._served.settings)
        name, budget = _graph_of(request), self._served.budget()
        await self._workers.write(request, lambda: self._served.remove(name, budget))
        return Response(status_code=204)

    async def _state(self, request: Request, name: str | None, state: State) -> Response:
        require_update(self._served.settings)
        content_type, budget = request.headers.get("content-type", ""), self._served.budget()
        base = base_of(request) if name is None else name
        body = await body_of(request, self._served.settings)
        documents = [*_documents(body, content_type, base)]
        is_new = await self._workers.write(request, lambda: state(name, documents, budget))
        return Response(status_code=201 if is_new else 204)


def _names_none(request: Request) -> bool:
    is_below = request.path_params.get("name")
    return not is_below and not request.scope["query_string"]


def _graph_of(request: Request) -> str | None:
    """The graph that a request is about. Raises RefusalError."""
    given = parameters(request.scope["query_string"])
    name = only(given, "graph")
    if request.path_params.get("name"):
        name = base_of(request)
    elif (name is None) == ("default" not in given):
        raise RefusalError(
            400, "name one graph: /graphs?default, /graphs?graph=IRI or /graphs/NAME"
        )
    if name is not None:
        require_iri(name)
    return name


def _documents(body: bytes, content_type: str, base: str) -> Iterator[Document]:
    """The RDF of a body, or of the parts of a form. Raises RefusalError."""
    if essence(content_type)[0] == MULTIPART:
        for content, told in parts_of(body, content_type):
            yield _document(content, told, base)
    else:
        yield _document(body, content_type, base)


def _document(content: bytes, content_type: str, base: str) -> Document:
    media_type, charset = essence(content_type)
    text_of(content, charset)
    if media_type not in GRAPHS:
        told = media_type or "what tells no Content-Type"
        raise RefusalError(
            415, f"{told} is not taken here: send {', '.join(GRAPHS)}, or a form of them"
        )
    return Document(content, media_type, base)
