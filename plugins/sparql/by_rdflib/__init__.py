"""What only rdflib's SPARQL does.

Entry: `rdflib_solutions` of parts that nothing here covers, `rdflib_functions` of users, and
requests that rdflib has `prepared`. `rdflib_algebra` is that of one side for the other.

Importing this room imports `rdflib.plugins.sparql`, whose grammar takes longer to build than most
queries take: it is left until it is needed.
"""

# rdflib imports `for_rdflib.evaluator` while it is imported itself: it has to begin first
import rdflib.plugins.sparql  # noqa: F401
