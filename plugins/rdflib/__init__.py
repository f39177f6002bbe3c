"""rdflib's store interface over a knowledge base, SPARQL aside.

Entry: `statement_store`. `pending_statements` collects statements added one by one, `graph_names`
and `callers` find the graph that is meant. `beyond_rdf` holds statements outside of RDF,
`closure_events` tells subscribers, `store_prefixes` binds prefixes. `parsers` and `inference` are
rdflib's other plugin interfaces, and `rdflib_versions` is what differs among rdflib's versions.
"""
