"""A graph that `owlrl_compat` has expanded agrees with one that owlrl has, up to differences that
are declared: for OWL 2 RL those in owlrl_differences/, for RDFS those that stand here.
"""

from __future__ import annotations

import random
from pathlib import Path

import owlrl
import pytest
from golden.closures import Triple, read
from golden.test_owlrl_agreement import (
    HERE,
    ONTOLOGIES,
    kept,
    lexical_forms_are_kept,  # noqa: F401
    owlrl_closure,
    skolemised,
    some_ontology,
)
from rdflib import Graph

import rdfinc.plugins.owlrl_compat as compat
from rdfinc import KnowledgeBase

MOST = 2000
"""Triples of an ontology that is compared whole."""
SHARED = Path(__file__).parents[3] / "shared" / "data"
RDF, RDFS = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#", "<http://www.w3.org/2000/01/rdf-schema#"
TYPE = f"{RDF}type>"

RDFS_ONLY_IN_OWLRL = {
    # what everybody knows, which profile "rdfs" leaves out
    "rdf1": lambda t: t[1:] == (TYPE, f"{RDF}Property>"),
    "rdfs4, rdfs8": lambda t: t[2] == f"{RDFS}Resource>",
    "rdfs6, rdfs10": lambda t: t[0] == t[2] and t[1].endswith(("subPropertyOf>", "subClassOf>")),
    "rdfs3 of literals": lambda t: t[0].startswith('"'),
    # one of two literals with the same value instead of the other, with and without language too
    "literals of one value": lambda t: t[2].startswith('"'),
}


class WithDeclaredDifferences(compat.OWLRL_Semantics):
    datalog = "".join(path.read_text() for path in HERE.glob("owlrl_differences/*/rules.dlog"))


ALWAYS = set().union(*(read(path) for path in HERE.glob("owlrl_differences/*/always.ttl")))


def graph_of(triples: set[Triple]) -> Graph:
    lines = "".join(f"{s} {p} {o} .\n" for s, p, o in triples)
    return Graph().parse(data=lines, format="nt")


def contents(graph: Graph) -> set[Triple]:
    return {tuple(term.n3() for term in triple) for triple in graph}


def expanded(triples: set[Triple], semantics: type[compat.Core]) -> set[Triple]:
    graph = graph_of(triples)
    compat.DeductiveClosure(semantics).expand(graph)
    return contents(graph)


def part(triples: set[Triple]) -> set[Triple]:
    """What is said of some subjects, and whole what is said of blank nodes."""
    subjects = sorted({s for s, _, _ in triples if not s.startswith("_:")})
    chosen = set(random.Random(1).sample(subjects, len(subjects) // 3))
    return {t for t in triples if t[0].startswith("_:") or t[0] in chosen}


def assert_agreement(triples: set[Triple]) -> None:
    triples = skolemised(triples)
    ours = kept(expanded(triples | ALWAYS, WithDeclaredDifferences))
    theirs = kept(owlrl_closure(triples))
    assert not theirs - ours
    assert not ours - theirs


def assert_rdfs_agreement(triples: set[Triple]) -> None:
    triples = skolemised(triples)
    graph = graph_of(triples)
    owlrl.DeductiveClosure(owlrl.RDFS_Semantics).expand(graph)
    ours, theirs = expanded(triples, compat.RDFS_Semantics), contents(graph)
    assert not ours - theirs
    known = RDFS_ONLY_IN_OWLRL.values()
    assert not {t for t in theirs - ours if not any(pattern(t) for pattern in known)}


@pytest.mark.parametrize("ontology", ONTOLOGIES, ids=lambda path: path.stem)
def test_shipped_ontologies(ontology: Path) -> None:
    assert_agreement(read(ontology))
    assert_rdfs_agreement(read(ontology))


@pytest.mark.parametrize("seed", range(100, 110))
def test_random_ontologies(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "random.ttl"
    path.write_text(some_ontology(seed))
    assert_agreement(read(path))
    assert_rdfs_agreement(read(path))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the data are not here")
@pytest.mark.parametrize("name", ["lubm/univ-bench.ttl", "ontologies/ro.owl.gz"])
def test_ontologies_of_others(name: str, pytestconfig: pytest.Config) -> None:
    """Of much a part, and with --long all."""
    kb = KnowledgeBase("none")
    kb.load(SHARED / name)
    decode = kb.dictionary.decode
    triples = {tuple(decode(id).decode() for id in fact) for fact in kb.reader().closure.match()}
    if len(triples) > MOST and not pytestconfig.getoption("--long"):
        triples = part(triples)
    assert_agreement(triples)
    assert_rdfs_agreement(triples)
