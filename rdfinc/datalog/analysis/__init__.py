"""What can be said of rules before they are compiled.

`safety`: which rules can be evaluated. `rule_hypergraph`: the relations that rules depend on, as
their author sees them. `modules`: relations that a table can keep as a function of other facts.
All of them rest on `strong_components` (Tarjan).
"""
