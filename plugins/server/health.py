"""How the server fares, for those who run it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rdfinc.plugins.server.changes import ChangeFeed
from rdfinc.plugins.server.metrics import Requests, holdings, process
from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.server.served import Served
from rdfinc.plugins.server.workers import Workers


class Operations:
    """The endpoints `/health` and `/metrics`."""

    def __init__(
        self, served: Served, workers: Workers, requests: Requests, changes: ChangeFeed
    ) -> None:
        self._served, self._workers = served, workers
        self._requests, self._changes = requests, changes

    async def health(self, request: Request) -> Response:
        """200 while requests are answered, 503 once the knowledge base is closed: by its owner, or
        because its journal could not be written."""
        if self._served.kb.is_closed:
            raise RefusalError(503, "the knowledge base is closed: start the server again")
        return PlainTextResponse("ok\n")

    async def metrics(self, request: Request) -> Response:
        """All that is measured, in Prometheus' format."""
        budget = self._served.budget()

        def found() -> list[str]:
            return [*holdings(self._served, budget)]

        held = await self._workers.read(request, budget, found)
        lines = [
            *held,
            *process(self._workers.waiting, len(self._changes)),
            *self._requests.lines(),
        ]
        return PlainTextResponse(
            "\n".join([*lines, ""]), media_type="text/plain; version=0.0.4; charset=utf-8"
        )
