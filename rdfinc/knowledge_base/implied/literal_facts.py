"""What the datatype rules read of literals, as auxiliary facts kept in step with explicit triples.

    l aux:literal.value v    the literal l stands in an explicit triple, and some other literal of
                             the dictionary has the same value, which v stands for
    l aux:literal.ill l      l stands in an explicit triple and is none of the datatype it names

The numbers of cardinality restrictions and facets are OWL's own syntax and do not count; rules of
their own say that a cardinality may be written in any way that gives its value. Literals of which
neither can be said are looked at once, when they are new, and never again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from rdfinc.datalog.clause import LITERAL_VALUE
from rdfinc.datalog.model import RDF_TYPE
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.owl.vocabulary import OWL
from rdfinc.reasoning.evaluation.states import Changed, State
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, batch_of
from rdfinc.tables.kernels import IdArray, Mask
from rdfinc.tables.table import Keys
from rdfinc.terms.builtins import DATATYPES, FACETS, is_ill_typed, is_its_own, value_spelling
from rdfinc.terms.dictionary import AUXILIARY, LITERAL, Dictionary, Ids

Fact = tuple[int, int, int]


_CARDINALITIES = (
    "cardinality", "maxCardinality", "minCardinality",
    "qualifiedCardinality", "maxQualifiedCardinality", "minQualifiedCardinality",
)  # fmt: skip
SYNTAX = (*(f"<{OWL}{name}>" for name in _CARDINALITIES), *FACETS)
"""The predicates whose literals are OWL's own syntax."""

OF_LITERALS = (RDF_TYPE, f"<{OWL}differentFrom>")
"""The properties that datatype rules give literals."""

_CHARACTERISTICS = tuple(
    f"<{OWL}{name}Property>"
    for name in (
        "Functional", "InverseFunctional", "Symmetric", "Asymmetric", "Irreflexive", "Transitive",
    )
)  # fmt: skip
_STANDING = {
    "datatype": DATATYPES, "facet": FACETS, "literal.property": OF_LITERALS,
    "characteristic": _CHARACTERISTICS,
}  # fmt: skip


