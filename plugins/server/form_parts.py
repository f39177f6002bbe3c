"""The parts of a form (multipart/form-data: RFC 7578; RFC 2046, 5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from itertools import takewhile

from rdfinc.plugins.server.refusals import RefusalError

MOST_PARTS = 1000
LONGEST_HEAD = 1 << 14
"""Bytes of the headers of a part."""

_FOLD = re.compile(rb"\r\n[ \t]+")
_AS_IT_IS = ("7bit", "8bit", "binary")


def parts_of(body: bytes, content_type: str) -> Iterator[tuple[bytes, str]]:
    """The contents of each part, and its Content-Type. Cost: linear. Raises RefusalError for a body
    that is no such form, or does not end as one."""
    form = Message()
    form["Content-Type"] = content_type
    boundary = form.get_boundary()
    if not boundary:
        raise RefusalError(400, "the Content-Type of a form names the boundary of its parts")
    _, *sections = (b"\r\n" + body).split(b"\r\n--" + boundary.encode(errors="replace"))
    parts = list(takewhile(lambda section: not section.startswith(b"--"), sections))
    if len(parts) == len(sections):
        raise RefusalError(400, f"the body does not end with --{boundary}--, as a form does")
    if not 0 < len(parts) <= MOST_PARTS:
        raise RefusalError(400, f"a form has 1 to {MOST_PARTS} parts, and this {len(parts)}")
    return map(_part, parts)


def _part(section: bytes) -> tuple[bytes, str]:
    head, blank, content = section.lstrip(b" \t").partition(b"\r\n\r\n")
    if not blank or (head and not head.startswith(b"\r\n")) or len(head) > LONGEST_HEAD:
        raise RefusalError(400, "a part of a form is its headers, an empty line and its contents")
    told: dict[str, str] = {}
    for line in _FOLD.sub(b" ", head).decode("latin-1").split("\r\n"):
        name, _, value = line.partition(":")
        told[name.strip().lower()] = value.strip()
    coding = told.get("content-transfer-encoding", "binary").lower()
    if coding not in _AS_IT_IS:
        raise RefusalError(415, f"parts are sent as they are here, not in the coding {coding}")
    return content, told.get("content-type", "text/plain")
