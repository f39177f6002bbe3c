"""SPARQL for whoever has a knowledge base and no rdflib graph: the extension `sparql`."""

from __future__ import annotations

from pyparsing import ParseException
from rdflib import Dataset
from rdflib.query import Result

from rdfinc import DataSyntaxError, KnowledgeBase
from rdfinc.plugins.rdflib_store import RdfincStore


def query(kb: KnowledgeBase, text: str) -> Result:
    """The result of a SPARQL query over the closure of all graphs.

    Prefixes need no declaration if `kb.namespaces` has them. Raises DataSyntaxError.
    """
    dataset = Dataset(RdfincStore(kb), default_union=True)
    try:
        return dataset.query(text)
    except ParseException as error:
        raise DataSyntaxError("query", error.lineno, error.line, f"no SPARQL: {error.msg}") from None
