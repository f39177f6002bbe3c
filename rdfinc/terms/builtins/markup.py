"""XML content -> its canonical form: "Exclusive XML Canonicalization 1.0" with comments.

Two texts have one form exactly where they differ only in what XML takes for the same: quotes, the
order of attributes, entities, empty elements, namespaces that are declared and not used. There is
no document type in content, so no entity can be declared.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from msgspec import Struct

_BETWEEN = "\x01"
"""Parts the pieces of a name; no XML text has it."""
_XML = "xml"
"""The prefix that is never declared."""


class Markup(Struct, frozen=True):
    """A value of rdf:XMLLiteral; `text` is its canonical form."""

    text: str


def read_markup(lexical: str) -> Markup | None:
    """The value of balanced XML content in which each prefix is declared; None for other text.

    Linear in the text, however deep the elements lie.
    """
    form = _Form()
    try:
        form.parser().Parse(f"<x>{lexical}</x>", True)
    except expat.ExpatError:
        return None
    return Markup("".join(form.parts))


class _Form:
    """The canonical form of what lies within the outermost element, while it is read.

    `_declared` maps prefixes to namespaces as the form declares them where it has come to; `_undo`
    has, for each open element, what was declared before it.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._declared: dict[str, str | None] = {"": ""}
        self._undo: list[dict[str, str | None]] = []

    def parser(self) -> expat.XMLParserType:
        """A parser that writes the form."""
        parser = expat.ParserCreate(namespace_separator=_BETWEEN)
        parser.namespace_prefixes = parser.ordered_attributes = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = lambda text: self.parts.append(_text(text))
        parser.CommentHandler = lambda text: self.parts.append(f"<!--{text}-->")
        parser.ProcessingInstructionHandler = lambda name, text: self.parts.append(
            f"<?{name} {text}?>" if text else f"<?{name}?>"
        )
        return parser

    def _start(self, name: str, flat: list[str]) -> None:
        element = _pieces(name)
        attributes = [(_pieces(each), text) for each, text in zip(*[iter(flat)] * 2, strict=True)]
        used = [element, *(pieces for pieces, _ in attributes if pieces[2])]
        fresh = {p: uri for uri, _, p in used if p != _XML and self._declared.get(p) != uri}
        is_outermost = not self._undo
        self._undo.append({p: self._declared.get(p) for p in fresh})
        self._declared |= fresh
        if not is_outermost:
            self.parts += (f"<{_qualified(element)}", *_declarations(fresh))
            written = ((_qualified(pieces), text) for pieces, text in sorted(attributes))
            self.parts += (f' {name}="{_quoted(text)}"' for name, text in written)
            self.parts.append(">")

    def _end(self, name: str) -> None:
        self._declared |= self._undo.pop()
        if self._undo:
            self.parts.append(f"</{_qualified(_pieces(name))}>")


def _pieces(name: str) -> tuple[str, str, str]:
    """(namespace, local name, prefix), each of which but the second may be empty."""
    parts = name.split(_BETWEEN)
    if len(parts) == 1:
        return "", name, ""
    uri, local, *prefix = parts
    return uri, local, "".join(prefix)


def _qualified(pieces: tuple[str, str, str]) -> str:
    _, local, prefix = pieces
    return f"{prefix}:{local}" if prefix else local


def _declarations(fresh: dict[str, str]) -> Iterator[str]:
    for prefix, uri in sorted(fresh.items()):
        yield f' xmlns:{prefix}="{_quoted(uri)}"' if prefix else f' xmlns="{_quoted(uri)}"'


def _text(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#xD;")


def _quoted(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return text.replace("\t", "&#x9;").replace("\n", "&#xA;").replace("\r", "&#xD;")
