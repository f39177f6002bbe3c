"""Materialisation on Spark: the folder of a bulk load -> one with all that follows.

Entry: `materialise`, and `stated_change` for what comes and goes, which `changed_statements` reads;
`closure_folder` is what they make, and `closure_contents` its contents for a knowledge base that is
opened there. `closed_here` makes and changes closures in the driver, by the statements of
`stated_data`; `changed_here` works out a change of few facts of others there: `facts_around` are
what it has to be told of, `known_facts` tells it, `engine_ids` are its ids for terms that it is not
told, `changed_files` what it writes. In `fact_files` and `term_files` the driver looks for few. For
more, `driver_engine` compiles the rules, `data_literals` states what they read of literals,
`semi_naive` evaluates them stratum by stratum, `doubts` are what a deletion may take away,
`clause_matches` joins bodies, `pair_closures` closes transitive relations, `match_aggregates`
folds. `fact_parts` and `run_state` are the facts and the folder in the making, `term_numbers` new
terms, `shown` what users see.
"""
