"""The canonical form of XML within a document: Exclusive XML Canonicalization 1.0, with comments,
as RDF/XML asks of its XML literals (RDF 1.1 XML Syntax, 7.2.17)."""

from __future__ import annotations

from collections.abc import Iterable

Name = tuple[str, str, str]
"""Namespace, local name and prefix; "" for what is missing."""

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;"})
_VALUE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#x9;", "\n": "&#xA;", "\r": "&#xD;"}
)


def escaped(text: str) -> str:
    return text.translate(_TEXT)


def quoted(value: str) -> str:
    return f'"{value.translate(_VALUE)}"'


def qualified(name: Name) -> str:
    return f"{name[2]}:{name[1]}" if name[2] else name[1]


class CanonicalXml:
    """The canonical text of what it is told of, element by element.

    An element declares those namespaces that its name and its attributes use, unless one around it
    has. Cost: the size of the text.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._declared: list[dict[str, str]] = [{"": ""}]
        self._names: list[str] = []

    def start(self, name: Name, attributes: Iterable[tuple[Name, str]]) -> None:
        attributes = sorted(attributes)
        prefixed = [known for known, _ in attributes if known[2] not in ("", "xml")]
        used = {prefix: space for space, _, prefix in [name, *prefixed]}
        declared = self._declared[-1]
        new = {p: used[p] for p in sorted(used) if p != "xml" and declared.get(p) != used[p]}
        self._declared.append({**declared, **new})
        self._names.append(qualified(name))
        self._parts.append(f"<{self._names[-1]}")
        self._parts += [f" xmlns{':' * bool(p)}{p}={quoted(new[p])}" for p in new]
        self._parts += [f" {qualified(known)}={quoted(value)}" for known, value in attributes]
        self._parts.append(">")

    def end(self) -> None:
        self._declared.pop()
        self._parts.append(f"</{self._names.pop()}>")

    def text(self, text: str) -> None:
        self._parts.append(escaped(text))

    def comment(self, text: str) -> None:
        self._parts.append(f"<!--{text}-->")

    def instruction(self, target: str, data: str) -> None:
        self._parts.append(f"<?{target} {data}?>" if data else f"<?{target}?>")

    @property
    def depth(self) -> int:
        return len(self._names)

    def __str__(self) -> str:
        return "".join(self._parts)
