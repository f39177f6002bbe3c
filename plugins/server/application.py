"""The application: routes, and what stands around them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

import rdfinc
from rdfinc import KnowledgeBase
from rdfinc.plugins.server.changes import ChangeFeed
from rdfinc.plugins.server.graph_store import GraphStore
from rdfinc.plugins.server.guard import RequestGuard
from rdfinc.plugins.server.health import Operations
from rdfinc.plugins.server.metrics import Requests
from rdfinc.plugins.server.pages.site import Site
from rdfinc.plugins.server.recording import Recording
from rdfinc.plugins.server.refusals import RefusalError, refusal
from rdfinc.plugins.server.responses import refused
from rdfinc.plugins.server.served import Served
from rdfinc.plugins.server.settings import Settings
from rdfinc.plugins.server.sparql_protocol import SparqlProtocol
from rdfinc.plugins.server.workers import Workers

Endpoint = Callable[[Request], Awaitable[Response]]
LOG = logging.getLogger("rdfinc.server")


class PlainRoute(APIRoute):
    """A route whose endpoint gets the request as it is and makes the response: FastAPI looks for no
    parameters, which takes longer than reading those of the protocols."""

    def __init__(self, path: str, endpoint: Endpoint, **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self.app = self._answer

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.endpoint(Request(scope, receive, send))
        await response(scope, receive, send)


def app(kb: KnowledgeBase, settings: Settings | None = None) -> FastAPI:
    """An ASGI application that answers for a knowledge base: SPARQL and graph store protocols,
    and pages that show it."""
    served = Served(kb, settings or Settings())
    workers, requests = Workers(served.settings), Requests()
    changes = ChangeFeed(kb, served.settings.listeners)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        looks = [served.look] if served.settings.follows else []
        following = [asyncio.create_task(changes.follow(look)) for look in looks]
        yield
        for task in following:
            task.cancel()
        workers.close()

    made = FastAPI(
        title="rdfinc",
        version=rdfinc.__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=life,
        telemetry=dict.fromkeys(("tracing", "metrics", "logs"), False),  # Recording tells all
    )
    made.router.route_class = PlainRoute
    made.state.changes = changes
    made.add_exception_handler(HTTPException, _no_such)
    _add_protocols(made, served, workers)
    _add_operations(made, Operations(served, workers, requests, changes))
    _add_pages(made, Site(served, workers), changes)
    made.add_middleware(RequestGuard, settings=served.settings)
    if origins := served.settings.origins:
        made.add_middleware(
            CORSMiddleware, allow_origins=origins, allow_methods=["*"], allow_headers=["*"]
        )
    made.add_middleware(Recording, requests=requests)
    return made


def _add_protocols(made: FastAPI, served: Served, workers: Workers) -> None:
    sparql, graphs = SparqlProtocol(served, workers), GraphStore(served, workers)
    for path in ("/sparql", "/sparql/"):
        _add(made, path, "SPARQL 1.1 protocol", GET=sparql.read, HEAD=sparql.read, POST=sparql.post)
    _add(made, "/update", "SPARQL 1.1 protocol, updates only", POST=sparql.post_update)
    for path in ("/graphs", "/graphs/{name:path}"):
        _add(
            made,
            path,
            "SPARQL 1.1 graph store protocol",
            GET=graphs.read,
            HEAD=graphs.read,
            PUT=graphs.replace,
            POST=graphs.add,
            DELETE=graphs.remove,
        )


def _add_operations(made: FastAPI, operations: Operations) -> None:
    _add(made, "/health", "Whether the server works", GET=operations.health)
    _add(made, "/metrics", "What it does and holds, for Prometheus", GET=operations.metrics)


def _add_pages(made: FastAPI, site: Site, changes: ChangeFeed) -> None:
    for path, endpoint in site.endpoints().items():
        _add(made, path, "", GET=endpoint, HEAD=endpoint)
    _add(made, "/change", "", POST=site.change)
    _add(made, "/changes/stream", "What each update changes, as events", GET=changes.stream)


def _add(made: FastAPI, path: str, summary: str, **endpoints: Endpoint) -> None:
    """A route with an endpoint for each method."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoints[request.method](request)
        except Exception as error:
            return refused(refusal(error) or _unforeseen(error))

    made.add_api_route(
        path,
        answer,
        methods=list(endpoints),
        summary=summary,
        operation_id=path.strip("/"),
        response_model=None,
        include_in_schema=bool(summary) and not path.endswith("/"),
    )


def _unforeseen(error: Exception) -> RefusalError:
    LOG.error("an answer failed", exc_info=error)
    return RefusalError(
        500, "this is a fault of the server, whose log tells more: please report it"
    )


async def _no_such(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path, headers = request.url.path, dict(error.headers or {})
    if error.status_code == 405:
        why = f"{request.method} is not for {path}, which takes {headers.get('Allow', '')}"
    else:
        why = f"there is nothing at {path}: the protocols are at /sparql, /update and /graphs"
    return refused(RefusalError(error.status_code, why, headers))
