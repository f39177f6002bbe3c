"""Lists that are edited triple by triple, and rules with built-ins over lists that come and go:
after every step a knowledge base shows what the definitions of the built-ins give, evaluated by the
naive oracle, and where no cell has two items or rests, what Python's own lists give.
"""

from __future__ import annotations

import random

import pytest
from naive import naive

from laws.names import FIRST, NIL, REST, XSD, Fact, ex
from rdfinc import KnowledgeBase
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Rule
from rdfinc.datalog.transform.list_rules import without_lists
from rdfinc.owl.swrl_text import parse_swrl

NODES = [ex(f"n{i}") for i in range(7)]
ITEMS = [ex(name) for name in "abc"]
BODY = "l(?x, ?l) ^ m(?x, ?m) ^ "
RULES = {
    name: parse_swrl(f"{BODY}swrlb:{name}({arguments}) -> {name}(?x, ?r)", {"": ex("")[1:-1]})
    for name, arguments in {
        "member": "?r, ?l", "length": "?r, ?l", "first": "?r, ?l", "rest": "?r, ?l",
        "listConcat": "?r, ?l, ?m", "listIntersection": "?r, ?l, ?m",
        "listSubtraction": "?r, ?l, ?m",
    }.items()
}  # fmt: skip
RULES["sublist"] = parse_swrl(f"{BODY}swrlb:sublist(?l, ?m) -> sublist(?x, ?m)", {"": ex("")[1:-1]})
RULES["same"] = parse_swrl(
    f"{BODY}swrlb:listSubtraction(?m, ?l, ?m) -> same(?x, ?m)", {"": ex("")[1:-1]}
)


def defined(rules: list[Rule]) -> list[Rule]:
    """The rules without built-ins, and the definitions of these."""
    found: dict[Rule, None] = {}
    for rule in map(canonical, rules):
        body, needed = without_lists(rule)
        found |= dict.fromkeys([Rule(rule.head, body), *needed])
    return list(found)


def python_list(node: str, facts: set[Fact]) -> list[str] | None:
    items: list[str] = []
    while node != NIL and len(items) <= len(NODES):
        first, rest = ([o for s, p, o in facts if (s, p) == (node, q)] for q in (FIRST, REST))
        if not first or not rest:
            return None
        items, node = [*items, *first], rest[0]
    return items if node == NIL else None


def by_python(left: list[str], right: list[str]) -> dict[str, list[object]]:
    """What each rule derives of two lists; a list for a list."""
    contained = any(left[i : i + len(right)] == right for i in range(len(left) + 1))
    without = [item for item in left if item not in right]
    return {
        "member": list(dict.fromkeys(left)),
        "length": [f'"{len(left)}"^^<{XSD}integer>'],
        "first": left[:1],
        "rest": [left[1:]] if left else [],
        "listConcat": [left + right],
        "listIntersection": [[item for item in left if item in right]],
        "listSubtraction": [without],
        "sublist": [right] if contained else [],
        "same": [right] if without == right else [],
    }


def check_python(names: list[str], stated: set[Fact], shown: set[Fact]) -> None:
    for (subject, _, left), (_, _, right) in (
        (one, two) for one in stated for two in stated
        if one[1] == ex("l") and two[1] == ex("m") and one[0] == two[0]
    ):  # fmt: skip
        lists = python_list(left, stated), python_list(right, stated)
        expected = {} if None in lists else by_python(*lists)
        for name in names:
            found = [o for s, p, o in shown if (s, p) == (subject, ex(name))]
            if name not in ("member", "length", "first"):
                found = [python_list(o, shown) for o in found]
            if name in ("member", "length", "first", "rest") and lists[0] is not None:
                expected[name] = by_python(lists[0], [])[name]
            assert sorted(map(str, found)) == sorted(map(str, expected.get(name, []))), name


def random_fact(rng: random.Random) -> Fact:
    kind = rng.random()
    if kind < 0.15:
        return ex("x"), ex(rng.choice("lm")), rng.choice([*NODES, NIL])
    if kind < 0.5:
        return rng.choice(NODES), FIRST, rng.choice(ITEMS)
    node = rng.randrange(len(NODES))
    following = rng.choice([*NODES[node + 1 :], NIL, NIL]) if rng.random() < 0.9 else NODES[0]
    return NODES[node], REST, following


def single(stated: set[Fact]) -> bool:
    """Whether nothing has two values."""
    return len({fact[:2] for fact in stated}) == len(stated)


def shown_by(kb: KnowledgeBase) -> set[Fact]:
    return {tuple(term.n3() for term in fact) for fact in kb}


@pytest.mark.parametrize("seed", range(6))
def test_edited_lists(seed):
    rng = random.Random(seed)
    options = {
        "maintenance": rng.choice(["bf", "dred", "auto"]),
        "storage": rng.choice(["auto", "plain", "compact"]),
    }
    kb = KnowledgeBase(profile="none", **options)
    stated: set[Fact] = {(ex("x"), ex("l"), NODES[0]), (ex("x"), ex("m"), NODES[3])}
    stated |= {(node, FIRST, rng.choice(ITEMS)) for node in NODES}
    stated |= {
        (node, REST, following)
        for node, following in zip(NODES, [*NODES[1:3], NIL, *NODES[4:], NIL], strict=True)
    }
    kb.update(insert=sorted(stated))
    names: list[str] = []
    for _ in range(6):
        name = rng.choice(sorted(RULES))
        if name in names:
            names.remove(name)
            kb.remove_rules(RULES[name])
        else:
            names.append(name)
            kb.add_rules(RULES[name])
        for _ in range(2):
            old = set(rng.sample(sorted(stated), rng.randint(0, 2)))
            new = {random_fact(rng) for _ in range(rng.randint(1, 2))}
            if rng.random() < 0.7:  # in place of what was there
                old |= {fact for fact in stated if fact[:2] in {each[:2] for each in new}}
            stated = (stated - old) | new
            kb.update(delete=sorted(old), insert=sorted(new))
            shown = shown_by(kb)
            rules = defined([rule for each in names for rule in RULES[each]])
            closure = naive(rules, stated)
            assert shown == {fact for fact in closure if "rdfinc:aux" not in fact[1]}, (seed, names)
            if single(stated):
                check_python(names, stated, shown)
    kb._check()
