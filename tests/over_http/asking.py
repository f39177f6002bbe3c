"""A client of an application in this process: no sockets, no server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")


class Client:
    """Asks an application under one name; each request in an event loop of its own."""

    def __init__(self, app: Any, host: str = "localhost") -> None:
        self._app, self._base = app, f"http://{host}"

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, **sent: Any
    ) -> Any:
        async def asked() -> Any:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(transport=transport, base_url=self._base) as client:
                return await client.request(method, path, headers=headers, **sent)

        return asyncio.run(asked())
