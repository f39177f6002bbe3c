"""Answers and refusals as responses."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from rdfinc.plugins.server.refusals import RefusalError

AS_TOLD = {"X-Content-Type-Options": "nosniff"}
"""What keeps browsers from taking data for a page."""

PIECE = 1 << 16
"""Bytes that a client is to take before it gets more."""


class InPieces(Response):
    """A response whose body is sent as the client takes it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **start})
        size = len(self.body)
        for begin in range(0, max(size, 1), PIECE):
            end = begin + PIECE
            piece = {"body": self.body[begin:end], "more_body": end < size}
            await send({"type": "http.response.body", **piece})


def answer(content: bytes, media_type: str) -> Response:
    """The response with a representation, of which there are others."""
    is_text = media_type.startswith("text/")
    kind = f"{media_type}; charset=utf-8" if is_text else media_type
    return InPieces(content, headers={"Content-Type": kind, "Vary": "Accept", **AS_TOLD})


def refused(why: RefusalError) -> Response:
    """The response for a refusal: its status and its sentence."""
    return PlainTextResponse(f"{why.sentence}\n", why.status, {**why.headers, **AS_TOLD})
