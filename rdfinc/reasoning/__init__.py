"""Programs over facts: evaluation, materialisation and exact maintenance.

The layer knows integers, not RDF. Entries: `maintenance.maintain` for one update of a
materialisation, `explanation.explain` for a proof.

Read first `evaluation.states` and `evaluation.run`, then `program.compiled_program`,
`program.stratum` and `maintenance.maintain`; the algorithms of the papers lie side by side in
`maintenance`. `reasoning_thresholds` has the sizes at which another way is taken.
"""
