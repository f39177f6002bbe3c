"""The first hour with rdfinc: seven things one wants to do with a graph that reasons.

python examples/first_hour.py
"""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path

from rdflib import RDF, Graph, Namespace

import rdfinc

FAMILY = Namespace("http://example.org/family#")

graph = Graph(store="rdfinc")
kb = graph.store.kb


def title(text: str) -> None:
    print(f"\n--- {text}")


def show(triple: tuple) -> None:
    print(" ", *(term.n3(graph.namespace_manager) for term in triple))


title("1. Load a file into an ordinary rdflib graph that has rdfinc as its store")
report = kb.load(files("rdfinc.ontologies") / "family.ttl")
print(f"{report.triples} triples stated, {len(graph)} known")

title("2. See what is new: facts that nobody stated, in SPARQL too")
for triple in sorted(kb.derived.triples((FAMILY.frida, None, None))):
    show(triple)
for row in graph.query("SELECT ?who WHERE { ?who a :Mother } ORDER BY ?who"):
    print("a mother:", row.who.n3(graph.namespace_manager))

title("3. Ask why a fact holds")
print(kb.explain((FAMILY.frida, FAMILY.hasGreatUncle, FAMILY.bruno)))

title("4. Delete a statement: what only it supported goes, what else supports stays")
delta = kb.update(delete=[(FAMILY.erna, FAMILY.hasMother, FAMILY.mrs_k)])
print(f"{len(delta.removed)} facts gone, for example")
for triple in sorted(delta.removed)[:5]:
    show(triple)
print("Berta is still a mother:", (FAMILY.berta, RDF.type, FAMILY.Mother) in graph)

title("5. Save your own statements only")
with tempfile.TemporaryDirectory() as folder:
    mine = Path(folder) / "mine.ttl"
    kb.dump(mine, what="explicit")
    print(f"{len(Graph().parse(mine))} of {len(graph)} facts saved")

title("6. Add a rule: the prefixes of the loaded file are known in it")
delta = kb.add_rules("[?x, :hasGrandmother, ?z] :- [?x, :hasParent, ?y], [?y, :hasMother, ?z] .")
for triple in sorted(delta.added):
    show(triple)

title("7. Make a mistake in a rule: the place is shown, nothing has changed")
try:
    kb.add_rules("[?x, :hasAunt, ?z] :- [?x, :hasParent, ?y], [?y, :hasSister ?z] .")
except rdfinc.RuleSyntaxError as error:
    print(error)
