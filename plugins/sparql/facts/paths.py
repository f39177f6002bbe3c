"""Property paths as relations: a whole column of ends is followed at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property, reduce
from typing import Any, Protocol

import numpy as np
from rdflib.paths import (
    AlternativePath,
    InvPath,
    MulPath,
    NegatedPath,
    Path,
    SequencePath,
)

from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.facts.path_closures import DistinctPairs, PathClosure
from rdfinc.plugins.sparql.facts.predicate_facts import Links, PredicateFacts, Relation
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables import kernels
from rdfinc.tables.kernels import Indices


class KnownPredicates(Protocol):
    """Which predicates there are; see `predicate_index.PredicateIndex`."""

    def of(self, s: int | None, o: int | None) -> list[int]: ...
    def among(self, subjects: Ids | None, objects: Ids | None) -> list[int]: ...


class PathFacts(Protocol):
    """The facts in which paths are followed; see `fact_relations.GraphFacts`."""

    @property
    def predicates(self) -> KnownPredicates: ...
    @property
    def nodes(self) -> Ids: ...
    @property
    def total(self) -> int: ...
    @property
    def check(self) -> Callable[[], object]: ...
    def relation(self, predicate: int) -> Relation: ...
    def relations(self, predicates: Sequence[int], but: Set[int]) -> Sequence[Relation]: ...
    def have(self, ids: Ids) -> kernels.Mask: ...


def relation(path: Any, facts: PathFacts, terms: Terms, ends: Sequence[int]) -> Relation:
    """The pairs that a path connects. `ends` are the terms at the ends of its pattern: a path of
    length zero leads from them to themselves, whether they are in the graph or not."""

    def part(path: Any) -> Relation:
        return relation(path, facts, terms, ends)

    if not isinstance(path, Path):
        return facts.relation(terms.number(path))
    if isinstance(path, InvPath):
        return InversePath(part(path.arg))
    if isinstance(path, SequencePath):
        return _in_sequence(list(map(part, path.args)))
    if isinstance(path, AlternativePath):
        return PathUnion(list(map(part, path.args)))
    if isinstance(path, MulPath):
        steps = part(path.path)
        many = DistinctPairs(steps) if path.mod == "?" else PathClosure.of(steps, facts.check)
        return many if path.mod == "+" else ReflexivePairs(many, facts, ends)
    assert isinstance(path, NegatedPath), path
    return excluding(path.args, facts, terms)


def _in_sequence(relations: Sequence[Relation]) -> Relation:
    """Relations one after another; many as a tree, which is not deep."""
    if len(relations) <= QUERIES.chained_steps:
        return reduce(PathSequence, relations)
    middle = len(relations) // 2
    return PathSequence(_in_sequence(relations[:middle]), _in_sequence(relations[middle:]))


def excluding(excluded: Sequence[Any], facts: PathFacts, terms: Terms) -> Relation:
    """All predicates but some, read forwards where some are excluded so, or none at all, and
    backwards where some are excluded so (SPARQL 1.1, 18.2.2.3)."""
    backwards = [path.arg for path in excluded if isinstance(path, InvPath)]
    forwards = [path for path in excluded if not isinstance(path, InvPath)]
    ways: list[Relation] = []
    if forwards or not backwards:
        ways.append(NegatedProperties(map(terms.number, forwards), facts))
    if backwards:
        ways.append(InversePath(NegatedProperties(map(terms.number, backwards), facts)))
    return PathUnion(ways)


class InversePath:
    """The pairs turned round."""

    def __init__(self, of: Relation) -> None:
        self.of = of

    def by_subjects(self, subjects: Ids) -> Links:
        return self.of.by_objects(subjects)

    def by_objects(self, objects: Ids) -> Links:
        return self.of.by_subjects(objects)

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        return self.of.between(objects, subjects)

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        return ((s, o) for o, s in self.of.pairs())

    def count(self, s: int | None, o: int | None) -> int:
        return self.of.count(o, s)


class PathUnion:
    """A pair as often as the relations have it together."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self._relations = relations

    def by_subjects(self, subjects: Ids) -> Links:
        return _together([relation.by_subjects(subjects) for relation in self._relations])

    def by_objects(self, objects: Ids) -> Links:
        return _together([relation.by_objects(objects) for relation in self._relations])

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        found = [relation.between(subjects, objects) for relation in self._relations]
        return np.sort(np.concatenate([np.empty(0, np.intp), *found]))

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        for relation in self._relations:
            yield from relation.pairs()

    def count(self, s: int | None, o: int | None) -> int:
        return sum(relation.count(s, o) for relation in self._relations)


def _together(parts: list[Links]) -> Links:
    index = np.concatenate([np.empty(0, np.intp), *(index for index, _ in parts)])
    found = np.concatenate([kernels.NO_IDS, *(found for _, found in parts)])
    order = np.argsort(index, kind="stable")
    return index[order], found[order]


