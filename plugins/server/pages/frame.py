"""What all pages have in common."""

from __future__ import annotations

from html import escape

from starlette.responses import HTMLResponse, Response

from rdfinc.plugins.server.responses import AS_TOLD

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a browser may load and run: the server's own files, and nothing of the data."""

PLACES = {
    "/": "Query",
    "/resource": "Browse",
    "/why": "Why",
    "/violations": "Contradictions",
    "/rules": "Rules",
    "/statistics": "Statistics",
    "/changes": "Changes",
}


def page(
    place: str, title: str, body: str, status: int = 200, *, head: str = "", policy: str = POLICY
) -> Response:
    """A page; the title is text, the body and what is added to the head are HTML."""
    items = "".join(
        f'<li><a href="{path}"{" aria-current=page" if path == place else ""}>{name}</a></li>'
        for path, name in PLACES.items()
    )
    html = (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} – rdfinc</title>"
        f'<link rel="stylesheet" href="/style.css">'
        f'<script src="/script.js" defer></script>{head}</head>\n'
        f'<body><a class="skip" href="#main">To the content</a>\n'
        f'<header><nav aria-label="Pages"><ul>{items}</ul></nav></header>\n'
        f'<main id="main"><h1><bdi>{escape(title)}</bdi></h1>\n{body}\n</main></body></html>\n'
    )
    headers = {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "no-referrer",
        **AS_TOLD,
        "Cache-Control": "no-store",
    }
    return HTMLResponse(html, status, headers)


def refused_page(place: str, status: int, sentence: str) -> Response:
    """A page that tells why there is no other one."""
    told = f'<p class="refused" role="alert">{escape(sentence)}</p>'
    return page(place, "Not answered", told, status)
