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


def title(text: str) -> None:
    print(f"\n--- {text}")


title("1. Load a file: an ordinary rdflib graph, with rdfinc as its store")
graph = Graph(store="rdfinc")
graph.bind("", FAMILY)
kb = graph.store.kb
report = kb.load(files("rdfinc.ontologies") / "family.ttl")
print(f"{report.triples} triples stated, {len(graph)} known")

title("2. See what is new: facts that nobody stated, in SPARQL too")
for _, predicate, value in sorted(kb.derived.triples((FAMILY.frida, None, None))):
    print(f"frida {predicate.n3(graph.namespace_manager)} {value.n3(graph.namespace_manager)}")
for row in graph.query("SELECT ?who WHERE { ?who a :Mother } ORDER BY ?who"):
    print("a mother:", row.who.n3(graph.namespace_manager))

title("3. Ask why a fact holds")
print(kb.explain((FAMILY.frida, FAMILY.hasAncestor, FAMILY.anna)))

title("4. Delete a statement: what only it supported goes, what else supports stays")
delta = kb.update(delete=[(FAMILY.erna, FAMILY.hasMother, FAMILY.mrs_k)])
print(f"{len(delta.removed)} facts gone, for example:")
for triple in sorted(delta.removed)[:5]:
    print(" ", *(term.n3(graph.namespace_manager) for term in triple))
print("erna still lives with her mother berta:", (FAMILY.berta, RDF.type, FAMILY.Mother) in graph)

title("5. Save your own statements only")
with tempfile.TemporaryDirectory() as folder:
    mine = Path(folder) / "mine.ttl"
    kb.dump(mine, what="explicit")
    print(f"{len(Graph().parse(mine))} of {len(graph)} facts saved")

title("6. Add a rule: the prefixes of the loaded file are known")
delta = kb.add_rules("[?x, :hasGrandmother, ?z] :- [?x, :hasParent, ?y], [?y, :hasMother, ?z] .")
for person, _, grandmother in sorted(delta.added):
    print(" ", person.n3(graph.namespace_manager), grandmother.n3(graph.namespace_manager))

title("7. Make a mistake in a rule: the place is shown, nothing has changed")
try:
    kb.add_rules("[?x, :hasAunt, ?z] :- [?x, :hasParent, ?y], [?y, :hasSister ?z] .")
except rdfinc.RuleSyntaxError as error:
    print(error)
