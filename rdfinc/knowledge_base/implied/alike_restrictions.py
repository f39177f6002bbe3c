"""Restrictions that are written alike, as auxiliary facts kept in step with explicit triples.

c aux:like r             c restricts a property in a way in which others restrict it as well:
                         to the same class or value, however it is written; r stands for all of them
r aux:like.property p    they restrict p
r aux:like.some y        they are existential restrictions to y
r aux:like.all y         they are universal restrictions to y
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from rdfinc.knowledge_base.implied.literal_facts import Literals
from rdfinc.owl.list_axioms import Fact, TripleReader
from rdfinc.owl.vocabulary import OWL
from rdfinc.tables.facts import Batch, triples
from rdfinc.terms.dictionary import Dictionary

_KINDS = ("someValuesFrom", "allValuesFrom", "hasValue")


class RestrictionForm(NamedTuple):
    """How a restriction is written: the predicate to the class or value, that, the property. What
    stands for the value of a literal is its place here."""

    kind: int
    value: int
    property: int


class Likeness:
    """Reads restrictions; O(1) beside the restrictions that are like a changed one."""

    def __init__(self, dictionary: Dictionary, literals: Literals) -> None:
        self._dictionary, self._literals = dictionary, literals
        self._kinds = [dictionary.encode(f"<{OWL}{name}>".encode()) for name in _KINDS]
        self._on = dictionary.encode(f"<{OWL}onProperty>".encode())
        names = ("like", "like.property", "like.some", "like.all")
        self._like, self._property, *parts = map(dictionary.auxiliary, names)
        self._parts = dict(zip(self._kinds, parts, strict=False))
        self.read = frozenset((*self._kinds, self._on))
        """The predicates that restrictions are read from."""

    def changes(
        self, before: TripleReader, after: TripleReader, deleted: Batch, inserted: Batch
    ) -> tuple[set[Fact], set[Fact]]:
        """The auxiliary facts that end and begin with a change of the predicates of
        restrictions."""
        nodes = {s for batch in (deleted, inserted) for s, _, _ in triples(batch)}
        forms = {k: v for facts in (before, after) for c in nodes for k, v in self._forms(facts, c)}
        old, new = (
            {fact for form, value in forms.items() for fact in self._of(form, value, facts)}
            for facts in (before, after)
        )
        return old - new, new - old

    def grounds(self, fact: Fact, facts: TripleReader) -> Iterator[Fact]:
        """The triples of a restriction that its auxiliary fact is read from; none of another
        fact."""
        node, predicate, one = fact
        form = self._dictionary.row_values(one) if predicate == self._like else None
        if form is None:
            return
        _, kind, alike, property = form
        for value in facts.objects(kind, node):
            if self._literals.value_of(value) == alike:
                yield node, kind, value
        yield node, self._on, property

    def _forms(self, facts: TripleReader, node: int) -> Iterator[tuple[RestrictionForm, int]]:
        """How a restriction is written, each time with its class or value as it stands there."""
        properties = facts.objects(self._on, node)
        for kind in self._kinds if properties else ():
            for value, property in product(facts.objects(kind, node), properties):
                yield RestrictionForm(kind, self._literals.value_of(value), property), value

    def _of(self, form: RestrictionForm, value: int, facts: TripleReader) -> Iterator[Fact]:
        """The facts of the restrictions of a form, none of a single one."""
        values = self._literals.alike(value)
        nodes = {c for each in values for c in facts.subjects(form.kind, each)}
        alike = [c for c in nodes if form.property in facts.objects(self._on, c)]
        if len(alike) > 1:
            one = self._dictionary.row((self._like, *form))
            yield from ((c, self._like, one) for c in alike)
            yield one, self._property, form.property
            if form.kind in self._parts:
                yield one, self._parts[form.kind], form.value
