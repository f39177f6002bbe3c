"""The auxiliary facts that follow from statements without a rule."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from rdfinc.knowledge_base.implied.alike_restrictions import Likeness
from rdfinc.knowledge_base.implied.literal_facts import SYNTAX, Literals, standing_facts
from rdfinc.knowledge_base.implied.literal_names import LiteralNames
from rdfinc.knowledge_base.implied.stated_properties import StatedProperties
from rdfinc.knowledge_base.rules.rulebook import RuleBook
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.container_properties import Containers
from rdfinc.knowledge_base.versions.version import Restatement
from rdfinc.owl.list_axioms import Fact, ListChanges, list_changes
from rdfinc.owl.swrl.swrl_changes import NO_CHANGES, SwrlChanges, SwrlVocabulary, swrl_changes
from rdfinc.owl.vocabulary import Vocabulary
from rdfinc.reasoning.evaluation.states import State
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, batch_of, joined, of_classes, triples
from rdfinc.tables.kernels import Mask
from rdfinc.tables.table import Table
from rdfinc.terms.dictionary import Dictionary, Ids


class Implied:
    """The auxiliary facts for the statements of one dictionary: under OWL 2 RL those of lists,
    literals and SWRL rules, under RDFS those of literals and container membership properties;
    and under both the facts that always hold."""

    def __init__(
        self,
        dictionary: Dictionary,
        rules: RuleBook,
        profile: str,
        *,
        axiomatic: bool,
        unique_names: bool = False,
    ) -> None:
        owl, rdfs = profile == "owl2rl", profile == "rdfs"
        self._dictionary, self._rules, self._unique_names = dictionary, rules, unique_names
        self._vocabulary = Vocabulary.of(dictionary) if owl else None
        self._swrl = SwrlVocabulary.of(dictionary) if owl else None
        self._lists_read = _read_of_lists(self._vocabulary)
        self._literals = Literals(dictionary, SYNTAX if owl else ()) if owl or rdfs else None
        self._containers = Containers(dictionary) if rdfs else None
        alike = self._literals if owl and not axiomatic else None
        self._likeness = Likeness(dictionary, alike) if alike else None
        self._names = LiteralNames(dictionary) if owl else None
        read = (part.read for part in (self._likeness, self._names) if part)
        self._syntax = self._lists_read.union(*read)
        self._properties = StatedProperties(dictionary)
        asked = owl or rdfs or axiomatic
        self._standing = standing_facts(dictionary, axiomatic=axiomatic) if asked else {}

    def copy(self, dictionary: Dictionary, rules: RuleBook) -> Implied:
        """A copy for an equal dictionary and equal rules."""
        twin = Implied.__new__(Implied)
        twin.__dict__.update(self.__dict__)
        twin._dictionary, twin._rules = dictionary, rules
        if self._vocabulary is not None:
            twin._vocabulary = Vocabulary.of(dictionary)
            twin._lists_read = _read_of_lists(twin._vocabulary)
        if self._literals is not None:
            twin._literals = self._literals.copy(dictionary)
        if self._likeness is not None and twin._literals is not None:
            twin._likeness = Likeness(dictionary, twin._literals)
        if self._names is not None:
            twin._names = LiteralNames(dictionary)
        if self._containers is not None:
            twin._containers = self._containers.copy(dictionary)
        twin._properties = StatedProperties(dictionary)
        return twin

    def stated_rules(self, explicit: FactSet, restated: Restatement, change: Change) -> SwrlChanges:
        """The SWRL rules that a change withdraws and states. Raises UnstratifiableError."""
        vocabulary = self._swrl
        if vocabulary is None or _leaves_alone(restated, vocabulary.read):
            return NO_CHANGES
        deleted = _of_swrl(restated.deleted, vocabulary)
        inserted = _of_swrl(restated.inserted, vocabulary)
        if not deleted and not inserted:
            return NO_CHANGES
        before, after = _before_and_after(explicit, restated.deleted, restated.inserted)
        changed = chain(triples(deleted), triples(inserted))
        terms, unique_names = self._dictionary, self._unique_names
        stated = swrl_changes(before, after, changed, terms, vocabulary, unique_names=unique_names)
        self._rules.check_stated(stated, change.rules_added)
        return stated

    def changes(
        self, explicit: FactSet, restated: Restatement, change: Change, stated: SwrlChanges
    ) -> tuple[Batch, Batch]:
        """The facts that stop and start being explicit, auxiliary ones included."""
        deleted, inserted = self._told(explicit, restated, change, stated)
        if self._containers is None:
            return deleted, inserted
        ended, begun = self._containers.changes(deleted, inserted)
        return joined(deleted, ended), joined(inserted, begun)

    def _told(
        self, explicit: FactSet, restated: Restatement, change: Change, stated: SwrlChanges
    ) -> tuple[Batch, Batch]:
        """The facts that stop and start being explicit, auxiliary ones of lists, literals and rules
        included."""
        lost, won = self._values(explicit, restated)
        implies = lost or won or stated or change.rules_removed or change.rules_added
        if not implies and _leaves_alone(restated, self._syntax):
            return restated.deleted, restated.inserted
        rules, make = self._rules, explicit.make
        deleted = FactSet.of(joined(restated.deleted, lost), make)
        inserted = FactSet.of(joined(restated.inserted, won), make)
        lists = self._lists(explicit, restated)
        if lists is not None:
            rules.require(lists.forms_added)
            deleted.add(batch_of(lists.removed))
            inserted.add(batch_of(lists.added))
        unlike, alike = self._restrictions(explicit, restated)
        deleted.add(batch_of(unlike))
        inserted.add(batch_of(alike))
        if self._names is not None:
            many, few = self._names.changes(explicit, restated.deleted, restated.inserted)
            deleted.add(many)
            inserted.add(few)
        gone, new = rules.rows(change.rules_removed, change.rules_added, stated)
        deleted.add(gone)
        inserted.add(new)
        return deleted.batch(), inserted.batch()

    def grounds(self, fact: Fact, explicit: Mapping[int, Table]) -> list[Fact]:
        """The statements that are shown for an auxiliary fact: those of a restriction that is
        written like others. The axiom of a list is a premise beside what its members are."""
        if self._likeness is None:
            return []
        return [*self._likeness.grounds(fact, _Explicit(State(explicit)))]

    def committed(self) -> None:
        """The changes last asked for were committed."""
        if self._literals is not None:
            self._literals.committed()
        if self._containers is not None:
            self._containers.committed()

    def look_at_new(self) -> None:
        """Reads the new terms of the dictionary; called before ids are freed."""
        if self._literals is not None:
            self._literals.look_at_new()
        if self._containers is not None:
            self._containers.look_at_new()

    def mention(self, mentioned: Mask) -> None:
        """Adds, by id, what the auxiliary facts are about."""
        if self._literals is not None:
            self._literals.mention(mentioned)

    def forget(self, freed: Ids) -> None:
        """Forgets ids that stand for no term any more."""
        if self._literals is not None:
            self._literals.forget(freed)
        if self._containers is not None:
            self._containers.forget(freed)

    def _lists(self, explicit: FactSet, restated: Restatement) -> ListChanges | None:
        vocabulary, read = self._vocabulary, self._lists_read
        if vocabulary is None or _leaves_alone(restated, read):
            return None
        deleted, inserted = (
            {p: keys for p, keys in some.items() if p in read}
            for some in (restated.deleted, restated.inserted)
        )
        before, after = _before_and_after(explicit, deleted, inserted)
        changed = chain(triples(deleted), triples(inserted))
        return list_changes(before, after, changed, vocabulary)

    def _restrictions(
        self, explicit: FactSet, restated: Restatement
    ) -> tuple[list[Fact], list[Fact]]:
        """The auxiliary facts about restrictions that end and begin."""
        likeness = self._likeness
        if likeness is None or _leaves_alone(restated, likeness.read):
            return [], []
        deleted, inserted = (
            {p: keys for p, keys in some.items() if p in likeness.read}
            for some in (restated.deleted, restated.inserted)
        )
        before, after = _before_and_after(explicit, deleted, inserted)
        ended, begun = likeness.changes(before, after, deleted, inserted)
        return sorted(ended), sorted(begun)

    def _values(self, explicit: FactSet, restated: Restatement) -> tuple[Batch, Batch]:
        """The auxiliary facts about literals, with those that always hold at the first update."""
        first = {} if explicit.tables else self._standing
        if self._literals is None:
            return {}, first
        deleted, inserted = restated.deleted, restated.inserted
        lost, won = self._literals.changes(explicit, deleted, inserted)
        ended, begun = self._properties.changes(explicit, deleted, inserted)
        if ended or begun or first:
            return joined(lost, ended), joined(joined(won, begun), first)
        return lost, won


def _read_of_lists(vocabulary: Vocabulary | None) -> frozenset[int]:
    """The predicates of lists, of their cells and of axioms that have one."""
    if vocabulary is None:
        return frozenset()
    return frozenset((vocabulary.first, vocabulary.rest, *vocabulary.list_bearing))


def _leaves_alone(restated: Restatement, predicates: frozenset[int]) -> bool:
    """Whether a change has no facts of some predicates."""
    return predicates.isdisjoint(restated.deleted) and predicates.isdisjoint(restated.inserted)


def _of_swrl(batch: Batch, vocabulary: SwrlVocabulary) -> Batch:
    """The facts of a batch that SWRL rules are read from."""
    found = {p: keys for p, keys in batch.items() if p in vocabulary.read}
    types = found.pop(vocabulary.type, None)
    if types is not None:
        if not isinstance(types, list):  # most classes came later and have greater ids
            types = types[kernels.low(types) <= max(vocabulary.classes)]
        types = of_classes(types, vocabulary.classes, inside=True)
        if len(types):
            found[vocabulary.type] = types
    return found


def _before_and_after(
    explicit: FactSet, deleted: Batch, inserted: Batch
) -> tuple[_Explicit, _Explicit]:
    """The explicit triples without and with a change."""
    tables = explicit.tables
    after = State(tables, (FactSet.of(deleted),), FactSet.of(inserted))
    return _Explicit(State(tables)), _Explicit(after)


class _Explicit:
    """Explicit triples as the list reader asks for them."""

    def __init__(self, state: State) -> None:
        self._state = state

    def objects(self, p: int, s: int) -> list[int]:
        return self._state.table(p).objects(s)

    def subjects(self, p: int, o: int) -> list[int]:
        return self._state.table(p).subjects(o)
