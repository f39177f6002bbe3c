"""Answers as a pandas table, and all that follows as a graph of networkx.

python examples/peers/tables_and_paths.py        (pip install "rdfinc[peers]")
"""

from __future__ import annotations

import networkx
from rdflib import Graph, Namespace
from rdflib.extras.external_graph_libs import rdflib_to_networkx_digraph

EX = Namespace("http://example.org/")
graph = Graph(store="rdfinc").parse(
    data="""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :feeds rdfs:domain :Equipment ; rdfs:subPropertyOf :connected .
    :boiler :feeds :pump ; :power 12.5 .
    :pump :feeds :radiator ; :power 0.5 .
    """,
    format="turtle",
)

table = graph.query(
    "PREFIX : <http://example.org/> SELECT ?x ?power { ?x a :Equipment ; :power ?power }"
).to_pandas()
print(table.sort_values("power", ascending=False).to_string(index=False))
print("power in all:", table["power"].sum())

network = rdflib_to_networkx_digraph(graph)
path = networkx.shortest_path(network, EX.boiler, EX.radiator)
print("path:", *(term.n3(graph.namespace_manager) for term in path))
print("labels of its first edge:", len(network[EX.boiler][EX.pump]["triples"]))
