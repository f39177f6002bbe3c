"""SPARQL over rdfinc stores: rdflib's evaluator, with graph patterns answered by ids."""

# rdflib imports `evaluation`, an entry point, while it is imported itself: it has to begin first
import rdflib.plugins.sparql  # noqa: F401
