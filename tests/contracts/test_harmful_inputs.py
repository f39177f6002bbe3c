"""Every reader of what comes from outside: harmful input is one error of one sentence, within
limits of time and memory, in a process that lives on."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="processes have no limits here")

LIMITED = """\
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from rdfinc import KnowledgeBase, RdfincError
kb = KnowledgeBase(profile="none")
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
def xml(content, dtd=""):
    start = f"<!DOCTYPE rdf:RDF [{dtd}]><rdf:RDF xmlns:rdf='{RDF}' xmlns:e='urn:e:'>"
    kb.load((start + content + "</rdf:RDF>").encode(), format="xml")
try:
    ACT
except RdfincError as error:
    print(str(error).splitlines()[0][:200])
assert len(kb) == 0
"""

HARMFUL = {
    "entities of entities": """xml("<e:C><e:p>&e;</e:p></e:C>", "<!ENTITY a 'text'>" + "".join(
        f"<!ENTITY {n} '" + f"&{m};" * 10 + "'>" for m, n in ("ab", "bc", "cd", "de")))""",
    "an entity used often": """xml("<e:C><e:p>" + "&a;" * 20000 + "</e:p></e:C>",
        "<!ENTITY a '" + "x" * 50000 + "'>")""",
    "deep RDF/XML": 'xml("<e:C><e:p>" * 100000)',
    "deep JSON": """kb.load(b'{"urn:p":' * 5000 + b"1" + b"}" * 5000, format="json-ld")""",
    "deep triple terms": """kb.load(b"<x:s> <x:p> " + b"<<( <x:s> <x:p> " * 100000 + b"<x:o>"
        + b" )>>" * 100000 + b" .", format="turtle")""",
    "deep triple terms in a line": """kb.load(b"<x:s> <x:p> " + b"<<( <x:s> <x:p> " * 100000
        + b"<x:o>" + b" )>>" * 100000 + b" .", format="nt")""",
    "a device": 'kb.load("/dev/zero", format="nt")',
    "a deep rule": """kb.add_rules("[?x, a, <urn:A>] :- [?x, a, ?y], FILTER(" + "(" * 9000)""",
    "a deep query": """kb.query("SELECT * {" + "{" * 5000 + "?s ?p ?o" + "}" * 5000 + "}")""",
    "a text of too much": """kb.load(b"<x:s> <x:p> '" + b"a" * (20 << 20) + b"' .",
        format="turtle")""",
    "a deep update": """from rdflib import Graph; Graph(store="rdfinc").update(
        "INSERT { } WHERE {" + "{" * 5000 + "}" * 5000 + "}")""",
    "a query that computes": """list(kb.query("SELECT ?x25 { BIND('aaaaaaaa' AS ?x0)" + "".join(
        f" BIND(CONCAT(?x{i}, ?x{i}) AS ?x{i + 1})" for i in range(25)) + "}",
        max_memory=10**6))""",
}


@pytest.mark.parametrize("act", HARMFUL.values(), ids=HARMFUL)
def test_harmful_input_is_one_error(act: str) -> None:
    command = [sys.executable, "-c", LIMITED.replace("ACT", act)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert len(done.stdout.splitlines()) == 1, done.stdout
