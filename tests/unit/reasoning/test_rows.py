"""The row and step interpreters give the matches that the column interpreter gives."""

from __future__ import annotations

import random

import pytest

from rdfinc import KnowledgeBase
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

STEPS = REASONING.function_steps


def ex(name: str) -> str:
    return f"<http://example.org/{name}>"


def chain(length: int) -> str:
    """A rule with one literal for each step of a path."""
    body = ", ".join(f"[?x{i}, {ex('next')}, ?x{i + 1}]" for i in range(length))
    return f"[?x0, {ex('far')}, ?x{length}] :- {body} ."


def far(kb: KnowledgeBase) -> set[tuple[str, str]]:
    return {(s.n3(), o.n3()) for s, _, o in kb.triples((None, ex("far"), None))}


@pytest.fixture(params=[0, REASONING.interpreted_searches])
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans are written out at once, or later."""
    put(monkeypatch, REASONING, interpreted_searches=request.param)


@pytest.mark.parametrize("narrow", [0, 10**9])
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    "length", [STEPS - 1, STEPS, STEPS + 1, REASONING.long_plan, 2 * REASONING.long_plan]
)
def test_a_rule_may_have_more_steps_than_python_nests_loops(
    length: int, narrow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, narrow_batch=narrow)
    kb = KnowledgeBase(profile="none")
    kb.add_rules(chain(length))
    path = [(ex(f"n{i}"), ex("next"), ex(f"n{i + 1}")) for i in range(length + 1)]
    kb.update(insert=path)
    assert far(kb) == {(ex("n0"), ex(f"n{length}")), (ex("n1"), ex(f"n{length + 1}"))}
    kb.update(delete=[path[-1]])
    assert far(kb) == {(ex("n0"), ex(f"n{length}"))}


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("length", [7, STEPS + 2, REASONING.long_plan + 1])
def test_a_path_is_not_walked_in_every_way(length: int) -> None:
    """Six nodes with all edges between them have 6ⁿ paths of n edges; the ends are 36."""
    kb = KnowledgeBase(profile="none")
    kb.add_rules(chain(length))
    nodes = [ex(f"n{i}") for i in range(6)]
    edges = [(x, ex("next"), y) for x in nodes for y in nodes]
    delta = kb.update(insert=edges)
    assert len(far(kb)) == 36 and delta.report.counters["insertions"] < 6**6
    kb.update(delete=edges[1:])
    assert far(kb) == {(ex("n0"), ex("n0"))}


def test_one_match_is_enough_where_it_tells_all_that_others_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(monkeypatch, REASONING, interpreted_searches=0)
    kb = KnowledgeBase("none", maintenance="dred", storage="plain")
    x, p, q, r, s, yes = map(ex, "xpqrsy")
    kb.add_rules(f"[?x, {r}, {yes}] :- [?x, {p}, ?y], [?y, {q}, ?z] .")
    kb.add_rules(f"[?x, {r}, {yes}] :- [?x, {s}, ?y] .")
    middle = [ex(f"m{i}") for i in range(20)]
    kb.update(insert=[(x, s, x), *((x, p, m) for m in middle), *((m, q, x) for m in middle[5:])])
    delta = kb.update(delete=[(x, s, x)])
    assert (x, r, yes) in kb and delta.report.counters["dr4"] == 1


@pytest.mark.usefixtures("interpreted")
def test_many_classes_below_one() -> None:
    """The classes of an individual are listed once where many would have to be tried."""
    kb = KnowledgeBase()
    below = range(2 * REASONING.few_classes + 3)
    sub_class = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    type_ = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    kb.update(insert=[(ex(f"C{i}"), sub_class, ex("D")) for i in below])
    kb.update(insert=[(ex("ann"), type_, ex(f"C{i}")) for i in (1, 4)])
    kb.update(delete=[(ex("ann"), type_, ex("C1"))])
    assert (ex("ann"), type_, ex("D")) in kb
    kb.update(delete=[(ex("ann"), type_, ex("C4"))])
    assert (ex("ann"), type_, ex("D")) not in kb


TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


@pytest.mark.parametrize("narrow", [0, 10**9, TABLES.narrow_batch])
@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.usefixtures("interpreted")
def test_members_of_several_classes_are_those_of_each(
    classes: int, narrow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever order they are named, and while members come and go with the rule."""
    put(monkeypatch, TABLES, narrow_batch=narrow)
    chance = random.Random(classes)
    sizes = [5 * 3**i for i in range(min(classes, 4))] + [40] * max(0, classes - 4)
    members = [set(chance.sample(range(200), size)) | {0, 1} for size in sizes]
    rows = [f"[?x, a, {ex(f'C{i}')}]" for i in range(classes)]
    named = {f"{ex('q')}": chance.sample(rows, classes), f"{ex('r')}": rows[::-1]}
    rules = [f"[?x, {q}, ?y] :- [?y, {ex('is')}, ?y], {', '.join(b)} ." for q, b in named.items()]
    kb = KnowledgeBase(profile="none")
    kb.update(insert=[(ex(f"x{m}"), TYPE, ex(f"C{i}")) for i, c in enumerate(members) for m in c])
    on = (ex("one"), ex("is"), ex("one"))
    kb.add_rules("\n".join(rules))

    def found(q: str) -> set[str]:
        return {s.n3() for s, _, _ in kb.triples((None, q, None))}

    for step in range(6):
        gone = {chance.choice(sorted(c - {0, 1}) or [0]) for c in members[step % classes :][:1]}
        new, at = chance.randrange(200), chance.randrange(classes)
        members[step % classes] -= gone
        members[at].add(new)
        lost = [(ex(f"x{m}"), TYPE, ex(f"C{step % classes}")) for m in gone - {new}]
        come = [(ex(f"x{new}"), TYPE, ex(f"C{at}"))]
        if step % 2:
            kb.update(insert=come, delete=[on, *lost])
        else:
            kb.update(insert=[on, *come], delete=lost)
        wanted = {ex(f"x{m}") for m in set.intersection(*members)} if step % 2 == 0 else set()
        assert all(found(q) == wanted for q in named), step


@pytest.mark.parametrize("maintenance", ["bf", "dred"])
def test_classes_are_asked_for_before_the_steps_and_in_them(maintenance: str) -> None:
    """A function that lists an individual's classes once looks for those of another one, too."""
    families = range(REASONING.few_classes + 1)
    body = f"[?x, {ex('p')}, ?y], [?x, a, ?k], [?y, a, ?k]"
    rules = [f"[?x, a, {ex(f'F{i}')}] :- [?x, a, {ex(f'G{i}')}], {body} ." for i in families]
    kb = KnowledgeBase(profile="none", maintenance=maintenance)
    kb.add_rules("\n".join(rules))
    kb.update(insert=[(ex("x"), TYPE, ex("G0")), *((ex(x), TYPE, ex("K")) for x in "xy")])
    for _ in range(REASONING.interpreted_searches):
        kb.update(insert=[(ex("x"), ex("p"), ex("y"))])
        assert (ex("x"), TYPE, ex("F0")) in kb
        kb.update(delete=[(ex("x"), ex("p"), ex("y"))])
        assert (ex("x"), TYPE, ex("F0")) not in kb
