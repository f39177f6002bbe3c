"""Terms that the tests speak of."""

from __future__ import annotations

from rdflib import RDF, RDFS, Dataset, Graph, Namespace, URIRef
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

EX = Namespace("http://example.org/")
TYPE, SUB = RDF.type, RDFS.subClassOf
TOM, ANN, CAT, ANIMAL = EX.tom, EX.ann, EX.Cat, EX.Animal
KNOWS, LIKES = EX.knows, EX.likes
G1, G2 = EX.g1, EX.g2
EXPLICIT, DERIVED = URIRef("urn:rdfinc:explicit"), URIRef("urn:rdfinc:derived")

STATED = {(CAT, SUB, ANIMAL), (TOM, TYPE, CAT)}
CLOSURE = STATED | {(TOM, TYPE, ANIMAL)}


def default_graph(dataset: Dataset) -> Graph:
    """The default graph, under the one name that every release of rdflib has for it."""
    return dataset.graph(DATASET_DEFAULT_GRAPH_ID)
