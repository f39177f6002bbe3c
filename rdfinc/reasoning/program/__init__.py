"""A program as it is run: its plans, its strata, and which facts drive which plans.

Entry: `compiled_program.Compiled`. `plans` are all plans of a clause, `parameter_tables` the rows
that say which rules of a shape there are, `row_filter` those of one stratum, `program_graph` the
dependencies that clauses make with their rows.

`strata` says which facts are of which `stratum`; `plan_index` which plans a relation drives,
`body` which literals of a plan lie where; `single_step_proof` is a first look at a fact in doubt,
and `cost_model` what deletions in a stratum have cost. These four modules import each other: they
are the heart of the engine.
"""
