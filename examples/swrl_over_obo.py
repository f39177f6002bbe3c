"""SWRL rules over an ontology in OBO's manner, whose terms have numbers for names: by label.

python examples/swrl_over_obo.py

Classes and relations of OBO ontologies are called `CELL_0000012` and the like; people read their
labels. The rule is written as in Protégé's SWRL tab, with short names for the numbers, and proofs
call everything by its label. The few terms here are made up for the example.
"""

from __future__ import annotations

import re

from rdfinc import KnowledgeBase
from rdfinc.owl.swrl_text import parse_swrl

ONTOLOGY = b"""
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://example.org/lab#> .

obo:XX_0000001 a owl:Class ; rdfs:label "cell" .
obo:XX_0000002 a owl:Class ; rdfs:label "neuron" ; rdfs:subClassOf obo:XX_0000001 .
obo:XX_0000003 a owl:Class ; rdfs:label "brain" .
obo:XX_0000004 a owl:Class ; rdfs:label "brain cell" .
obo:RR_0000001 a owl:ObjectProperty , owl:TransitiveProperty ; rdfs:label "part of" .
:sample7 a obo:XX_0000002 ; rdfs:label "sample 7" ; obo:RR_0000001 :cortex .
:cortex rdfs:label "the cortex" ; obo:RR_0000001 :mouse_brain .
:mouse_brain a obo:XX_0000003 ; rdfs:label "the mouse's brain" .
"""
RULE = "cell(?x) ^ part_of(?x, ?b) ^ brain(?b) -> brain_cell(?x)"

kb = KnowledgeBase()
kb.load(ONTOLOGY, format="turtle")


def by_label(text: str) -> str:
    """A rule with prefixed names for the labels in it, in which `_` stands for a space."""
    for row in kb.query("SELECT ?term ?label { ?term rdfs:label ?label }"):
        name = f"obo:{row.term.rpartition('/')[2]}"
        text = re.sub(rf"\b{row.label.replace(' ', '_')}\(", f"{name}(", text)
    return text


rules = parse_swrl(by_label(RULE), kb.namespaces)
print(RULE)
print("is", by_label(RULE))
delta = kb.add_rules(rules)
print(f"{len(delta.added)} new: why?")
for fact in delta.added:
    print(kb.explain(fact, labels=True))
print("Without the rule nothing of it is left:")
print(len(kb.remove_rules(rules).removed), "gone")
