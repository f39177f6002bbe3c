"""A program as it is run: its plans, its strata, and which facts drive which plans.

Entry: `compiled_program.Compiled`. `signature` says what some ids stand for. `plans` are all plans
of a clause. `parameter_tables` are the tables whose rows tell the rules of a shape, and
`row_filter` takes the rows of one stratum. `program_graph` holds the edges between relations that
clauses make with these rows.

Strata are made by `Compiled.make_strata`, of a program and some facts: levels are found by
`datalog.compile.relation_hypergraph`, and the value made is in `strata`, which gives each fact its
level. `Compiled.strata_stay` tells whether they fit other facts. A `stratum` has the plans of one
level, `strata_plans` those of all; `body` are the literals of a plan, each with its stratum.

`plan_index` finds the plans that a relation drives. It asks which parameter tables the relation's
name is in (`schema_terms`), and then for the `leading_rows` of each plan. A schema fact is a row of
a parameter table: when one comes or goes, `plan_memory` forgets the answers that depend on it, and
no others.

For deletions: `single_step_proof` is a glance at a fact in doubt, `foundation` what data do not
reach in a single stratum, `cost_model` the cost of deletions in a stratum so far, by the `clock`.
"""
