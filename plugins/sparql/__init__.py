"""SPARQL over rdfinc stores: a parser, then an algebra that is answered by ids, sets at a time.

Entry: `requests`. A text becomes a tree (`syntax`; `data_blocks` reads long data beside it), and
that becomes `algebra`, made of `nodes`, with `aggregation`, `in_scope`, `part_variables` and
`bindings`; texts of one of the `shapes` share it. `prepared` takes what rdflib has parsed.

`evaluation` answers its parts within a `scope`: `patterns` in their `join_order` over
`fact_relations` of `graphs`, `ranges` and `least_values` by the order of values, `paths` with
`link_lists`, `joins`, `modifiers`, `grouping` with `tally` and `column_aggregates`; `named_facts`
and `named_paths` for GRAPH with a variable. All of them work on `solutions`, columns of
`query_terms`.

Expressions: `column_expressions` compiles them, with `chains`, to `term_operators` over
`term_columns`, with `enclosed_texts`; these call `functions`, `comparisons`, `membership` and
`rdflib_functions`, with `typed_columns`, `denoted`, `regular`, `term_values` and `labels`. Results:
`forms`, `results`, `data_frames`, with `plans`. Updates: `updates`, `templates`, `edits`, `remote`.
Watched queries: `watches`, `watchable`, `differences`. `budget` stops what takes too long, `depth`
refuses too long chains, `trace` tells what happened. `query_thresholds` has the sizes at which
another way is taken.
"""

# rdflib imports `evaluation`, an entry point, while it is imported itself: it has to begin first
import rdflib.plugins.sparql  # noqa: F401
