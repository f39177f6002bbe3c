"""YASGUI, an editor that many endpoints have: with tabs, colours, and answers to be sorted and
searched. Its files are those of the npm package @triply/yasgui 4.2.28, MIT license."""

from __future__ import annotations

import gzip
import json
from html import escape
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from rdfinc.plugins.server.pages.elements import Prefixes
from rdfinc.plugins.server.pages.frame import POLICY, page
from rdfinc.plugins.server.responses import AS_TOLD

_HERE = files("rdfinc.plugins.server.pages").joinpath("yasgui")

_STYLE = "'sha256-zCK2EVMoPc04mRF/g5CotUvxbJPWS+8V0b+s9ptqQIk='"
_POLICY = f"{POLICY.replace('style-src', f'style-src {_STYLE}')}; img-src data:"
"""It adds one style of its own, and has small pictures in others."""

PARTS = ("yasgui.min.css", "yasgui.min.js", "start.js")

_HEAD = (
    '<link rel="stylesheet" href="/yasgui/yasgui.min.css">'
    '<script src="/yasgui/yasgui.min.js" defer></script>'
    '<script src="/yasgui/start.js" defer></script>'
)
_NO_SCRIPT = "<noscript><p>It needs scripts; the other pages do not.</p></noscript>"


def shown(prefixes: Prefixes) -> Response:
    """The page; names in answers are shortened by the prefixes."""
    known = escape(json.dumps(dict(prefixes)))
    body = f'<div id="yasgui" data-prefixes="{known}"></div>{_NO_SCRIPT}'
    return page("/yasgui", "YASGUI", body, head=_HEAD, policy=_POLICY)


async def part(request: Request) -> Response:
    """One of the files that the page names."""
    name = request.url.path.rpartition("/")[2]
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    headers = {**AS_TOLD, "Cache-Control": "max-age=300"}
    if name != "yasgui.min.js":
        return Response(_HERE.joinpath(name).read_bytes(), media_type=kind, headers=headers)
    content = _HERE.joinpath(f"{name}.gz").read_bytes()
    headers["Vary"] = "Accept-Encoding"
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return Response(content, media_type=kind, headers=headers)
