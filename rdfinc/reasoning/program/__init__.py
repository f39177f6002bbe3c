"""A program as it is run: its plans, its strata, and which facts drive which plans.

Entry: `compiled_program.Compiled`. `signature` says what some ids stand for. `plans` are all plans
of a clause. `parameter_tables` are the tables whose rows tell the rules of a shape, and
`row_filter` takes the rows of one stratum. `program_graph` holds the edges between relations that
clauses make with these rows.

Where strata are made: `Compiled.make_strata`, of a program and some facts. The value that it makes
is in `strata`: it gives each fact its level. `body` tells the strata of a plan's literals, and
`plan_index` finds the plans that a relation drives, by the parameter tables that its name is in
(`schema_terms`), and after the `leading_rows` of each; `plan_memory` keeps what was found so until
it changes. A `stratum` has the plans of one level, `strata_plans` those of all. `single_step_proof`
is a glance at a fact in doubt, and `cost_model` the cost of deletions in a stratum so far, by the
`clock`.
"""
