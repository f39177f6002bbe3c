"""RDF lists of OWL axioms as auxiliary facts about their heads, kept in step with explicit triples.

A list counts while it is the object of a list-bearing predicate (`owl:intersectionOf`, …) and
well-formed: every cell from the head to `rdf:nil` has exactly one `rdf:first` and one `rdf:rest`,
and none comes twice. A list that is not well-formed has no auxiliary facts, so its axiom is not
there. The auxiliary facts of a head are a function of its items and of the predicates that bear it:

    by position (SEQUENCES)   head list3.item1 … list3.item3 item, by the number of items
    long ones part by part    head first e · e item i · e next e · e last head
    by membership (COLLECTIONS)               head member item
    pairwise (ALTERNATIVES)   e list head · e item i · e position "k" · head repeated item
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Protocol

from msgspec import Struct

from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.vocabulary import ALTERNATIVES, COLLECTIONS, LONG, OWL, SEQUENCES, Vocabulary

Fact = tuple[int, int, int]
Form = tuple[str, int]


class TripleReader(Protocol):
    """Explicit triples, by ids."""

    def objects(self, p: int, s: int, /) -> list[int]: ...

    def subjects(self, p: int, o: int, /) -> list[int]: ...


class ListChanges(Struct, frozen=True):
    """Auxiliary facts that end and begin, without overlap, in ascending order; and likewise the
    forms (predicate text, length or LONG): one for each head that a predicate of SEQUENCES bears.
    """

    removed: tuple[Fact, ...]
    added: tuple[Fact, ...]
    forms_removed: tuple[Form, ...]
    forms_added: tuple[Form, ...]


def read_list(facts: TripleReader, head: int, vocabulary: Vocabulary) -> tuple[int, ...] | None:
    """The items of the list at `head`, or None unless it is well-formed. O(length)."""
    items: list[int] = []
    seen: set[int] = set()
    while head != vocabulary.nil:
        first, rest = facts.objects(vocabulary.first, head), facts.objects(vocabulary.rest, head)
        if head in seen or len(first) != 1 or len(rest) != 1:
            return None
        seen.add(head)
        items.append(first[0])
        head = rest[0]
    return tuple(items)


def list_changes(
    before: TripleReader, after: TripleReader, changed: Iterable[Fact], vocabulary: Vocabulary
) -> ListChanges:
    """The auxiliary facts that end and begin with a change of explicit triples from `before` to
    `after`.

    `changed` holds the differing triples (s, p, o), and may hold others. The cost is that of the
    lists touched: those with cells or bearing triples among `changed`.
    """
    removed: set[Fact] = set()
    added: set[Fact] = set()
    ended: Counter[Form] = Counter()
    begun: Counter[Form] = Counter()
    for head in _touched_heads((before, after), changed, vocabulary):
        old, new = (_Reading.of(facts, head, vocabulary) for facts in (before, after))
        if old != new:
            removed.update(old.facts(vocabulary))
            added.update(new.facts(vocabulary))
            ended.update(old.forms())
            begun.update(new.forms())
    return ListChanges(
        tuple(sorted(removed - added)),
        tuple(sorted(added - removed)),
        tuple(sorted((ended - begun).elements())),
        tuple(sorted((begun - ended).elements())),
    )


class _Reading(Struct, frozen=True):
    """A list in one state: the predicates that bear it, and its items."""

    head: int
    borne_by: tuple[str, ...]
    items: tuple[int, ...]

    @staticmethod
    def of(facts: TripleReader, head: int, vocabulary: Vocabulary) -> _Reading:
        bearing = vocabulary.list_bearing.items()
        borne_by = tuple(text for p, text in bearing if facts.subjects(p, head))
        items = read_list(facts, head, vocabulary) if borne_by else None
        return _Reading(head, borne_by if items else (), items or ())

    def facts(self, vocabulary: Vocabulary) -> Iterator[Fact]:
        if sequences := _SEQUENCES.intersection(self.borne_by):
            if self._is_long:
                for bearer in sequences:
                    yield from _by_part(bearer, self.head, self.items, vocabulary)
            else:
                yield from _by_position(self.head, self.items, vocabulary)
        if _COLLECTIONS.intersection(self.borne_by):
            yield from ((self.head, vocabulary.member, item) for item in self.items)
        if _ALTERNATIVES.intersection(self.borne_by):
            yield from _pairwise(self.head, self.items, vocabulary)

    def forms(self) -> Iterator[Form]:
        length = LONG if self._is_long else len(self.items)
        return ((text, length) for text in self.borne_by if text in _SEQUENCES)

    @property
    def _is_long(self) -> bool:
        return len(self.items) > LISTS.long_list


def _by_position(head: int, items: tuple[int, ...], vocabulary: Vocabulary) -> Iterator[Fact]:
    for position, item in enumerate(items, 1):
        yield head, vocabulary.item(position, len(items)), item


def _by_part(
    bearer: str, head: int, items: tuple[int, ...], vocabulary: Vocabulary
) -> Iterator[Fact]:
    first, item, next_, last = (
        vocabulary.part(bearer, name) for name in ("first", "item", "next", "last")
    )
    parts = [vocabulary.terms.row((first, head, place)) for place in range(len(items))]
    yield head, first, parts[0]
    yield from ((part, item, each) for part, each in zip(parts, items, strict=True))
    yield from ((part, next_, after) for part, after in pairwise(parts))
    yield parts[-1], last, head


def _pairwise(head: int, items: tuple[int, ...], vocabulary: Vocabulary) -> Iterator[Fact]:
    is_short = len(items) <= LISTS.few_entries
    yield head, vocabulary.few_entries if is_short else vocabulary.many_entries, head
    for position, item in enumerate(items, 1):
        entry = vocabulary.terms.row((head, position))
        yield entry, vocabulary.entry_list, head
        yield entry, vocabulary.entry_item, item
        yield entry, vocabulary.entry_position, vocabulary.number(position)
    for item, times in Counter(items).items():
        if times > 1:
            yield head, vocabulary.repeated, item


def _touched_heads(
    states: tuple[TripleReader, TripleReader], changed: Iterable[Fact], vocabulary: Vocabulary
) -> set[int]:
    """Every list head whose reading may differ: the objects of changed bearing triples, and the
    borne cells from which `rdf:rest` leads to a changed cell in either state."""
    heads: set[int] = set()
    cells: set[int] = set()
    for s, p, o in changed:
        if p in vocabulary.list_bearing:
            heads.add(o)
        elif p in (vocabulary.first, vocabulary.rest):
            cells.add(s)
    after = states[1]
    for cell in _leading_to(cells - {vocabulary.nil}, states, vocabulary.rest) - heads:
        if any(after.subjects(p, cell) for p in vocabulary.list_bearing):
            heads.add(cell)
    return heads


def _leading_to(cells: set[int], states: tuple[TripleReader, TripleReader], rest: int) -> set[int]:
    """`cells` and all from which `rdf:rest` leads to them, read backwards in both states."""
    found = set(cells)
    frontier = list(cells)
    while frontier:
        cell = frontier.pop()
        for facts in states:
            new = [before for before in facts.subjects(rest, cell) if before not in found]
            found.update(new)
            frontier.extend(new)
    return found


def _texts(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(f"<{OWL}{name}>" for name in names)


_SEQUENCES, _COLLECTIONS, _ALTERNATIVES = map(_texts, (SEQUENCES, COLLECTIONS, ALTERNATIVES))
