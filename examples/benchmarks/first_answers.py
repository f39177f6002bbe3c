"""How long short commands take as whole processes, on a file of some 5 000 triples.

    python examples/benchmarks/first_answers.py
    python examples/benchmarks/first_answers.py --runs 3

Processor time, the least of several runs in turn. What other packages take to be imported is shown
beside it. Modules are compiled once before, as an installation does.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import at_least_one

CLASSES, THINGS = 50, 1650
SCHEMA = """@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:partOf a owl:TransitiveProperty ; owl:inverseOf :hasPart .
"""
QUERY = "SELECT ?x WHERE { ?x :partOf :x0 } LIMIT 5"
IMPORTS = {
    "import numpy": "import numpy",
    "import numpy, rdflib": "import numpy, rdflib",
    "import rdfinc": "import rdfinc",
    "KnowledgeBase()": "import rdfinc; rdfinc.KnowledgeBase()",
}


def data() -> str:
    """A tree of classes, and things that are parts of each other."""
    tree = (f":C{i} rdfs:subClassOf :C{i // 2} .\n" for i in range(1, CLASSES))
    things = (
        f':x{i} a :C{i % CLASSES} ; :partOf :x{i // 3} ; :name "thing {i}" .\n'
        for i in range(THINGS)
    )
    return SCHEMA + "".join(tree) + "".join(things)


def commands(file: Path) -> dict[str, list[str]]:
    python = [sys.executable, "-m", "rdfinc"]
    target = str(file.with_suffix(".nt"))
    return {
        **{name: [sys.executable, "-c", program] for name, program in IMPORTS.items()},
        "rdfinc --help": [*python, "--help"],
        "rdfinc check": [*python, "check", "-q", str(file)],
        "rdfinc materialise": [*python, "materialise", "-q", str(file), "-o", target, "--force"],
        "rdfinc query": [*python, "query", "-q", QUERY, str(file)],
    }


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The processor time of a process and its children."""
    before = os.times()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=at_least_one, default=10, help="of each (%(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.ttl"
        file.write_text(data(), encoding="utf-8")
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(folder) / "compiled")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        todo = commands(file)
        for command in todo.values():
            seconds(command, environment)
        rounds = [
            {name: seconds(command, environment) for name, command in todo.items()}
            for _ in range(options.runs)
        ]
        for name in todo:
            print(f"{name:40} {min(times[name] for times in rounds):5.2f} s")


if __name__ == "__main__":
    main()
