"""What the service is, in the vocabulary of SPARQL 1.1 Service Description."""

from __future__ import annotations

from collections.abc import Iterator

from rdfinc.plugins.server.answer_formats import BOOLEANS, GRAPHS, SOLUTIONS, graph_bytes
from rdfinc.plugins.server.served import Served

SD = "http://www.w3.org/ns/sparql-service-description#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_FORMATS = {
    "application/sparql-results+json": "SPARQL_Results_JSON",
    "application/sparql-results+xml": "SPARQL_Results_XML",
    "text/csv": "SPARQL_Results_CSV",
    "text/tab-separated-values": "SPARQL_Results_TSV",
    "text/turtle": "Turtle",
    "application/n-triples": "N-Triples",
    "application/rdf+xml": "RDF_XML",
    "application/ld+json": "JSON-LD",
}
_REGIMES = {"rdfs": "RDFS", "owl2rl": "OWL-RDF-Based", "none": "Simple"}

Triple = tuple[bytes, bytes, bytes, None]


def description(endpoint: str, served: Served, media_type: str) -> bytes:
    """The description of the service at an endpoint."""
    prefixes = {"sd": SD, "formats": "http://www.w3.org/ns/formats/"}
    return graph_bytes(_triples(endpoint, served), media_type, prefixes)


def _triples(endpoint: str, served: Served) -> Iterator[Triple]:
    service, dataset, default = b"_:service", b"_:dataset", b"_:default"
    yield service, _iri(f"{RDF}type"), _iri(f"{SD}Service"), None
    yield service, _iri(f"{SD}endpoint"), _iri(endpoint), None
    languages = ["SPARQL11Query", *(["SPARQL11Update"] if served.settings.update else [])]
    for language in languages:
        yield service, _iri(f"{SD}supportedLanguage"), _iri(SD + language), None
    for feature in ("UnionDefaultGraph", *(["BasicFederatedQuery"] * served.settings.remote)):
        yield service, _iri(f"{SD}feature"), _iri(SD + feature), None
    for media_type in dict.fromkeys((*SOLUTIONS, *BOOLEANS, *GRAPHS)):
        if name := _FORMATS.get(media_type):
            form = _iri(f"http://www.w3.org/ns/formats/{name}")
            yield service, _iri(f"{SD}resultFormat"), form, None
    regime = _iri(f"http://www.w3.org/ns/entailment/{_REGIMES[served.kb.profile]}")
    yield service, _iri(f"{SD}defaultEntailmentRegime"), regime, None
    yield service, _iri(f"{SD}defaultDataset"), dataset, None
    yield dataset, _iri(f"{RDF}type"), _iri(f"{SD}Dataset"), None
    yield dataset, _iri(f"{SD}defaultGraph"), default, None
    yield default, _iri(f"{RDF}type"), _iri(f"{SD}Graph"), None


def _iri(text: str) -> bytes:
    return f"<{text}>".encode()
