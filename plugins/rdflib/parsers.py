"""rdflib parsers that go through rdfinc's own readers.

`graph.parse(…, format="rdfinc-turtle")` and its like read into any store. Into a rdfinc store,
rdfinc reads all formats of rdflib that it can, so that `Graph.parse` and `KnowledgeBase.load` of
one document make one graph: rdflib's parsers change literals on the way.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from uuid import uuid4

import rdflib
from rdflib import plugin
from rdflib.graph import ConjunctiveGraph, Dataset, Graph
from rdflib.parser import InputSource, Parser
from rdflib.term import BNode

from rdfinc import DataSyntaxError, UnsupportedError
from rdfinc.plugins.rdflib.graph_names import DEFAULT
from rdfinc.plugins.rdflib.rdflib_versions import default_of
from rdfinc.plugins.rdflib.statement_store import StatementStore
from rdfinc.terms.dictionary import Dictionary


class UniqueScope:
    """A dictionary, for the reader of one document whose blank nodes get globally unique names.

    The names of blank nodes hold the number of their scope. A dictionary counts; here the number
    is drawn at random, because rdflib takes equal names in different graphs for one node.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary

    def fresh_scope(self) -> int:
        return uuid4().int >> 64

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dictionary, name)


_SYNTAXES = {
    "NTParser": "nt",
    "NQuadsParser": "nq",
    "TurtleParser": "turtle",
    "N3Parser": "n3",
    "TrigParser": "trig",
    "RDFXMLParser": "xml",
}
_RDFLIB = "rdflib.plugins.parsers."


class _Reader(Parser):
    """Reads one syntax into a graph of any store. Raises DataSyntaxError; then nothing is added.

    As with `KnowledgeBase.load`, the blank nodes of every document are fresh.
    """

    syntax: ClassVar[str]

    def parse(self, source: InputSource, sink: Graph, **options: Any) -> None:
        data, base = _content(source), _base(source, sink)
        if isinstance(sink.store, StatementStore):
            sink.store.read(data, sink, syntax=self.syntax, base=base)
            return
        read = Graph(StatementStore(profile="none"))
        read.store.read(data, read, syntax=self.syntax, base=base)
        for prefix, namespace in read.store.namespaces():
            sink.bind(prefix, namespace)
        sink.store.addN(_with_fresh_nodes(read.store, sink))


def _content(source: InputSource) -> bytes:
    content = (source.getByteStream() or source.getCharacterStream()).read()
    return content.encode() if isinstance(content, str) else content


def _base(source: InputSource, sink: Graph) -> str:
    return str(sink.absolutize(source.getPublicId() or source.getSystemId() or ""))


def _with_fresh_nodes(read: StatementStore, sink: Graph) -> Iterator[Any]:
    """The statements of `read` for the store of `sink`, with blank nodes that are new there."""
    fresh: dict[Any, BNode] = defaultdict(BNode)
    default = default_of(sink) if isinstance(sink, ConjunctiveGraph) else sink
    for quad in Dataset(read).quads():
        s, p, o, g = (fresh[term] if isinstance(term, BNode) else term for term in quad)
        yield s, p, o, default if g == DEFAULT else Graph(sink.store, g)


class NTriplesReader(_Reader):
    syntax = "nt"


class NQuadsReader(_Reader):
    syntax = "nq"


class TurtleReader(_Reader):
    syntax = "turtle"


class TriGReader(_Reader):
    syntax = "trig"


class RDFXMLReader(_Reader):
    syntax = "xml"


# -- rdflib's own formats


def replace_rdflib_parsers() -> None:
    """Registers, for each of rdflib's parsers, one that differs for rdfinc stores only.

    The registry is one for the whole process, and rdflib's names in it cannot be had by an entry
    point.
    """
    for known in list(plugin.plugins(kind=Parser)):
        module = getattr(known, "module_path", "")
        if module.startswith(_RDFLIB):
            name = f"{module.removeprefix(_RDFLIB)}:{known.class_name}"
            plugin.register(known.name, Parser, __name__, name)


def __getattr__(name: str) -> type[Parser]:
    """The class that stands for rdflib's `module:Class`."""
    module, _, class_name = name.partition(":")
    if not class_name:
        raise AttributeError(f"module {__name__} has no attribute {name!r}")
    original = getattr(__import__(_RDFLIB + module, fromlist=[class_name]), class_name)
    return type(class_name, (_Exact, original), {"syntax": _SYNTAXES.get(class_name)})


class _Exact:
    """One of rdflib's parsers, except that into a rdfinc store it reads terms as the document has
    them. A reader of rdfinc's is preferred; its blank nodes get globally unique names, as rdflib's
    do. Documents that this reader does not accept, and requests with options, are left to rdflib's
    parser, but literals keep their lexical forms. A document is added as a whole, or not at all.
    """

    syntax: ClassVar[str | None]

    def parse(self, source: InputSource, sink: Graph, *args: Any, **options: Any) -> Any:
        store = sink.store
        if not isinstance(store, StatementStore):
            return super().parse(source, sink, *args, **options)  # type: ignore[misc]
        usual = self.syntax and not args and not options and _is_utf8(source)
        if usual and store.is_unobserved() and _is_read(source, sink, self.syntax):
            return None
        with store.atomic(), _lexical_forms_kept():
            return super().parse(source, sink, *args, **options)  # type: ignore[misc]


def _is_read(source: InputSource, sink: Graph, syntax: str) -> bool:
    """Whether rdfinc's reader has read `source`; if not, it stands at its beginning again."""
    data, base = _content(source), _base(source, sink)
    try:
        sink.store.read(data, sink, syntax=syntax, base=base, scope=UniqueScope)
    except (DataSyntaxError, UnsupportedError, SyntaxError):
        _rewind(source, data)
        return False
    return True


def _is_utf8(source: InputSource) -> bool:
    return (source.getEncoding() or "utf-8").lower() in ("utf-8", "utf8", "ascii", "us-ascii")


def _rewind(source: InputSource, data: bytes) -> None:
    if source.getCharacterStream() is not None:
        source.setCharacterStream(io.StringIO(data.decode(errors="replace")))
    source.setByteStream(io.BytesIO(data))


@contextmanager
def _lexical_forms_kept() -> Iterator[None]:
    before, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
    try:
        yield
    finally:
        rdflib.NORMALIZE_LITERALS = before
