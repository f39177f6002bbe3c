"""A Datalog program in RDFox's syntax, as it stands: facts, NOT, AGGREGATE, BIND, and its changes.

python examples/rdfox_port.py

Rules that were written for RDFox are read as they are. Facts may stand among them; `kb.update`
changes facts, `kb.add_rules` and `kb.remove_rules` change rules, and the closure is kept right.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from rdfinc import KnowledgeBase, RuleError

PROGRAM = """
@prefix : <http://example.org/shop#> .

# facts
:price[:apple, 2] . :price[:pear, 3] . :price[:melon, 5] .
:contains[:basket1, :apple] . :contains[:basket1, :melon] . :contains[:basket2, :pear] .
:Basket[:basket1] . :Basket[:basket2] . :Basket[:basket3] .
:paid[:basket2, true] .

# rules: in brackets, or with the relation first
[?b, :total, ?sum] :- AGGREGATE(
    [?b, :contains, ?x], [?x, :price, ?p] ON ?b BIND SUM(?p) AS ?sum) .
[?b, a, :Empty] :- [?b, a, :Basket], NOT EXISTS ?x IN ([?b, :contains, ?x]) .
[?b, a, :Open] :- [?b, a, :Basket], NOT [?b, :paid, true], NOT [?b, a, :Empty] .
:withTax[?b, ?t] :- :total[?b, ?sum], BIND(?sum * 1.2 AS ?t) .
[?b, a, :Large] :- [?b, :total, ?sum], FILTER(?sum > 6) .
"""

kb = KnowledgeBase("none")  # rules only: triples of OWL are mere triples
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "shop.dlog"
    path.write_text(PROGRAM)
    report = kb.load(path)
print(f"{report.triples} facts, {len(kb.program)} rules")


def show(title: str, query: str) -> None:
    print(title, *(" ".join(term.rpartition("#")[2] for term in row) for row in kb.query(query)))


show("totals:", "SELECT ?b ?t { ?b :total ?t } ORDER BY ?b")
show("open baskets:", "SELECT ?b { ?b a :Open } ORDER BY ?b")
show("large ones:", "SELECT ?b { ?b a :Large } ORDER BY ?b")

print("A pear goes into the first basket, a melon out of it:")
delta = kb.update(
    delete=[(":basket1", ":contains", ":melon")], insert=[(":basket1", ":contains", ":pear")]
)
print(delta)
print("Another rule:")
print(
    kb.add_rules("[?x, :pricedBelow, ?y] :- [?x, :price, ?p], [?y, :price, ?q], FILTER(?p < ?q) .")
)
print("Why is the first basket open?")
print(kb.explain((":basket1", "a", ":Open")))
try:
    kb.add_rules("[?b, a, :Empty] :- [?b, a, :Basket], NOT [?b, a, :Empty] .")
except RuleError as error:
    print("Refused:", error)
