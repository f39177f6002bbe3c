"""The tree of classes: nearest superclasses, and what is stated of them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import product
from random import Random

import pytest
from rdflib import OWL, RDFS, URIRef
from small_bases import loaded

from rdfinc import KnowledgeBase
from rdfinc.datalog.drawing.svg import ROOM

DATA = """
:A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :A rdfs:subClassOf :C .
:D owl:equivalentClass :C . :E a owl:Class ; rdfs:label "the E" .
:F owl:equivalentClass [ owl:intersectionOf (:B :E) ] .
:Empty rdfs:subClassOf :E, owl:Nothing . :Less rdfs:subClassOf :Empty .
"""


def test_the_tree_as_text() -> None:
    tree = loaded(DATA).class_tree()
    assert tree._repr_svg_() == tree.to_svg()
    assert str(tree).splitlines() == [
        ":C ≡ :D",
        "  :B",
        "    :A",
        "    :F   inferred",
        ":E",
        "  :Empty ⊑ owl:Nothing",
        "    :Less ⊑ owl:Nothing",
        "  :F   inferred",
    ]


def test_below_a_class_and_with_labels() -> None:
    kb = loaded(DATA)
    assert str(kb.class_tree(":B")).splitlines() == [":B", "  :A", "  :F   inferred"]
    assert str(kb.class_tree(URIRef("http://e/E"), labels=True)).startswith("'the E'\n")
    assert len(kb.class_tree(":Nowhere")) == 0 and str(KnowledgeBase().class_tree()) == ""


def test_below_several_classes_it_comes_once_with_what_is_below_it() -> None:
    kb = loaded(":A rdfs:subClassOf :B, :C . :Z rdfs:subClassOf :A .")
    lines = [":B", "  :A", "    :Z", ":C", "  :A, as above"]
    assert str(kb.class_tree()).splitlines() == lines


def test_the_picture() -> None:
    tree = loaded(DATA).class_tree()
    svg = "{http://www.w3.org/2000/svg}"
    picture = ET.fromstring(tree.to_svg())
    boxes = {
        group.findtext(f"{svg}text"): group[1].get("class") for group in picture.iter(f"{svg}g")
    }
    assert boxes == {":A": "box", ":B": "box", ":C": "several", ":E": "box", ":F": "box",
                     ":Empty": "clash", ":Less": "clash"}  # fmt: skip
    edges = [path.get("class") for path in picture.iter(f"{svg}path")]
    legend = 1
    assert edges.count("edge inferred") == 2 + legend
    assert edges.count("edge positive") == len(tree.edges) - 2 + legend
    assert tree._repr_html_().startswith('<div style="overflow-x: auto"><img ')
    ET.fromstring(KnowledgeBase().class_tree().to_svg())


@pytest.mark.parametrize("seed", range(8))
def test_its_paths_are_the_subclasses(seed: int) -> None:
    """Above each class are those that the closure tells, no edge follows from others, and those
    that are called stated are."""
    random, names = Random(seed), [f":c{i}" for i in range(7)]
    axioms = " ".join(
        f"{random.choice(names)} {random.choice(kinds)} {random.choice(names)} ."
        for kinds in [["rdfs:subClassOf"] * 4 + ["owl:equivalentClass"]] * 8
    )
    kb = loaded(axioms)
    tree = kb.class_tree()
    above = {number: {number} for number in range(len(tree))}
    for _ in tree.nodes:
        for low, high, _ in tree.edges:
            above[low] |= above[high]
    told = {
        (one, other)
        for low, found in above.items()
        for high in found
        for one, other in product(tree.nodes[low].names, tree.nodes[high].names)
        if one != other
    }
    of = {name: URIRef(f"http://e/{name[1:]}") for name in names}
    relations = (RDFS.subClassOf, OWL.equivalentClass)
    assert told == {
        (one, other)
        for one, other in product(names, repeat=2)
        if one != other and any((of[one], p, of[other]) in kb for p in relations)
    }
    for low, high, is_stated in tree.edges:
        without = [(a, b) for a, b, _ in tree.edges if (a, b) != (low, high)]
        reached = {low}
        for _ in tree.nodes:
            reached |= {b for a, b in without if a in reached}
        assert high not in reached
        pairs = product(tree.nodes[low].names, relations, tree.nodes[high].names)
        assert is_stated == any((of[a], p, of[b]) in kb.explicit for a, p, b in pairs)


def test_many_subclasses_of_one_class_make_rows_below_it_and_no_wide_picture() -> None:
    kb = loaded("".join(f":C{i} rdfs:subClassOf :Top . " for i in range(200)))
    picture = ET.fromstring(kb.class_tree().to_svg())
    assert float(picture.get("width") or "") < 2 * ROOM
