"""What users are told: proofs, contradictions, why facts are gone or never were.

`proofs` are the values they get, `rendering` makes them from ids; `removals`, `why_not` and
`axioms` each answer one question.
"""
