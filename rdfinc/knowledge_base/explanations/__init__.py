"""What users are told: proofs, contradictions, why facts are gone or never were.

`proofs` are the values that users get; `rendering` makes them from ids. Proofs gone: `removals`.
Facts that never were: `why_not`. `contradictions` tells each one once, `violation_groups` sorts
them by what has to be mended. Of `stated_triples`, `axioms` tells those that the rules do not use
(`unused_axioms`), and `unknown_terms` the terms that nobody has defined.

Words: `wording` for terms, `node_names` for class expressions and lists, `shown_facts` for the
first of some facts; `short_names` are terms as people type them, `near_names` those with other
capitals. Pictures: `notebook` and `tables` are HTML, `proof_picture` and `class_picture` SVG, of
proofs and of the `class_tree`.
"""
