"""Machines that have nothing in common but a folder load, close and change what it holds.

Tasks that run twice at once, or are killed, change nothing; `--long START:COUNT` kills some at so
many moments, under all rules of OWL 2 RL.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from rdflib import Graph
from spark.machines import are_possible, kill_a_task, machines
from spark.test_closure import read, texts

from rdfinc import KnowledgeBase

STEPS = "loading", "closing", "loading what goes", "loading what comes", "changing"
KILLED_WITHIN = 12.0
"""Seconds from the beginning of a step to the killing of a task."""

ONTOLOGY = """@prefix : <http://e/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:p a owl:TransitiveProperty ; rdfs:domain :A . :q a owl:FunctionalProperty ; owl:inverseOf :r .
:A rdfs:subClassOf :B . :B owl:equivalentClass :R . :R owl:onProperty :p; owl:someValuesFrom :C .
:n1 a :C . :n2 owl:sameAs :m2 . :m2 :q :b . :n2 :q :n3 . :b :age 007 . :n3 :age 7 .
:a owl:propertyChainAxiom (:p :q) .
"""

pytestmark = [
    pytest.mark.xdist_group("machines"),
    pytest.mark.skipif(not are_possible(), reason="no mount namespaces can be made here"),
]


def edges(chance: Random, count: int) -> list[str]:
    def name() -> str:
        return f"<http://e/n{chance.randrange(30)}>"

    return [f"{name()} <http://e/{chance.choice('pppqs')}> {name()} .\n" for _ in range(count)]


def write(folder: Path, chance: Random) -> None:
    """Files to load, and those of what goes and comes."""
    some, others = edges(chance, 40), edges(chance, 40)
    (folder / "data0.ttl").write_text(ONTOLOGY)
    (folder / "data1.nt").write_text("".join(some))
    (folder / "data2.nt.gz").write_bytes(gzip.compress("".join(others).encode()))
    (folder / "gone.nt").write_text("".join(chance.sample(some, 8)))
    (folder / "new.nt").write_text("".join(edges(chance, 8)))


def expected(folder: Path, profile: str) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """The closure of the files, and that after the change."""
    kb = KnowledgeBase(profile)
    kb.load(*sorted(folder.glob("data*")))
    closed = texts(kb)
    gone, new = (Graph().parse(folder / name) for name in ("gone.nt", "new.nt"))
    kb.update(delete=gone)
    kb.update(insert=new)
    return closed, texts(kb)


def check(place: Path, seed: int, profile: str) -> None:
    """A task is killed in some step, some seconds after it has begun."""
    chance = Random(seed)
    folder, hidden = place / f"shared{seed}", place / f"hidden{seed}"
    folder.mkdir()
    hidden.mkdir()
    write(folder, chance)
    with machines(hidden) as master:
        fatal, within = STEPS[seed % len(STEPS)], chance.random() * KILLED_WITHIN
        assert driven(master, folder, hidden, profile, fatal, within) == STEPS
    closed, changed = expected(folder, profile)
    assert read(folder / "closed") == closed, seed
    assert read(folder / "changed") == changed, seed


def driven(
    master: str, folder: Path, hidden: Path, profile: str, fatal: str, within: float
) -> tuple[str, ...]:
    """The steps that a driver says it begins with; in one of them a task is killed."""
    program = Path(__file__).with_name("work_on_machines.py")
    paths = os.pathsep.join((str(program.parents[1]), os.environ.get("PYTHONPATH", "")))
    settings = {**os.environ, "TMPDIR": str(hidden), "PYTHONPATH": paths}
    command = [sys.executable, str(program), master, str(folder), profile]
    begun = list[str]()
    with (
        (hidden / "said").open("w+") as said,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=said, text=True, env=settings
        ) as driver,
    ):
        assert driver.stdout is not None
        for line in driver.stdout:
            begun.append(line.strip())
            if begun[-1] == fatal:
                time.sleep(within)
                while not kill_a_task(master) and driver.poll() is None:
                    time.sleep(0.1)
        driver.wait()
        said.seek(0)
        assert driver.returncode == 0, said.read()[-3000:]
    return tuple(begun)


def test_what_machines_make_together_survives_their_deaths(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    long = pytestconfig.getoption("--long")
    start, count = long or (1, 1)
    for seed in range(start, start + count):
        check(tmp_path, seed, "owl2rl" if long else "rdfs")
