"""Who may ask: by the name that the server is called by, the page that asks, and the token."""

from __future__ import annotations

import base64
import binascii
import hmac
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.server.responses import refused
from rdfinc.plugins.server.settings import Settings

OWN_NAMES = ("localhost", "127.0.0.1", "::1")
OPEN_TO_ALL = ("/health",)
"""What those ask who watch machines, by any name and without a token; it tells nothing of data."""


class RequestGuard:
    """Refuses requests that a page of another site makes a browser send: those under a name that
    is not the server's (DNS rebinding), and those from a page elsewhere that is not among the
    `origins`. Where there is a token, it is asked for: as a Bearer, or as the password of anyone.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._names = {*OWN_NAMES, *(name.lower() for name in settings.hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (why := self._refusal(scope["path"], Headers(scope=scope))):
            await refused(why)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, path: str, headers: Headers) -> RefusalError | None:
        if path in OPEN_TO_ALL:
            return None
        host, origin = headers.get("host", ""), headers.get("origin")
        if "*" not in self._names and _name(host) not in self._names:
            advice = "start it with --allow-host if it is meant"
            return RefusalError(403, f"this server is not known as {host!r}: {advice}")
        if origin is not None and not self._may_ask(origin, host):
            advice = "start the server with --cors if it may"
            return RefusalError(403, f"a page of {origin} may not ask here: {advice}")
        if self._settings.token is None:
            return None
        if _has_token(headers.get("authorization", ""), self._settings.token):
            return None
        told = "a token is asked for: send Authorization: Bearer, or it as password"
        return RefusalError(401, told, {"WWW-Authenticate": 'Basic realm="rdfinc"'})

    def _may_ask(self, origin: str, host: str) -> bool:
        allowed = self._settings.origins
        return urlsplit(origin).netloc == host or origin in allowed or "*" in allowed


def _name(host: str) -> str:
    """A host without its port, in lower case."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _has_token(authorization: str, token: str) -> bool:
    kind, _, sent = authorization.partition(" ")
    if kind.lower() == "basic":
        try:
            sent = base64.b64decode(sent, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return False
    elif kind.lower() != "bearer":
        return False
    return hmac.compare_digest(sent.strip().encode(), token.encode())
