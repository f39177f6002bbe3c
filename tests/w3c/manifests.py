"""The W3C's SPARQL tests as they are published: manifests in Turtle, unpacked from an archive."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from rdflib import RDF, RDFS, BNode, Graph, Namespace, URIRef

ARCHIVE = Path(__file__).parents[3] / "shared" / "data" / "w3c" / "sparql-tests.tar.gz"
MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
QT = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
UT = Namespace("http://www.w3.org/2009/sparql/tests/test-update#")


@dataclass(frozen=True)
class Case:
    """A test of a manifest: its kind (`QueryEvaluationTest` and so on), what is done, and what is
    to come of it, as nodes of the manifest."""

    name: str
    kind: str
    manifest: Graph
    action: Any
    result: Any

    def file(self, *properties: URIRef) -> Path:
        """The file that the action names, by one of some properties or by itself."""
        named = (self.manifest.value(self.action, each) for each in properties)
        return path_of(next((node for node in named if node is not None), self.action))


def folders() -> list[str]:
    """The folders that have a manifest of tests, by their names in the archive."""
    if not ARCHIVE.is_file():
        return []
    with tarfile.open(ARCHIVE) as archive:
        return sorted(
            name.rpartition("/")[0]
            for name in archive.getnames()
            if name.endswith("/manifest.ttl") and name.count("/") > 2
        )


def unpacked(into: Path) -> Path:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(into, filter="data")
    return into


def cases(folder: Path) -> Iterator[Case]:
    """The tests of a folder, in the order of their names."""
    manifest = Graph()
    manifest.parse(folder / "manifest.ttl", publicID=(folder / "manifest.ttl").as_uri())
    for node in sorted(set(manifest.subjects(MF.action))):
        kinds = [kind for kind in manifest.objects(node, RDF.type) if kind.startswith(MF)]
        kind = kinds[0].removeprefix(MF) if kinds else "QueryEvaluationTest"
        result, action = manifest.value(node, MF.result), manifest.value(node, MF.action)
        yield Case(node.rpartition("#")[2], kind, manifest, action, result)


def path_of(iri: Any) -> Path:
    return Path(unquote(urlparse(str(iri)).path))


def stated_graphs(manifest: Graph, at: Any, vocabulary: Namespace) -> Iterator[tuple[URIRef, Path]]:
    """The named graphs of a test: the name of each, and the file that states it."""
    for node in manifest.objects(at, vocabulary.graphData):
        if isinstance(node, BNode):
            file = manifest.value(node, vocabulary.graph)
            yield URIRef(str(manifest.value(node, RDFS.label))), path_of(file)
        else:
            yield URIRef(node), path_of(node)
