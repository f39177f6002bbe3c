"""All facts between two commits, and what users see of them.

`version` holds them, `visibility` has the one class that decides what is shown, `fact_views`
reads it triple by triple (SPARQL by columns: `plugins.sparql.facts.fact_relations`). `change`
is what is asked of a knowledge base, and `bounds` how much it may take. `visible_delta` is what it
changed for users: `alias_delta` tells it of all terms where facts are held about representatives,
and `literal_ends` knows at which end of their pairs closures may have literals. `term_predicates`
tells which predicates a term has, `rare_facts` which of them have few facts, `value_orders` where
the objects of a predicate stand among each other. `container_properties` are the rdf:_n in use."""
