"""What rdflib asks of our evaluation.

Entry: `evaluator`, which rdflib's own calls for each part of each query of the process.
"""

# rdflib imports `evaluator`, an entry point, while it is imported itself: it has to begin first
import rdflib.plugins.sparql  # noqa: F401
