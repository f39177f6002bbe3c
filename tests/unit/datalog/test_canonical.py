"""canonical(r) == canonical(s) exactly if r and s are equal up to variable names and body order."""

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_strategies import VARIABLES, rules

from rdfinc.datalog.canonical_rules import _LeafSearch, canonical
from rdfinc.datalog.model import Atom, Literal, Rule, Var
from rdfinc.datalog.variables import rename_rule, rule_variables


def equal_by_definition(left, right):
    """Is there a renaming that makes the heads equal and the bodies equal as multisets?"""
    mine, others = rule_variables(left), rule_variables(right)
    if len(mine) != len(others):
        return False
    renamings = (dict(zip(mine, order, strict=True)) for order in permutations(others))
    return any(
        renamed.head == right.head
        and sorted(map(repr, renamed.body)) == sorted(map(repr, right.body))
        for renamed in (rename_rule(left, renaming.__getitem__) for renaming in renamings)
    )


@st.composite
def disguised(draw, rule):
    fresh = draw(st.permutations([*VARIABLES, Var("w"), Var("v0"), Var("v1"), Var("long_name")]))
    renaming = dict(zip(rule_variables(rule), fresh, strict=False))
    body = draw(st.permutations(rule.body))
    return rename_rule(Rule(rule.head, tuple(body), "other"), renaming.__getitem__)


@given(rules.flatmap(lambda rule: st.tuples(st.just(rule), disguised(rule))))
def test_names_and_order_do_not_matter(pair):
    rule, other = pair
    assert canonical(rule) == canonical(other)
    assert equal_by_definition(canonical(rule), rule)


small_atoms = st.builds(
    Atom, st.sampled_from(VARIABLES), st.just("<p>"), st.sampled_from(VARIABLES)
)
graphs = st.builds(
    lambda head, body: Rule(head, tuple(map(Literal, body))),
    st.one_of(st.none(), small_atoms),
    st.lists(small_atoms, min_size=2, max_size=4),
)


@given(graphs, graphs)
def test_nothing_else_is_equal(left, right):
    assert (canonical(left) == canonical(right)) == equal_by_definition(left, right)


@given(rules, rules)
def test_nothing_else_is_equal_among_all_sorts_of_rules(left, right):
    assert (canonical(left) == canonical(right)) == equal_by_definition(left, right)


@given(rules)
def test_canonical_rules_stay_as_they_are(rule):
    assert canonical(canonical(rule)) == canonical(rule)
    assert canonical(rule).name == ""


def edges(*pairs):
    return Rule(None, tuple(Literal(Atom(Var(a), "<e>", Var(b))) for a, b in pairs))


def test_refinement_alone_would_not_tell_one_hexagon_from_two_triangles():
    hexagon = edges(*zip("abcdef", "bcdefa", strict=True))
    triangles = edges(*zip("abcdef", "bcaefd", strict=True))
    assert canonical(hexagon) != canonical(triangles)


def cycle(name, length):
    return [(f"{name}{i}", f"{name}{(i + 1) % length}") for i in range(length)]


def petersen(name):
    outer, inner = [f"{name}o{i}" for i in range(5)], [f"{name}i{i}" for i in range(5)]
    around = cycle(f"{name}o", 5) + list(zip(outer, inner, strict=True))
    star = [(inner[i], inner[(i + 2) % 5]) for i in range(5)]
    return [pair for a, b in around + star for pair in ((a, b), (b, a))]


def prism(name):
    """Every node has three neighbours, as in Petersen's graph, but it has short cycles."""
    rungs = [(f"{name}o{i}", f"{name}i{i}") for i in range(5)]
    around = cycle(f"{name}o", 5) + cycle(f"{name}i", 5) + rungs
    return [pair for a, b in around for pair in ((a, b), (b, a))]


REGULAR = {
    "petersen": petersen("p"),
    "petersen and prism": prism("q") + petersen("p"),
    "cycles": cycle("a", 3) + cycle("b", 6) + cycle("c", 3) + cycle("d", 4) + cycle("e", 4),
}


@pytest.mark.parametrize("pairs", REGULAR.values(), ids=REGULAR)
@pytest.mark.parametrize("seed", range(5))
def test_regular_graphs_are_recognised(pairs, seed):
    """Refinement tells nothing here, and not all ways to break a tie are equivalent."""
    assert canonical(edges(*shuffled(pairs, seed))) == canonical(edges(*pairs))


def shuffled(pairs, seed):
    random_order = random.Random(seed)
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    renaming = dict(zip(names, random_order.sample(names, len(names)), strict=True))
    renamed = [(renaming[a], renaming[b]) for a, b in pairs]
    return random_order.sample(renamed, len(renamed))


@pytest.mark.parametrize("shape", [lambda i: (f"a{i}", "x"), lambda i: (f"a{i}", f"b{i}")])
def test_many_interchangeable_parts_do_not_explode(shape):
    rule = edges(*(shape(i) for i in range(30)))
    backwards = edges(*(shape(i) for i in reversed(range(30))))
    assert canonical(rule) == canonical(backwards)


SYMMETRIC = {
    "star": [("x", f"y{i}") for i in range(100)],
    "triangles": [pair for i in range(40) for pair in cycle(f"t{i}_", 3)],
    "stars of a star": [(f"y{i}", f"z{i}_{j}") for i in range(10) for j in range(9)]
    + [("x", f"y{i}") for i in range(10)],
}


@pytest.mark.parametrize("pairs", SYMMETRIC.values(), ids=SYMMETRIC)
def test_parts_that_share_nothing_are_labelled_by_themselves(pairs, monkeypatch):
    refined, work = _LeafSearch.refined, []

    def counted(search, colours):
        work.append(len(colours))
        return refined(search, colours)

    monkeypatch.setattr(_LeafSearch, "refined", counted)
    found = canonical(edges(*pairs))
    assert sum(work) < 10 * len(pairs)
    assert found == canonical(edges(*shuffled(pairs, 1)))
    assert found != canonical(edges(*pairs[:-1], (pairs[-1][1], pairs[-1][0])))
