"""Thin adapters between rdfinc and the libraries its users have."""

from rdfinc.plugins.parsers import replace_rdflib_parsers
from rdfinc.plugins.rdflib_store import RdfincStore

__all__ = ["RdfincStore"]

replace_rdflib_parsers()
