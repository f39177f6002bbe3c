"""Answers and refusals as responses."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response

from rdfinc.plugins.server.refusals import RefusalError


def answer(content: bytes, media_type: str) -> Response:
    """The response with a representation, of which there are others."""
    is_text = media_type.startswith("text/")
    kind = f"{media_type}; charset=utf-8" if is_text else media_type
    return Response(content, headers={"Content-Type": kind, "Vary": "Accept"})


def refused(why: RefusalError) -> Response:
    """The response for a refusal: its status and its sentence."""
    return PlainTextResponse(f"{why.sentence}\n", why.status, why.headers)
