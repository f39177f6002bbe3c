"""Prefixes and what they stand for, from either side."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping, MutableMapping

import pytest
from rdflib import URIRef

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.namespaces import Namespaces

CHANGES: dict[str, Callable[[Namespaces], object]] = {
    "set": lambda n: n.__setitem__("a", "urn:z:"),
    "delete": lambda n: n.__delitem__("a"),
    "merge": lambda n: n.__ior__({"a": "urn:z:", "c": "urn:x:"}),
    "clear": lambda n: n.clear(),
    "pop": lambda n: n.pop("a"),
    "popitem": lambda n: n.popitem(),
    "setdefault": lambda n: n.setdefault("c", "urn:z:"),
    "update": lambda n: n.update(a="urn:y:"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_inverse_follows_each_change(change: Callable[[Namespaces], object]) -> None:
    found = Namespaces({"a": "urn:x:", "b": "urn:y:"})
    assert found.prefix_of("urn:x:") == "a" and found.prefix_of("urn:z:") is None
    change(found)
    for iri in ("urn:x:", "urn:y:", "urn:z:"):
        assert found.prefix_of(iri) == next((p for p, i in found.items() if i == iri), None)


def test_every_method_that_changes_a_dict_is_followed() -> None:
    changing = {*dir(MutableMapping)} - {*dir(Mapping)} | {"__ior__"}
    assert {name for name in changing - vars(Namespaces).keys() if "marker" not in name} <= {
        "__abstractmethods__"
    }


def test_a_change_in_vain_leaves_it_whole() -> None:
    found = Namespaces({"a": "urn:x:"})
    with pytest.raises(KeyError):
        del found["b"]
    assert found.prefix_of("urn:x:") == "a"


def test_rdflibs_iris_are_texts_on_both_sides() -> None:
    found = Namespaces({"a": URIRef("urn:x:")})
    assert found.prefix_of("urn:x:") == found.prefix_of(URIRef("urn:x:")) == "a"


def test_copies_have_inverses_of_their_own() -> None:
    kb = KnowledgeBase()
    kb.bind("a", "urn:x:")
    assert kb.namespaces.prefix_of("urn:x:") == "a"
    for twin in (kb.copy(), pickle.loads(pickle.dumps(kb))):
        assert twin.namespaces == {"a": "urn:x:"}
        twin.bind("b", "urn:y:")
        del twin.namespaces["a"]
        assert twin.namespaces.prefix_of("urn:y:") == "b"
        assert twin.namespaces.prefix_of("urn:x:") is None
    assert kb.namespaces == {"a": "urn:x:"} and kb.namespaces.prefix_of("urn:x:") == "a"
    assert copy.deepcopy(kb.namespaces).prefix_of("urn:x:") == "a"
