"""A program written for owlrl, with rdfinc in two lines.

python examples/owlrl_to_rdfinc.py

The first line is an import, and the program stays as it is. With the second, the graph derives by
itself and keeps that right while it is edited, so that `expand` can go.
"""

from __future__ import annotations

from rdflib import RDF, Graph, Namespace

import rdfinc.plugins.owlrl_compat as owlrl  # 1. instead of `import owlrl`

EX = Namespace("http://example.org/")
DATA = """
@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:feeds a owl:TransitiveProperty ; rdfs:domain :Equipment .
:boiler :feeds :pump .
:pump :feeds :radiator .
"""


def show(title: str, graph: Graph) -> None:
    answers = (
        f"the boiler feeds the radiator: {(EX.boiler, EX.feeds, EX.radiator) in graph}",
        f"the pump is equipment: {(EX.pump, RDF.type, EX.Equipment) in graph}",
    )
    print(f"{title}: {len(graph)} facts; {'; '.join(answers)}")


graph = Graph().parse(data=DATA, format="turtle")
owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
show("owlrl's program over rdfinc", graph)
graph.remove((EX.pump, EX.feeds, EX.radiator))
show("without the pump's pipe, what followed from it is still there", graph)

graph = Graph(store="rdfinc").parse(data=DATA, format="turtle")  # 2. instead of `Graph()`
show("a graph that derives by itself", graph)
graph.remove((EX.pump, EX.feeds, EX.radiator))
show("without the pump's pipe", graph)
