"""What users are told: proofs, contradictions, why facts are gone or never were.

`proofs` are the values they get, `rendering` makes them from ids, `contradictions` tells each once,
`violation_groups` sorts them by what has to be mended; `removals` and `why_not` each answer one
question; of `stated_triples`, `axioms` tells what the rules do not use, and `unknown_terms` which
terms nobody has defined. `wording` has the words for terms, `node_names` those for class
expressions and lists, and `shown_facts` the first of some facts in these. `short_names` are terms
as people type them, `near_names` those with other capitals, `notebook` and `tables` are HTML,
`proof_picture` and `class_picture` SVG; `class_tree` has the classes by what is above them.
"""
