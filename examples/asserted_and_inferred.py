"""Asserted and inferred facts apart: who states what, in named graphs, and what only follows.

python examples/asserted_and_inferred.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from rdflib import Dataset, Namespace, URIRef

EX = Namespace("http://example.org/")
DERIVED = URIRef("urn:rdfinc:derived")
DATA = """
@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
GRAPH :schema { :locatedIn a owl:TransitiveProperty . }
GRAPH :museums { :louvre :locatedIn :paris . :prado :locatedIn :madrid . }
GRAPH :cities { :paris :locatedIn :france . :madrid :locatedIn :spain . }
GRAPH :atlas { :paris :locatedIn :france . }
"""

data = Dataset(store="rdfinc")
data.bind("", EX)
data.parse(data=DATA, format="trig")
kb = data.store.kb


def tell(title: str) -> None:
    print(title)
    for name in ("museums", "cities", "atlas"):
        print(f"  {name} states {len(data.graph(EX[name]))}")
    for s, p, o in sorted(data.graph(DERIVED)):
        print("  only follows:", *(term.n3(data.namespace_manager) for term in (s, p, o)))


tell("At first")
data.graph(EX.cities).remove((EX.paris, EX.locatedIn, EX.france))
tell("Cities says no more where Paris is: the atlas still does")
data.graph(EX.atlas).remove((EX.paris, EX.locatedIn, EX.france))
tell("The atlas neither")

asked = "SELECT ?g ?x ?y { GRAPH ?g { ?x :locatedIn ?y } } ORDER BY ?x ?g"
print("Asked by graph:")
for row in data.query(asked):
    print(" ", *(term.n3(data.namespace_manager) for term in row))
print("Saved without what follows:")
with tempfile.TemporaryDirectory() as folder:
    kb.dump(Path(folder) / "stated.nq", what="explicit")
    print((Path(folder) / "stated.nq").read_text(), end="")
