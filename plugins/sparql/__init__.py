"""SPARQL over rdfinc stores: a parser, then an algebra that is answered by ids, sets at a time.

Entry: `store_requests`. A request goes through the rooms so: `syntax` (a tree of its text) ->
`algebra` -> `evaluation` of each part, and of its `expressions`, over the `facts` of its graphs ->
`results`, or `updates`. What they hand each other are `columns`: solutions as ids, and their terms.
`watches` are queries that are asked once and answered with every change. `by_rdflib` is what only
rdflib does, `for_rdflib` what it asks of us.

Beside the rooms: `shapes` are texts that differ in constants and share their algebra, `depth`
refuses what is deeper than the stack, `trace` tells what happened, `rdflib_state` what users have
set in rdflib's own SPARQL, `query_thresholds` has the sizes at which another way is taken.
"""
