"""SPARQL requests that the store carries out itself, on rdflib's evaluator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import rdflib.plugins.sparql as rdflib_sparql
from pyparsing import ParseException
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, Dataset, Graph
from rdflib.plugins.sparql import evaluate
from rdflib.plugins.sparql import update as operations
from rdflib.plugins.sparql.algebra import translateQuery, translateUpdate
from rdflib.plugins.sparql.parser import parseQuery, parseUpdate
from rdflib.plugins.sparql.processor import SPARQLResult
from rdflib.plugins.sparql.sparql import Query, QueryContext, Update
from rdflib.term import Identifier, Variable

if TYPE_CHECKING:
    from rdfinc.plugins.rdflib_store import RdfincStore

UNION = "__UNION__"
