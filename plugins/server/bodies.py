"""What comes with a request, within bounds: its body, and parameters."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl

import pyoxigraph as ox
from starlette.requests import ClientDisconnect, Request

from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.server.settings import Settings

Parameters = dict[str, list[str]]
MOST_PARAMETERS = 1000


async def body_of(request: Request, settings: Settings) -> bytes:
    """The body. Raises RefusalError where it is too long, packed, late or broken off."""
    coding = request.headers.get("content-encoding", "identity")
    if coding != "identity":
        raise RefusalError(415, f"bodies are sent as they are here, not in the coding {coding}")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > settings.max_body:
        raise _too_long(settings)
    try:
        return await asyncio.wait_for(_read(request, settings), settings.timeout)
    except asyncio.TimeoutError:
        late = f"the body did not arrive within timeout={settings.timeout:g} s"
        raise RefusalError(408, late, {"Connection": "close"}) from None
    except ClientDisconnect:
        raise RefusalError(400, "the body ends too early", {"Connection": "close"}) from None


async def _read(request: Request, settings: Settings) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > settings.max_body:
            raise _too_long(settings)
        parts.append(part)
    return b"".join(parts)


def _too_long(settings: Settings) -> RefusalError:
    most = f"max_body={settings.max_body:,} bytes"
    told = f"the body is longer than {most} allow: send it in parts, or load files"
    return RefusalError(413, told, {"Connection": "close"})


def base_of(request: Request) -> str:
    """The address of a request as it was written, without its query."""
    path = request.scope.get("raw_path", request.scope["path"].encode()).decode("ascii", "replace")
    return f"{request.scope['scheme']}://{request.headers.get('host', '')}{path}"


def parameters(encoded: bytes) -> Parameters:
    """The values of each parameter of a query string or a form. Raises RefusalError."""
    try:
        pairs = parse_qsl(
            encoded.decode(),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_PARAMETERS,
        )
    except UnicodeDecodeError:
        raise RefusalError(400, "the parameters are no UTF-8") from None
    except ValueError:
        raise RefusalError(400, f"there are more than {MOST_PARAMETERS} parameters") from None
    found: Parameters = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def graphs_of(given: Parameters, *names: str) -> Iterator[Sequence[str]]:
    """The graphs that each of some parameters names. Raises RefusalError."""
    for name in names:
        graphs = [*filter(None, given.get(name, ()))]  # forms send empty fields
        for graph in graphs:
            require_iri(graph)
        yield graphs


def require_iri(name: str) -> None:
    """Raises RefusalError for a name of a graph that is no absolute IRI."""
    try:
        ox.NamedNode(name)
    except ValueError as error:
        raise RefusalError(400, f"<{name}> is no absolute IRI: {error}") from None


def only(given: Parameters, name: str) -> str | None:
    """The value of a parameter that stands once at most. Raises RefusalError."""
    values: Sequence[str] = given.get(name, ())
    if len(values) > 1:
        raise RefusalError(400, f"the parameter {name} is given {len(values)} times: send one")
    return values[0] if values else None


def text_of(body: bytes, charset: str) -> str:
    """A body as text. Raises RefusalError."""
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise RefusalError(415, f"texts are UTF-8 here, not {charset}")
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise RefusalError(400, f"the body is no UTF-8 at byte {error.start}") from None
