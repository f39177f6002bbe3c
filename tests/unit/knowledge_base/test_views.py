"""What views count is what they show, however it is counted."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import numpy as np
import pytest

import rdfinc
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.versions.fact_views import Reader, View
from rdfinc.tables.facts import FactSet, as_list
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.views import EMPTY
from rdfinc.terms.dictionary import BLANK
from thresholds import put

EX = "http://example.org/"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
MEMBER = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#_1>"
CONTAINER = f"<{RDFS}ContainerMembershipProperty>"


def iri(name: str) -> str:
    return f"<{EX}{name}>"


NODES = [*map(iri, "abcd"), "_:x", "_:y"]
VALUES = ['"1"', '"2"@en', f'"3"^^<{EX}type>']
CLASSES = [iri("C"), iri("D"), "_:C"]
SCHEMA = {
    (iri("p"), RDF_TYPE, f"<{OWL}TransitiveProperty>"),
    (iri("p"), RDF_TYPE, f"<{OWL}SymmetricProperty>"),
    (iri("q"), RDF_TYPE, f"<{OWL}TransitiveProperty>"),
    (iri("q"), f"<{OWL}inverseOf>", iri("r")),
    (iri("q"), f"<{RDFS}range>", iri("C")),
    (iri("C"), f"<{RDFS}subClassOf>", iri("D")),
    (iri("C"), f"<{OWL}equivalentClass>", "_:C"),
}


def random_facts(random: Random) -> list[tuple[str, ...]]:
    facts: list[tuple[str, ...]] = list(SCHEMA)
    for _ in range(random.randrange(1, 25)):
        subject = random.choice(NODES)
        fact: tuple[str, ...] = random.choice(
            [
                (subject, iri(random.choice("pqr")), random.choice(NODES)),
                (subject, iri("q"), random.choice(VALUES)),
                (subject, RDF_TYPE, random.choice(CLASSES)),
                (subject, f"<{OWL}sameAs>", random.choice(NODES)),
            ]
        )
        facts.append((*fact, iri("g")) if random.random() < 0.2 else fact)
    return facts


def assert_counts(view: View, ids: list[int]) -> None:
    for pattern in itertools.product([None, *ids], repeat=3):
        assert view.count(*pattern) == len(list(view.match(*pattern))), pattern


def assert_ends(view: View, ids: list[int]) -> None:
    """What is asked of one end is what the matching triples have there, in their order."""
    for end, p in itertools.product(ids, repeat=2):
        keys = [(key >> 32, key & 0xFFFFFFFF) for key in as_list(view.keys(p, end, None))]
        assert view.objects(end, p) == [o for _, o in keys], (end, p)
        assert view.object(end, p) == (keys[0][1] if keys else None), (end, p)
        assert list(view.objects_in_turn(end, p)) == view.objects(end, p), (end, p)
        for _ in range(2):  # found, and remembered
            assert view.few_objects(end, p) in (view.objects(end, p), None), (end, p)
        assert view.subjects(p, end) == [s for s, _, _ in view.match(None, p, end)], (end, p)
    for fact in itertools.product(ids, repeat=3):
        assert (fact in view) == any(view.match(*fact)), fact


@pytest.mark.parametrize("storage", ["plain", "compact"])
@pytest.mark.parametrize("hidden_are_sought", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_counts(
    storage: str, hidden_are_sought: bool, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if hidden_are_sought:
        put(monkeypatch, KNOWLEDGE, pairs_a_term=0)
    kb = rdfinc.KnowledgeBase(storage=storage)
    kb.update(insert=random_facts(Random(seed)))
    reader = kb.reader()
    views = [
        reader.closure,
        reader.explicit,
        reader.derived,
        reader.default_graph,
        reader.stated_in_default,
        *map(reader.graph, reader.graphs()),
    ]
    names = [NODES[0], VALUES[0], CLASSES[0], *map(iri, "pq"), RDF_TYPE, f"<{OWL}sameAs>"]
    found = kb.dictionary.find_many([name.encode() for name in names]).tolist()
    kinds = kb.dictionary.kinds.tolist()
    for view in views:
        assert_counts(view, [*filter(None, found), kinds.index(BLANK)])


@pytest.mark.parametrize(
    "options", [{}, {"storage": "plain"}, {"axiomatic": True}, {"profile": "rdfs"}], ids=str
)
@pytest.mark.parametrize("seed", range(3))
def test_ends(options: dict[str, Any], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kb = rdfinc.KnowledgeBase(**options)
    kb.update(insert=[*random_facts(Random(seed)), (MEMBER, iri("q"), NODES[0])])
    names = [*NODES[:2], VALUES[0], *CLASSES[:2], MEMBER, *map(iri, "pq"), RDF_TYPE, CONTAINER]
    found = kb.dictionary.find_many([f"<{OWL}sameAs>".encode(), *map(str.encode, names)]).tolist()
    ids = [*filter(None, found), kb.dictionary.kinds.tolist().index(BLANK)]
    for narrow_batch, remembered_rows in ((TABLES.narrow_batch, 100), (1, 100), (1, 2)):
        put(monkeypatch, TABLES, narrow_batch=narrow_batch)
        put(monkeypatch, KNOWLEDGE, remembered_rows=remembered_rows)
        reader = Reader(kb._engine.version, kb._engine.visibility)
        for view in (reader.closure, reader.derived, reader.default_graph):
            assert_ends(view, ids)
        for graph in reader.graphs():
            assert_ends(reader.graph(graph), ids)


@pytest.mark.parametrize("options", [{}, {"axiomatic": True}, {"profile": "rdfs"}], ids=str)
def test_what_is_shown_is_the_same_by_every_way_to_ask(options: dict[str, Any]) -> None:
    kb = rdfinc.KnowledgeBase(**options)
    equality = iri("s"), f"<{RDFS}subPropertyOf>", f"<{OWL}sameAs>"
    facts = [equality, (NODES[0], iri("s"), NODES[0]), (MEMBER, iri("q"), NODES[0])]
    kb.update(insert=[*random_facts(Random(1)), *facts])
    version, see = kb._engine.version, kb._engine.visibility
    explicit = version.explicit.get
    assert any(map(see.never_shows, version.closure.tables))
    for p, table in version.closure.tables.items():
        keys = as_list(table.scan())
        columns = np.array(keys, np.uint64)
        shown = [key for key in keys if see.shows(p, key, version.explicit)]
        assert shown == as_list(see.shown(p, keys, explicit)), p
        assert shown == as_list(see.shown(p, columns, explicit)), p
        assert shown == columns[see.are_shown(p, columns, explicit)].tolist(), p
        if not (see.axiomatic or see.never_shows(p)):
            assert {*keys} - {*shown} == {*see.left_out(p, table, explicit(p)).tolist()}, p
        for s in {key >> 32 for key in keys}:
            objects = [key & 0xFFFFFFFF for key in keys if key >> 32 == s]
            seen = [key & 0xFFFFFFFF for key in shown if key >> 32 == s]
            assert seen == see.shown_objects(p, s, objects, explicit), (p, s)
            assert seen == objects or not see.shows_all(p, s), (p, s)


def test_no_auxiliary_fact_is_shown_with_axiomatic_triples_either() -> None:
    see = rdfinc.KnowledgeBase(axiomatic=True)._engine.visibility
    auxiliary = see._dictionary.auxiliary("auxiliary")
    key = auxiliary << 32 | auxiliary
    assert not see.are_shown(auxiliary, np.array([key], np.uint64), lambda _: EMPTY).any()
    assert not see.shows(auxiliary, key, FactSet()) and not see.shows_all(auxiliary, auxiliary)
    assert see.shown(auxiliary, [key], lambda _: EMPTY) == []


def test_who_reads_while_nothing_changes_shares_a_reader_that_no_change_has_to_spare() -> None:
    kb = rdfinc.KnowledgeBase()
    kb.update(insert=[("<urn:a>", "<urn:p>", "<urn:b>")])
    assert kb.reader() is kb.reader()
    version = kb._engine.version
    kb.update(insert=[("<urn:c>", "<urn:p>", "<urn:d>")])
    assert kb._engine.version is version, "changed in place"
    kept = kb.reader()
    kb.update(delete=[("<urn:c>", "<urn:p>", "<urn:d>")])
    assert kb._engine.version is not version
    assert len(kept.closure) == 2 and len(kb.reader().closure) == 1
    twin, kept = kb.copy(), kb.reader()
    twin.update(insert=[("<urn:e>", "<urn:p>", "<urn:f>")])
    assert len(kept.closure) == len(kb.reader().closure) == 1 and len(twin.reader().closure) == 2


def test_a_view_pins_its_version_without_its_reader() -> None:
    kb = rdfinc.KnowledgeBase()
    kb.update(insert=[("<urn:a>", "<urn:p>", "<urn:b>"), ("<urn:a>", "<urn:p>", "<urn:c>")])
    version, view = kb._engine.version, kb.reader().closure
    s, p, b, c = kb.dictionary.find_many([b"<urn:a>", b"<urn:p>", b"<urn:b>", b"<urn:c>"]).tolist()
    assert (s, p, b) in view and view.few_objects(s, p) == [b, c]
    kb.update(delete=[("<urn:a>", "<urn:p>", "<urn:b>")])
    assert kb._engine.version is not version and (s, p, b) in view
    assert (s, p, b) not in kb.reader().closure and kb.reader().closure.few_objects(s, p) == [c]
    del view
    assert not version.pins
