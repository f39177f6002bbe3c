"""Plans over batches of facts.

Entry: `run.run(plan, predicate, keys, states)`. `states` are the facts before, kept and after, in
which literals are read. `plan_codegen` writes plans as Python source, for `row_interpreter` (short
plans) and `step_interpreter` (long ones); large batches are joined by columns in `run`. Where a
literal may match many relations, `related` tells which of them a term has.
`search_reports` tells how far a search has come that has not met a match yet.

`table_deltas` and `guarded_deltas` are what closed relations gain and lose, as much of it as their
readers need.
"""