class Literals:
    """The literals of one dictionary that have auxiliary facts for the datatype rules.

    `_fact` is the auxiliary fact of each of them, `_pending` holds those whose fact is not
    committed yet. `_alike` maps the spelling of a value (`value_spelling`) to its literals in other
    spellings; the literal so spelled, if there is one, is found in the dictionary. Cost: 0.1 µs for
    each new plain literal, 1 µs for one in the usual form of its datatype, some 10 µs for others.
    An update without literals of `_fact` costs a look at its objects."""

    def __init__(self, dictionary: Dictionary, syntax: Iterable[str] = SYNTAX) -> None:
        self._dictionary = dictionary
        self._seen = dictionary.beginning
        self._alike: dict[bytes, list[int]] = {}
        self._fact: dict[int, Fact] = {}
        self._pending: set[int] = set()
        self._value = dictionary.auxiliary(LITERAL_VALUE)
        self._ill = dictionary.auxiliary("literal.ill")
        self._syntax = {dictionary.encode(name.encode()) for name in syntax}

    def changes(self, explicit: FactSet, deleted: Batch, inserted: Batch) -> tuple[Batch, Batch]:
        """The auxiliary facts that end and begin with a change of explicit triples."""
        self.look_at_new()
        if not self._fact:
            return {}, {}
        came = self._objects(inserted)
        touched = sorted(self._pending | came | self._objects(deleted))
        if not touched:
            return {}, {}
        kept = Changed(explicit.tables, deleted, {})
        there = came | self._standing([id for id in touched if id not in came], kept)
        ended: list[Fact] = []
        begun: list[Fact] = []
        for id in touched:
            fact = self._fact[id]
            if (id in there) != explicit.has(*fact):
                (begun if id in there else ended).append(fact)
        return batch_of(ended), batch_of(begun)

    def copy(self, dictionary: Dictionary) -> Literals:
        """A copy over a copy of the dictionary."""
        twin = Literals(dictionary, ())
        twin._syntax = self._syntax
        twin._seen, twin._fact, twin._pending = self._seen, dict(self._fact), set(self._pending)
        twin._alike = {value: list(alike) for value, alike in self._alike.items()}
        return twin

    def value_of(self, id: int) -> int:
        """What stands for the value of a literal, whether others have it or not; the id of any
        other term."""
        if self._dictionary.kind(id) != LITERAL:
            return id
        return self._node(value_spelling(self._dictionary.decode(id)))

    def alike(self, id: int) -> list[int]:
        """The literals of the dictionary with the value of a literal; the id of any other term."""
        if self._dictionary.kind(id) != LITERAL:
            return [id]
        return self._written(value_spelling(self._dictionary.decode(id)))

    def committed(self) -> None:
        """Called when the last changes were committed."""
        self._pending.clear()

    def mention(self, mentioned: Mask) -> None:
        """Adds, by id, what stands for the values of literals."""
        mentioned[[node for _, p, node in self._fact.values() if p == self._value]] = True

    def forget(self, freed: Ids) -> None:
        """Forgets ids that stand for no term any more."""
        ids = set(freed.tolist())
        self._fact = {id: fact for id, fact in self._fact.items() if id not in ids}
        self._pending -= ids
        alike = {value: [id for id in some if id not in ids] for value, some in self._alike.items()}
        self._alike = {value: some for value, some in alike.items() if some}

    def _objects(self, batch: Batch) -> set[int]:
        """The literals with auxiliary facts among the objects of a batch."""
        found: set[int] = set()
        for predicate, keys in batch.items():
            if predicate not in self._syntax:
                found.update(self._among(keys))
        return found

    def _among(self, keys: Keys) -> Iterable[int]:
        if isinstance(keys, list):
            return [object_ for key in keys if (object_ := key & 0xFFFFFFFF) in self._fact]
        objects = kernels.low(keys)
        literal = objects[self._dictionary.kinds[objects] == LITERAL]
        known: list[int] = literal[kernels.members(literal, self._fact)].tolist()
        return known

    def _standing(self, ids: list[int], state: State) -> set[int]:
        """The literals among some that are objects of explicit triples."""
        kind, syntax = self._dictionary.kind, self._syntax
        predicates = (p for p in state.predicates() if p not in syntax and kind(p) != AUXILIARY)
        tables = [state.table(p) for p in predicates]
        if len(ids) < KNOWLEDGE.many_literals:
            return {id for id in ids if any(table.count(None, id) for table in tables)}
        wanted = np.array(ids, np.uint32)
        found: set[int] = set()
        for table in tables:
            objects: IdArray = kernels.low(table.scan())
            found.update(objects[kernels.members(objects, wanted.tolist())].tolist())
        return found

    # -- literals that are new in the dictionary

    def look_at_new(self) -> None:
        """Reads the new literals of the dictionary until there are none; reading one may need
        new terms."""
        while self._seen != self._dictionary.position:
            for id, key in self._new():
                self._look_at(id, key)

    def _look_at(self, id: int, key: bytes) -> None:
        if key[-1:] != b">" or is_its_own(key):
            if key in self._alike:
                self._group(key)
        elif is_ill_typed(key):
            self._note(id, (id, self._ill, id))
        else:
            self._add(id, key)

    def _new(self) -> Iterable[tuple[int, bytes]]:
        """The literals from `_seen` on, with their ids."""
        terms, first = self._dictionary, self._seen
        if terms.position[0] - first[0] >= KNOWLEDGE.many_literals:
            return self._many_new()
        ids, keys, self._seen = terms.news(first)
        return [new for new in zip(ids.tolist(), keys, strict=True) if new[1][:1] == b'"']

    def _many_new(self) -> Iterator[tuple[int, bytes]]:
        """The same where terms are so many that few are to be in memory at once."""
        terms, first, self._seen = self._dictionary, self._seen, self._dictionary.position
        ids = terms.since(first)
        ids = ids[terms.kinds[ids] == LITERAL]
        for start in range(0, ids.size, KNOWLEDGE.input_block):
            some = ids[start : start + KNOWLEDGE.input_block]
            yield from zip(some.tolist(), terms.decode_many(some), strict=True)

    def _add(self, id: int, key: bytes) -> None:
        value = value_spelling(key)
        if value != key:
            self._alike.setdefault(value, []).append(id)
        if value in self._alike:
            self._group(value)

    def _group(self, value: bytes) -> None:
        """Remembers the literals of a value if there are several."""
        group = self._written(value)
        if len(group) > 1:
            node = self._node(value)
            for id in group:
                self._note(id, (id, self._value, node))

    def _written(self, value: bytes) -> list[int]:
        """The literals of a value."""
        usual = self._dictionary.find(value)
        return [*self._alike.get(value, ()), *([] if usual is None else [usual])]

    def _node(self, value: bytes) -> int:
        return self._dictionary.auxiliary(f"value {value.decode()}")

    def _note(self, id: int, fact: Fact) -> None:
        if id not in self._fact:
            self._fact[id] = fact
            self._pending.add(id)


def standing_facts(dictionary: Dictionary, *, axiomatic: bool) -> Batch:
    """The auxiliary facts that always hold: the known datatypes and facets, the properties given to
    literals by datatype rules, and the wish for axioms."""

    def facts() -> Iterator[Fact]:
        for relation, names in _STANDING.items():
            for name in names:
                id = dictionary.encode(name.encode())
                yield id, dictionary.auxiliary(relation), id
        if axiomatic:
            axioms = dictionary.auxiliary("axioms")
            yield axioms, axioms, axioms

    return batch_of(facts())