class NegatedProperties:
    """The facts of all predicates but some; of few nodes those only are asked that they have."""

    def __init__(self, excluded: Iterable[int], facts: PathFacts) -> None:
        self._excluded, self._facts = set(excluded), facts

    def by_subjects(self, subjects: Ids) -> Links:
        return self._among(subjects, None).by_subjects(subjects)

    def by_objects(self, objects: Ids) -> Links:
        return self._among(None, objects).by_objects(objects)

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        return self._among(subjects, objects).between(subjects, objects)

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        return self._among(None, None).pairs()

    def count(self, s: int | None, o: int | None) -> int:
        if s is None and o is None:
            return self._facts.total
        return self._either(self._facts.predicates.of(s, o)).count(s, o)

    def _among(self, subjects: Ids | None, objects: Ids | None) -> PathUnion:
        return self._either(self._facts.predicates.among(subjects, objects))

    def _either(self, predicates: Sequence[int]) -> PathUnion:
        return PathUnion(self._facts.relations(predicates, self._excluded))


class PathSequence:
    """One relation after another: a pair for each way there is."""

    def __init__(self, first: Relation, second: Relation) -> None:
        self._first, self._second = first, second

    def by_subjects(self, subjects: Ids) -> Links:
        return _followed(self._first.by_subjects(subjects), self._second.by_subjects)

    def by_objects(self, objects: Ids) -> Links:
        return _followed(self._second.by_objects(objects), self._first.by_objects)

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        index, middle = self._first.by_subjects(subjects)
        return index[self._second.between(middle, objects[index])]

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        """Begins with the relation that has fewer pairs; those of a closure are not counted, and
        followed from where the first one leads to only."""
        first, second = self._first, self._second
        if not isinstance(second, PathClosure) and _size(second) < _size(first):
            for middle, objects in second.pairs():
                index, subjects = first.by_objects(middle)
                yield subjects, objects[index]
            return
        for subjects, middle in first.pairs():
            index, objects = second.by_subjects(middle)
            yield subjects[index], objects

    def count(self, s: int | None, o: int | None) -> int:
        if s is None and o is None:
            return self._about
        counts = self._first.count(s, None), self._second.count(None, o)
        return max(counts) if all(counts) else 0

    @cached_property
    def _about(self) -> int:
        """About how many pairs there are: where facts of two predicates follow each other, the
        first ones of the predicate that has fewer tell; none are only where one has none."""
        first, second = _size(self._first), _size(self._second)
        if not first or not second:
            return 0
        if not _is_of_facts(self._first) or not _is_of_facts(self._second):
            return max(first, second)
        few, step = self._first, self._second.by_subjects
        if second < first:
            few, step = InversePath(self._second), self._first.by_objects
        _, ends = next(iter(few.pairs()))
        some = ends[: QUERIES.sampled_solutions]
        return max(1, len(step(some)[0]) * min(first, second) // max(1, len(some)))


def _size(relation: Relation) -> int:
    return relation.count(None, None)


def _is_of_facts(relation: Relation) -> bool:
    """Whether a relation has the facts of one predicate, read forwards or backwards."""
    while isinstance(relation, InversePath):
        relation = relation.of
    return isinstance(relation, PredicateFacts)


def _followed(links: Links, step: Any) -> Links:
    index, middle = links
    further, found = step(middle)
    return index[further], found


class ReflexivePairs:
    """The distinct pairs of a relation, and (x, x) for every node of the graph and every end."""

    def __init__(self, of: Relation, facts: PathFacts, ends: Sequence[int]) -> None:
        self._of, self._facts, self._ends = of, facts, np.array(ends, np.uint32)

    def by_subjects(self, subjects: Ids) -> Links:
        return self._with_self(subjects, self._of.by_subjects(subjects))

    def by_objects(self, objects: Ids) -> Links:
        return self._with_self(objects, self._of.by_objects(objects))

    def _with_self(self, ids: Ids, links: Links) -> Links:
        there = np.flatnonzero(self._are_nodes(ids))
        index = np.concatenate([links[0], there])
        keys = kernels.unique(kernels.pack(index, np.concatenate([links[1], ids[there]])))
        return (keys >> kernels.SHIFT).astype(np.intp), kernels.low(keys)

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        same = np.flatnonzero(subjects == objects)
        same = same[self._are_nodes(subjects[same])]
        return np.union1d(same, self._of.between(subjects, objects))

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        nodes = np.union1d(self._facts.nodes, self._ends)
        yield nodes, nodes
        for subjects, objects in self._of.pairs():
            others = subjects != objects
            yield subjects[others], objects[others]

    def count(self, s: int | None, o: int | None) -> int:
        is_open = s is None and o is None
        return self._of.count(s, o) + (self._facts.total if is_open else 1)

    def _are_nodes(self, ids: Ids) -> kernels.Mask:
        return self._facts.have(ids) | np.isin(ids, self._ends)
