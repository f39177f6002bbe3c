"""kglab's frames over all that follows.

python examples/peers/frames_of_kglab.py        (pip install "rdfinc[peers]")
"""

from __future__ import annotations

import kglab
from rdflib import Graph

graph = Graph(store="rdfinc").parse(
    data="""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :Cat rdfs:subClassOf :Animal .
    :tom a :Cat .
    """,
    format="turtle",
)
frame = kglab.KnowledgeGraph(import_graph=graph).query_as_df(
    "SELECT ?class { <http://example.org/tom> a ?class } ORDER BY ?class"
)
print(*frame["class"])
