"""SPARQL for whoever has a knowledge base and no rdflib graph: the extension `sparql`."""

from __future__ import annotations

from pyparsing import ParseException
from rdflib import Dataset
from rdflib.namespace import NamespaceManager
from rdflib.plugins.sparql import prepareQuery
from rdflib.query import Result

from rdfinc import DataSyntaxError, KnowledgeBase
from rdfinc.datalog.syntax import PREFIXES
from rdfinc.plugins.rdflib_store import RdfincStore


def query(kb: KnowledgeBase, text: str) -> Result:
    """The result of a SPARQL query over the closure of all graphs.

    The prefixes of rule texts need no declaration here either. Raises DataSyntaxError.
    """
    prefixes = {**PREFIXES, **kb.namespaces}
    try:
        prepared = prepareQuery(text, initNs=prefixes)
    except Exception as error:  # rdflib raises a plain Exception for an unknown prefix
        raise _refused(error) from None
    dataset = Dataset(RdfincStore(kb), default_union=True)
    dataset.namespace_manager = NamespaceManager(dataset, bind_namespaces="none")
    return dataset.query(prepared)


def _refused(error: Exception) -> DataSyntaxError:
    if isinstance(error, ParseException):
        shown = f"{error.line}\n    {' ' * (error.column - 1)}^"
        return DataSyntaxError("query", error.lineno, shown, f"no SPARQL: {error.msg}")
    return DataSyntaxError("query", None, "", str(error))
