"""Section 8.6 of the SWRL submission: URI references.

A URI reference is an xsd:anyURI literal or a plain string; the results are xsd:anyURI.
"""

from __future__ import annotations

import re
from typing import Any

import pyoxigraph as ox

from rdfinc.terms.builtins.strings import texts
from rdfinc.terms.builtins.values import NoValue, Uri

_REFERENCE = re.compile(r'[^\x00-\x20<>"{}|^`\\]*')
_PARTS = {
    "scheme": re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*)?"),
    "host": re.compile(r"[^/?#]*"),
    "port": re.compile(r"[0-9]*"),
    "path": re.compile(r"[^?#]*"),
    "query": re.compile(r"[^#]*"),
    "fragment": re.compile(r"[^#]*"),
}


def reference(value: Any) -> str:
    """Its text (SPARQL 1.1, IRIREF). Raises NoValue for what is none."""
    text = value.text if isinstance(value, Uri) else texts(value)[0]
    if not _REFERENCE.fullmatch(text):
        raise NoValue
    return text


def resolve(relative: Any, base: Any) -> Uri:
    """The reference relative to an absolute base, by RFC 3986, section 5."""
    line = f"<{reference(relative)}> <x:p> <x:o> ."
    try:
        (quad,) = ox.parse(line, format=ox.RdfFormat.TURTLE, base_iri=reference(base))
    except SyntaxError as error:
        raise NoValue from error
    return Uri(str(quad.subject)[1:-1])


def any_uri(scheme: Any, host: Any, port: Any, path: Any, query: Any, fragment: Any) -> Uri:
    """The reference of these parts; an empty string for one that is missing.

    The port may be an integer. A path after a host begins with a slash.
    """
    port = str(port) if type(port) is int else port
    parts = texts(scheme, host, port, path, query, fragment)
    for (name, form), part in zip(_PARTS.items(), parts, strict=True):
        if not form.fullmatch(part) or not _REFERENCE.fullmatch(part):
            raise NoValue(name)
    scheme, host, port, path, query, fragment = parts
    if (host and path and path[0] != "/") or (port and not host):
        raise NoValue("path" if host else "host")
    signs = ((scheme, f"{scheme}:"), (host, f"//{host}"), (port, f":{port}"), (path, path),
             (query, f"?{query}"), (fragment, f"#{fragment}"))  # fmt: skip
    return Uri("".join(written for part, written in signs if part))
