"""Statements in several graphs, and what a change of one graph has to ask of the others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.versions import version as versions


def fact(i: int) -> tuple[str, str, str]:
    return f"<x:s{i}>", "<x:p>", "<x:o>"


@pytest.mark.parametrize("seed", range(20))
def test_triples_of_several_graphs_are_known_after_every_update(seed):
    chance, kb = random.Random(seed), KnowledgeBase("none")
    graphs = [(), ("<x:g>",), ("<x:h>",), ("<x:i>",)]
    stated: set[tuple[str, ...]] = set()
    for _ in range(30):
        quads = [(*fact(chance.randrange(5)), *chance.choice(graphs)) for _ in range(6)]
        removed, added = set(quads[: chance.randrange(6)]), set(quads[chance.randrange(6) :])
        kb.update(delete=list(removed), insert=list(added))
        stated = (stated - removed) | added
        kb._check()
        often = [sum((*fact(i), *graph) in stated for graph in graphs) for i in range(5)]
        assert len(kb._reader().version.several) == sum(times > 1 for times in often)


def test_no_graph_is_asked_for_what_one_graph_states_alone(monkeypatch):
    kb = KnowledgeBase("none")
    quads = [(*fact(i), f"<x:g{i // 10}>") for i in range(200)]
    kb.update(insert=[*quads, (*fact(0), "<x:g1>"), fact(5)])

    class Unasked(dict):  # type: ignore[type-arg]
        def items(self):
            raise AssertionError("every graph is asked")

    def refused(version: versions.Version, *others: object) -> object:
        version.graphs = Unasked(version.graphs)
        try:
            return original(version, *others)
        finally:
            version.graphs = dict(dict.items(version.graphs))

    original = versions._named_after
    monkeypatch.setattr(versions, "_named_after", refused)
    kb.update(delete=quads[20:30], insert=[(*fact(40), "<x:g7>")])
    kb.update(delete=[fact(4)], insert=[(*fact(20), "<x:g7>")])
    with pytest.raises(AssertionError, match="every graph"):
        kb.update(delete=[quads[0]])


def test_files_may_name_the_default_graph_as_rdflib_does(tmp_path: Path) -> None:
    """Some of its releases write that name into N-Quads."""
    graphs = ["<urn:x-rdflib:default> ", "", "<x:g> "]
    lines = [f"<x:a> <x:p> <x:b{i // 2}> {graph}.\n" for i, graph in enumerate(graphs)]
    (tmp_path / "data.nq").write_text("".join(lines))
    kb = KnowledgeBase(profile="none")
    report = kb.load(tmp_path / "data.nq")
    assert (report.triples, len(kb.explicit)) == (3, 2)
    kb.update(delete=[("<x:a>", "<x:p>", "<x:b0>")])
    assert len(kb) == 1
