"""Whatever is imported first, the plugins are found and SPARQL runs on the indexes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FIRST = [
    "import rdflib.plugins.sparql",
    "import rdfinc.plugins",
    "import rdfinc.plugins.sparql.evaluation.evaluate",
    "import rdfinc.plugins.sparql.for_rdflib.evaluator",
    "import rdfinc.plugins.rdflib.parsers",
    "import rdfinc",
    "from rdflib.plugins.sparql import prepareQuery",
]
THEN = """
from rdflib import Graph
from rdflib.plugins.sparql import CUSTOM_EVALS
graph = Graph(store="rdfinc")
graph.parse(data="<x:a> a <x:C> . <x:C> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <x:D> .")
assert CUSTOM_EVALS["rdfinc"].__module__ == "rdfinc.plugins.sparql.for_rdflib.evaluator"
assert len(list(graph.query("SELECT ?c { <x:a> a ?c }"))) == 2
graph.parse(data="<x:b> <x:p> <x:C> .", format="rdfinc-nt")
assert graph.query("", processor="owlrl").type == "CONSTRUCT"
"""


@pytest.mark.parametrize("first", FIRST)
def test_any_order_of_imports(first: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", first + "\n" + THEN], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", ["query", "update"])
def test_first_requests_of_several_threads(kind: str) -> None:
    script = Path(__file__).with_name("first_requests.py")
    done = subprocess.run(
        [sys.executable, str(script), kind], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
