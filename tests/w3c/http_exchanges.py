"""The requests and responses that the W3C's tests of protocols consist of.

Those of `protocol` and `graph-store-protocol` are described in triples, those of the older
`http-rdf-update` in words, as they go over the wire.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

from rdflib import RDFS, Graph, Namespace
from rdflib.collection import Collection
from w3c.manifests import MF

HT = Namespace("http://www.w3.org/2011/http#")
CNT = Namespace("http://www.w3.org/2011/content#")
_STATUS = {"OK": 200, "Created": 201, "NoContent": 204, "NotFound": 404}


@dataclass(frozen=True)
class Exchange:
    """A request and what is to come of it: `statuses` (2 stands for 2xx), the graph or the truth
    value that is told, the kind of answer, the variable that the Location is kept in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    statuses: frozenset[int]
    turtle: str | None = None
    boolean: bool | None = None
    kind: str | None = None
    location: str | None = None


@dataclass(frozen=True)
class Described:
    """The nodes of a manifest read as exchanges."""

    manifest: Graph
    action: Any
    found: list[Exchange] = field(default_factory=list)

    def exchanges(self) -> list[Exchange]:
        requests = self.manifest.value(self.action, HT.requests)
        return [self._exchange(node) for node in Collection(self.manifest, requests)]

    def _exchange(self, node: Any) -> Exchange:
        value = self.manifest.value
        response = value(node, HT.resp)
        boolean = value(response, MF.expectedBoolean)
        return Exchange(
            str(value(node, HT.methodName)),
            str(value(node, HT.absolutePath)),
            self._headers(node),
            self._body(node).encode(self._encoding(node)),
            frozenset(map(_status, self.manifest.objects(response, MF.expectedStatus))),
            self._body(response) or None,
            None if boolean is None else bool(boolean.toPython()),
            _text(value(response, MF.expectedFormat)),
            _text(value(response, MF.expectedLocation)),
        )

    def _headers(self, node: Any) -> dict[str, str]:
        listed = self.manifest.value(node, HT.headers)
        nodes = [] if listed is None else Collection(self.manifest, listed)
        value = self.manifest.value
        return {str(value(n, HT.fieldName)): str(value(n, HT.fieldValue)) for n in nodes}

    def _body(self, node: Any) -> str:
        return str(self.manifest.value(self.manifest.value(node, HT.body), CNT.chars) or "")

    def _encoding(self, node: Any) -> str:
        body = self.manifest.value(node, HT.body)
        return str(self.manifest.value(body, CNT.characterEncoding) or "utf-8")


def _text(node: Any) -> str | None:
    return None if node is None else str(node)


def _status(node: Any) -> int:
    name = str(node).rpartition("#")[2]
    wide = re.fullmatch(r"StatusCode(\d)xx", name)
    return int(wide[1]) if wide else _STATUS[name]


def in_words(folder: Path) -> Iterator[tuple[str, Exchange]]:
    """The exchanges of a manifest in words, in its order, with their names."""
    manifest = Graph().parse(folder / "manifest.ttl", publicID=(folder / "manifest.ttl").as_uri())
    entries = next(manifest.objects(None, MF.entries))
    for node in Collection(manifest, entries):
        told = next(str(c) for c in manifest.objects(node, RDFS.comment) if "#### Req" in c)
        request, response = (dedent(part) for part in re.split(r"#### \w+\n", told)[1:])
        yield str(node).rpartition("#")[2], _spoken(request.strip("\n"), response.strip("\n"))


def _spoken(request: str, response: str) -> Exchange:
    head, _, body = _filled(request).partition("\n\n")
    line, *fields = head.splitlines()
    method, path, _ = line.split(" ")
    first, _, told = _filled(response).partition("\n\n")
    status = int(first.split(" ", 1)[0])
    location = "$NEWPATH$" if "Location" in first else None
    headers = dict(each.split(": ", 1) for each in fields)
    body = body.replace("\n", "\r\n") if "multipart" in head else body
    return Exchange(
        method, path, headers, body.encode(), frozenset({status}), told or None, location=location
    )


def _filled(text: str) -> str:
    return (
        text.replace("$GRAPHSTORE$", "/graphs")
        .replace("$HOST$/", "www.example")
        .replace("$HOST$", "www.example")
    )
