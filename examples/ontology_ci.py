"""An ontology in continuous integration: what a pull request would be told, and its exit statuses.

python examples/ontology_ci.py

The commands are those of a workflow (docs/how-to/ci.md has one for GitHub): `rdfinc check` fails on
contradictions and misspelt names, and says in which line to mend them; `rdfinc diff` tells what a
change of the ontology does to all that follows from the data.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PREFIXES = """@prefix : <http://example.org/zoo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
OLD = ":Cat rdfs:subClassOf :Carnivore .\n:Carnivore rdfs:subClassOf :Animal .\n"
NEW = ":Cat rdfs:subClassOf :Carnivore , :Pet .\n:Carnivore rdfs:subClassOf :Animal .\n"
WRONG = ":Animal owl:disjointWith :Plant .\n:Cat rdfs:subclassOf :Animal , :Plant .\n"
DATA = ":tom a :Cat .\n:fern a :Plant .\n:flytrap a :Plant , :Cat .\n"


def rdfinc(*arguments: str) -> None:
    """Runs a command as a workflow does, and tells its exit status."""
    print("$ rdfinc", *arguments, flush=True)
    done = subprocess.run([sys.executable, "-m", "rdfinc", *arguments, "-q"], check=False)
    print(f"(exit status {done.returncode})\n", flush=True)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in (("old", OLD), ("new", NEW), ("wrong", OLD + WRONG), ("data", DATA)):
        Path(f"{name}.ttl").write_text(PREFIXES + text)
    rdfinc("check", "new.ttl", "data.ttl")
    rdfinc("diff", "old.ttl", "new.ttl", "--data", "data.ttl")
    rdfinc("check", "wrong.ttl", "data.ttl", "--results", "github")
    os.chdir(Path(__file__).anchor)  # so that the folder can go, on every system
