"""Adapters between rdfinc and the libraries its users have; installed as `rdfinc.plugins`.

`rdflib_store` is the store, and `Graph` and `Dataset` with look-ups of their own, over the rooms
`rdflib` (statements) and `sparql` (queries and updates in id space, over `rdfinc.tables`);
`sparql_door` answers SPARQL for who has no graph of rdflib's; `owlrl_compat` has owlrl's classes;
`server` answers SPARQL over HTTP; `spark` is for what memory does not hold; `bench` measures rdfinc
beside what others use.
"""

from rdfinc.plugins.rdflib.parsers import replace_rdflib_parsers
from rdfinc.plugins.rdflib_store import RdfincStore

__all__ = ["RdfincStore"]

replace_rdflib_parsers()
