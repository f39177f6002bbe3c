"""Auxiliary list facts follow the explicit triples: against a reading from scratch."""

from __future__ import annotations

from collections import Counter, defaultdict

from hypothesis import given
from hypothesis import strategies as st

from rdfinc.owl.list_axioms import ListChanges, TripleReader, list_changes, read_list
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.vocabulary import LONG, OWL, Vocabulary
from rdfinc.terms.dictionary import Dictionary
from thresholds import put

TERMS = Dictionary()
OWL_LISTS = Vocabulary.of(TERMS)
FIRST, REST, NIL = OWL_LISTS.first, OWL_LISTS.rest, OWL_LISTS.nil
BEARING = {text.rpartition("#")[2][:-1]: p for p, text in OWL_LISTS.list_bearing.items()}
CELLS = [TERMS.encode(b"_:cell%d" % i) for i in range(6)]
ITEMS = [TERMS.encode(b"<urn:item%d>" % i) for i in range(3)]
CLASS = TERMS.encode(b"<urn:class>")


class Indexed:
    """Triples indexed both ways."""

    def __init__(self, triples: set[tuple[int, int, int]]) -> None:
        self.triples = triples
        self.by_subject = defaultdict(list)
        self.by_object = defaultdict(list)
        for s, p, o in triples:
            self.by_subject[p, s].append(o)
            self.by_object[p, o].append(s)

    def objects(self, p: int, s: int) -> list[int]:
        return self.by_subject.get((p, s), [])

    def subjects(self, p: int, o: int) -> list[int]:
        return self.by_object.get((p, o), [])


def changes(before: set, after: set) -> ListChanges:
    return list_changes(Indexed(before), Indexed(after), before ^ after, OWL_LISTS)


def spelled(head: int, *items: int, cells: list[int]) -> set[tuple[int, int, int]]:
    """A list written out over `cells`."""
    ends = [*cells[1 : len(items)], NIL]
    assert cells[0] == head
    return {
        triple
        for cell, item, rest in zip(cells, items, ends, strict=False)
        for triple in ((cell, FIRST, item), (cell, REST, rest))
    }


def visible(facts) -> set[tuple[str, ...]]:
    """Auxiliary facts with readable terms."""

    def name(id: int) -> str:
        term = TERMS.decode(id)
        if term.startswith(b"("):
            return f"entry{TERMS.row_values(id)[1]}"
        return term.decode().removeprefix("!").removeprefix("_:").partition("^")[0].strip('"')

    return {tuple(map(name, fact)) for fact in facts}


def wellformed_from_scratch(triples: set) -> dict[int, tuple[int, ...]]:
    """Every list with items, built from the end: each cell in front of a well-formed list."""
    lists = {NIL: ()}
    firsts, rests = Counter(), Counter()
    for s, p, _ in triples:
        firsts[s] += p == FIRST
        rests[s] += p == REST
    grown = True
    while grown:
        grown = False
        for s, p, o in triples:
            if p == REST and o in lists and s not in lists and firsts[s] == rests[s] == 1:
                (item,) = (o2 for s2, p2, o2 in triples if (s2, p2) == (s, FIRST))
                lists[s] = (item, *lists[o])
                grown = True
    return {head: items for head, items in lists.items() if items}


def facts_from_scratch(triples: set) -> tuple[set, Counter]:
    facts, forms = set(), Counter()
    for head, items in wellformed_from_scratch(triples).items():
        borne = {name for name, p in BEARING.items() for s, q, o in triples if (q, o) == (p, head)}
        for name in borne & {"intersectionOf", "propertyChainAxiom", "hasKey"}:
            forms[f"<{OWL}{name}>", len(items)] += 1
            positions = range(1, len(items) + 1)
            facts.update((head, OWL_LISTS.item(i, len(items)), items[i - 1]) for i in positions)
        if borne - {"members", "distinctMembers"}:
            facts.update((head, OWL_LISTS.member, item) for item in items)
        if borne & {"members", "distinctMembers"}:
            is_short = len(items) <= LISTS.few_entries
            facts.add((head, OWL_LISTS.few_entries if is_short else OWL_LISTS.many_entries, head))
            for i, item in enumerate(items, 1):
                entry = TERMS.row((head, i))
                facts.add((entry, OWL_LISTS.entry_list, head))
                facts.add((entry, OWL_LISTS.entry_item, item))
                facts.add((entry, OWL_LISTS.entry_position, OWL_LISTS.number(i)))
            facts.update((head, OWL_LISTS.repeated, x) for x in items if items.count(x) > 1)
    return facts, forms


triples = st.one_of(
    st.tuples(st.sampled_from([*CELLS, NIL]), st.just(FIRST), st.sampled_from(ITEMS)),
    st.tuples(st.sampled_from(CELLS), st.just(REST), st.sampled_from([*CELLS, NIL])),
    st.tuples(st.just(CLASS), st.sampled_from([*BEARING.values()]), st.sampled_from([*CELLS, NIL])),
)
tidy_lists = st.tuples(
    st.permutations(CELLS),
    st.lists(st.sampled_from(ITEMS), min_size=1, max_size=5),
    st.sampled_from(sorted(BEARING.values())),
).map(lambda x: {(CLASS, x[2], x[0][0])} | spelled(x[0][0], *x[1], cells=list(x[0])))
graphs = st.tuples(
    st.sets(triples, max_size=6), st.lists(tidy_lists, max_size=2).map(lambda x: set().union(*x))
).map(lambda x: x[0] | x[1])


@given(graphs, graphs)
def test_one_change_equals_reading_from_scratch(before, after):
    hidden_before, forms_before = facts_from_scratch(before)
    hidden_after, forms_after = facts_from_scratch(after)
    change = changes(before, after)
    assert set(change.removed) == hidden_before - hidden_after
    assert set(change.added) == hidden_after - hidden_before
    assert Counter(change.forms_removed) == forms_before - forms_after
    assert Counter(change.forms_added) == forms_after - forms_before


