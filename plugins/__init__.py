"""Thin adapters between rdfinc and the libraries its users have."""

from rdfinc.plugins.rdflib_store import RdfincStore

__all__ = ["RdfincStore"]
