"""All facts between two commits, and what users see of them.

Read first `version` (all facts), `visibility` (the one class that decides what is shown) and
`fact_views` (reading triple by triple; SPARQL reads columns:
`plugins.sparql.facts.fact_relations`).

`change` is a request and its effect, `bounds` how much it may take. `visible_delta` is the part of
an effect that users see: `alias_delta` tells it of all terms where facts are held about
representatives, and `literal_ends` knows at which ends the pairs of a closure may have literals.

What readers look up first: `term_predicates` are the predicates of each term, `subject_rows` the
facts of each subject, `rare_facts` those of predicates with few, `value_orders` the objects of a
predicate in the order of their values. `container_properties` are the rdf:_n in use.
"""