@given(graphs, graphs, st.randoms(use_true_random=False))
def test_triple_by_triple_equals_all_at_once(before, after, random):
    auxiliary, now = facts_from_scratch(before)[0], set(before)
    steps = sorted(before ^ after)
    random.shuffle(steps)
    for triple in steps:
        later = now ^ {triple}
        change = changes(now, later)
        assert auxiliary.issuperset(change.removed) and auxiliary.isdisjoint(change.added)
        auxiliary = (auxiliary - set(change.removed)) | set(change.added)
        now = later
    assert auxiliary == facts_from_scratch(after)[0]


def test_auxiliary_facts_by_position():
    a, b, *_ = CELLS
    x, y, _ = ITEMS
    chain = {(CLASS, BEARING["propertyChainAxiom"], a)} | spelled(a, x, y, cells=[a, b])
    change = changes(set(), chain)
    assert visible(change.added) == {
        ("cell0", "list2.item1", "<urn:item0>"),
        ("cell0", "list2.item2", "<urn:item1>"),
        ("cell0", "list.member", "<urn:item0>"),
        ("cell0", "list.member", "<urn:item1>"),
    }
    assert change.forms_added == ((f"<{OWL}propertyChainAxiom>", 2),)
    assert changes(chain, set()).removed == change.added


def test_auxiliary_facts_of_long_lists_by_part(monkeypatch):
    put(monkeypatch, LISTS, long_list=1)
    a, b, *_ = CELLS
    x, y, _ = ITEMS
    chain = {(CLASS, BEARING["propertyChainAxiom"], a)} | spelled(a, x, y, cells=[a, b])
    change = changes(set(), chain)
    ((_, _, first),) = (fact for fact in change.added if fact[1] == part("first"))
    ((_, _, second),) = (fact for fact in change.added if fact[1] == part("next"))
    assert set(change.added) == {
        (a, part("first"), first),
        (first, part("item"), x),
        (first, part("next"), second),
        (second, part("item"), y),
        (second, part("last"), a),
        (a, OWL_LISTS.member, x),
        (a, OWL_LISTS.member, y),
    }
    assert change.forms_added == ((f"<{OWL}propertyChainAxiom>", LONG),)
    assert changes(chain, set()).removed == change.added


def part(name: str) -> int:
    return OWL_LISTS.part(f"<{OWL}propertyChainAxiom>", name)


def test_auxiliary_facts_pairwise_name_what_is_repeated():
    a, b, *_ = CELLS
    x = ITEMS[0]
    members = {(CLASS, BEARING["members"], a)} | spelled(a, x, x, cells=[a, b])
    assert visible(changes(set(), members).added) == {
        ("entry1", "entry.list", "cell0"),
        ("entry1", "entry.item", "<urn:item0>"),
        ("entry1", "entry.position", "1"),
        ("entry2", "entry.list", "cell0"),
        ("entry2", "entry.item", "<urn:item0>"),
        ("entry2", "entry.position", "2"),
        ("cell0", "list.repeated", "<urn:item0>"),
        ("cell0", "entries.few", "cell0"),
    }


def test_a_shared_tail_outlives_one_of_its_lists():
    a, b, c, *_ = CELLS
    x, y, _ = ITEMS
    union, one_of = BEARING["unionOf"], BEARING["oneOf"]
    both = spelled(a, x, y, cells=[a, b]) | {(c, FIRST, x), (c, REST, b)}
    both |= {(CLASS, union, a), (CLASS, one_of, c)}
    change = changes(both, both - {(CLASS, union, a)})
    assert visible(change.removed) == {
        ("cell0", "list.member", "<urn:item0>"),
        ("cell0", "list.member", "<urn:item1>"),
    }


def test_malformed_lists_are_no_lists():
    a, b, *_ = CELLS
    x, y, _ = ITEMS
    good = spelled(a, x, y, cells=[a, b])
    assert read_list(Indexed(good), a, OWL_LISTS) == (x, y)
    assert read_list(Indexed(set()), NIL, OWL_LISTS) == ()
    broken = {
        "no end": good - {(b, REST, NIL)},
        "no item": good - {(b, FIRST, y)},
        "two items": good | {(b, FIRST, x)},
        "two tails": good | {(a, REST, NIL)},
        "a cycle": good - {(b, REST, NIL)} | {(b, REST, a)},
    }
    for reason, triples in broken.items():
        assert read_list(Indexed(triples), a, OWL_LISTS) is None, reason


class Counted(Indexed):
    """Counts what is asked."""

    asked = 0

    def objects(self, p: int, s: int) -> list[int]:
        self.asked += 1
        return super().objects(p, s)

    def subjects(self, p: int, o: int) -> list[int]:
        self.asked += 1
        return super().subjects(p, o)


def test_a_list_of_20_000_items_is_read_a_few_times_and_untouched_ones_never():
    cells = [TERMS.encode(b"_:long%d" % i) for i in range(20_000)]
    long = {(CLASS, BEARING["oneOf"], cells[0])} | spelled(cells[0], *cells, cells=cells)
    start, end = Counted(set()), Counted(long)
    change = list_changes(start, end, long, OWL_LISTS)
    assert len(change.added) == 20_000
    assert start.asked + end.asked <= 15 * len(cells)

    small = spelled(CELLS[0], ITEMS[0], cells=CELLS) | {(CLASS, BEARING["oneOf"], CELLS[0])}
    before: TripleReader = Counted(long)
    after = Counted(long | small)
    list_changes(before, after, small, OWL_LISTS)
    assert before.asked + after.asked <= 40
