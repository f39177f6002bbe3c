"""pySHACL over what is stated and what follows, without its own inference.

python examples/peers/shapes.py        (pip install "rdfinc[peers]")

`inference="none"` and `inplace=True`: the graph has all that follows, and is not copied.
"""

from __future__ import annotations

import pyshacl
from rdflib import Graph

DATA = """
@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:feeds a owl:TransitiveProperty ; owl:inverseOf :fedBy .
:boiler a :Source ; :feeds :pump .
:pump :feeds :radiator .
:radiator a :Terminal .
:towelRail a :Terminal .
"""
SHAPES = """
@prefix : <http://example.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
:TerminalShape a sh:NodeShape ; sh:targetClass :Terminal ;
    sh:property [ sh:path :fedBy ; sh:qualifiedValueShape [ sh:class :Source ] ;
        sh:qualifiedMinCount 1 ; sh:message "a terminal is fed by a source" ] .
"""

graph = Graph(store="rdfinc").parse(data=DATA, format="turtle")
shapes = Graph().parse(data=SHAPES, format="turtle")


def tell() -> None:
    conforms, _, text = pyshacl.validate(graph, shacl_graph=shapes, inference="none", inplace=True)
    focus = [line.strip() for line in text.splitlines() if "Focus Node" in line]
    print("conforms" if conforms else f"does not conform: {focus}")


tell()
graph.update("PREFIX : <http://example.org/> INSERT DATA { :radiator :feeds :towelRail }")
tell()
