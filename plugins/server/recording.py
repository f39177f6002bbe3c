"""What was asked and how it was answered: one line of JSON for each request, and metrics."""

from __future__ import annotations

import json
import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rdfinc.plugins.server.metrics import Requests

LOG = logging.getLogger("rdfinc.server.requests")
KIND = "rdfinc.kind"
"""Where a scope tells the kind of a request that its path does not tell."""

_KINDS = {"sparql": "query", "update": "update", "graphs": "graphs"}


class Recording:
    """Notes each request when its answer has been sent, or given up."""

    def __init__(self, app: ASGIApp, requests: Requests) -> None:
        self._app, self._requests = app, requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status, sent = time.perf_counter(), 0, 0

        async def counting(message: Message) -> None:
            nonlocal status, sent
            status = message.get("status", status)
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, counting)
        finally:
            self._note(scope, status, sent, time.perf_counter() - start)

    def _note(self, scope: Scope, status: int, sent: int, seconds: float) -> None:
        path = scope["path"]
        kind = scope.get(KIND) or _KINDS.get(path.lstrip("/").partition("/")[0], "page")
        self._requests.note(kind, status, seconds)
        if LOG.isEnabledFor(logging.INFO):
            LOG.info(
                json.dumps(
                    {
                        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                        "client": (scope.get("client") or ("",))[0],
                        "method": scope["method"],
                        "path": path,
                        "kind": kind,
                        "status": status,
                        "bytes": sent,
                        "ms": round(seconds * 1000, 2),
                    }
                )
            )
