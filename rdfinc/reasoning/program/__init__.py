"""A program as it is run: its plans, its strata, and which facts drive which plans.

Entry: `compiled_program.Compiled`. `signature` says what some ids stand for. `plans` are all plans
of a clause. `parameter_tables` are the tables whose rows tell the rules of a shape, and
`row_filter` takes the rows of one stratum. `program_graph` holds the edges between relations that
clauses make with these rows.

Strata are made by `Compiled.make_strata`, of a program and some facts. The value made is in
`strata`: it gives each fact its level. A `stratum` has the plans of one level, `strata_plans` those
of all; `body` are the literals of a plan, each with its stratum.

`plan_index` finds the plans that a relation drives. It asks which parameter tables the relation's
name is in (`schema_terms`), and then for the `leading_rows` of each plan; `plan_memory` keeps the
answers until facts of these tables change.

For deletions: `single_step_proof` is a glance at a fact in doubt, `cost_model` the cost of
deletions in a stratum so far, by the `clock`.
"""
