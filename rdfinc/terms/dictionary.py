"""The dictionary: a bijection between terms and small integers."""

from __future__ import annotations

import sys
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, islice, repeat
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from rdfinc.terms.leases import Lease, Leases
from rdfinc.terms.term_thresholds import TERMS

Ids = npt.NDArray[np.uint32]
Kinds = npt.NDArray[np.uint8]
Position = tuple[int, int]
T = TypeVar("T")

IRI, BLANK, LITERAL, AUXILIARY = 1, 2, 3, 4

_KIND_OF_FIRST_BYTE = np.full(256, AUXILIARY, np.uint8)
_KIND_OF_FIRST_BYTE[[ord("<"), ord("_"), ord('"'), 0]] = IRI, BLANK, LITERAL, 0
_KINDS = _KIND_OF_FIRST_BYTE.tobytes()


_HIDDEN = b"!"
_ROW = b"("


class TermList(Protocol):
    """The terms at their ids."""

    def __len__(self) -> int: ...
    def __getitem__(self, id: int, /) -> bytes: ...
    def __setitem__(self, id: int, term: bytes, /) -> None: ...
    def __iter__(self) -> Iterator[bytes]: ...
    def append(self, term: bytes, /) -> None: ...
    def extend(self, terms: Iterable[bytes], /) -> None: ...


class Numbering(dict[bytes, int]):
    """term -> id; looking up a new term gives it an id: one that is `free`, otherwise the next.

    `terms[id]` is the term of `id`, empty for a free one; `terms[0]` stands for none and is in no
    mapping. A term that is `waiting` is not here, and is here again with its id when it is looked
    up. `again` are ids that were given to another term lately, numbered in order. `frozen_id` finds
    terms that are frozen, if some are. What is interrupted leaves at worst numbers that no term
    has: `terms` comes first.
    """

    __slots__ = ("again", "append", "free", "frozen_id", "lock", "terms", "waiting")

    frozen_id: Callable[[bytes], int | None] | None
    terms: TermList

    def __init__(self, terms: Iterable[bytes]) -> None:
        self.frozen_id = None
        self.terms = list(terms)
        self.append: Callable[[bytes], None] = self.terms.append
        super().__init__(zip(islice(self.terms, 1, None), range(1, len(self.terms)), strict=True))
        self.free: list[int] = []
        if dict.pop(self, b"", None):
            self.free = [id for id, term in enumerate(self.terms) if not term][:0:-1]
        self.waiting: dict[bytes, int] = {}
        self.again: dict[int, int] = {}
        self.lock = threading.Lock()

    def __missing__(self, term: bytes) -> int:
        if self.waiting and (known := self.recall(term)) is not None:
            return known
        if self.free:
            number = self.free.pop()
            self.terms[number] = term
            self.again[number] = len(self.again)
        else:
            number = len(self.terms)
            self.append(term)
        self[term] = number
        return number

    def find_all(self, terms: Sequence[bytes]) -> Ids:
        """The ids of terms, 0 for those that are not in the mapping."""
        return np.fromiter(map(self.get, terms, repeat(0)), np.uint32, len(terms))

    def look_up_all(self, terms: Sequence[bytes]) -> Ids:
        """The same for whoever adds terms, who will ask for them again."""
        return self.find_all(terms)

    def let_go(self) -> None:
        """Keeps frozen terms that were looked up at hand no longer."""

    def encode_all(self, terms: Sequence[bytes]) -> Ids:
        """The ids of terms; new ones get one."""
        return np.fromiter(map(self.__getitem__, terms), np.uint32, len(terms))

    def texts(self, ids: Sequence[int]) -> list[bytes]:
        """The terms of ids, in their order."""
        return list(map(self.terms.__getitem__, ids))

    def texts_between(self, start: int, end: int) -> list[bytes]:
        """The terms of the ids from `start` on, before `end`."""
        assert isinstance(self.terms, list)
        return self.terms[start:end]

    def add_all(self, terms: Sequence[bytes]) -> Ids:
        """Gives ids to distinct new terms; returns those of terms that did not wait."""
        if self.waiting:
            terms = [term for term in terms if self.recall(term) is None]
        reused = min(len(self.free), len(terms))
        again = list(map(self.__missing__, terms[:reused]))
        first = len(self.terms)
        self.terms.extend(terms[reused:])
        self.update(zip(terms[reused:], range(first, len(self.terms)), strict=True))
        later = np.arange(first, len(self.terms), dtype=np.uint32)
        return np.concatenate((np.array(again, np.uint32), later))

    def restore(self, ids: Sequence[int], terms: Sequence[bytes]) -> list[int]:
        """Gives terms certain ids; returns those that another term had, or that a term has lost."""
        size, lost = len(self.terms), []
        free = {*self.free, *range(size, 1 + max(ids, default=0))}
        self.terms.extend([b""] * (1 + max(ids, default=0) - size))
        for id, term in zip(ids, terms, strict=True):
            if self.pop(self.terms[id], None) is not None:
                lost.append(id)
            if (other := self.pop(term, None)) is not None:
                self.terms[other] = b""
                lost.append(other)
                free.add(other)
            self.terms[id], self[term] = term, id
            free.discard(id)
            if id < size:
                self.again[id] = len(self.again)
        self.free = sorted(free, reverse=True)
        return lost

    def recall(self, term: bytes) -> int | None:
        """The id of a waiting term, which is taken back; None if the term does not wait."""
        with self.lock:
            known = self.waiting.get(term)
            if known is not None:
                self[term] = known
            return known

    def recalled(self, terms: Sequence[bytes], ids: Ids) -> Ids:
        """The ids of terms, given those in the mapping, 0 for others, which may wait."""
        if self.waiting:
            for place in np.flatnonzero(ids == 0).tolist():
                ids[place] = self.recall(terms[place]) or 0
        return ids

    def retire(self, ids: Iterable[int]) -> None:
        """Lets the terms of ids wait."""
        for id in ids:
            term = self.terms[id]
            if self.get(term) == id:
                self.waiting[term] = id
                del self[term]

    def recall_mentioned(self, mentioned: npt.NDArray[np.bool_]) -> None:
        """Takes back the waiting terms that were looked up or are mentioned."""
        waiting, self.waiting = self.waiting, {}
        for term, id in waiting.items():
            if mentioned[id]:
                self[term] = id
            elif term not in self:
                self.waiting[term] = id

    def forget(self, ids: Iterable[int]) -> None:
        """Forgets terms that wait."""
        for id in ids:
            del self.waiting[self.terms[id]]
            self.terms[id] = b""

    def known(self) -> dict[bytes, int]:
        """The mapping as a dict. O(terms) where some are frozen."""
        return self

    @property
    def thawed(self) -> int:
        """How many terms are not frozen, those of free ids included."""
        return len(self.terms)

    @property
    def nbytes(self) -> int:
        """An estimate of the memory held, in bytes; O(terms)."""
        texts_and_numbers = sum(map(sys.getsizeof, self.terms)) + 32 * len(self.terms)
        tables = dict.__sizeof__(self), *map(sys.getsizeof, (self.waiting, self.free, self.terms))
        return texts_and_numbers + sum(tables)

    def copy(self) -> Numbering:
        """An independent equal numbering in which no term waits. O(terms)."""
        return Numbering(self.terms)


class DictionaryCounts(NamedTuple):
    """The ids given again since `before` were, in order; the scopes and the blank nodes given."""

    again: tuple[int, ...]
    before: int
    scopes: int
    blanks: int


class Dictionary:
    """A bijection between terms and the ids 1, 2, 3, … in order of first appearance.

    A term is its canonical N-Triples text in UTF-8; its first byte tells its kind: `<` an IRI, `_`
    a blank node, `"` a literal. Auxiliary terms, which stand for nothing in RDF, begin otherwise:
    `!name` is an auxiliary predicate, `(` and packed ids a tuple of ids. Id 0 is never given.

    An id keeps its term until it is `freed`, which can only happen to one that was `retired` as
    mentioned nowhere: such a term waits, with its id, until it is looked up again or until no one
    is left who could know the id without a look (see `rdfinc.terms.leases`). Then the next new
    term gets the id. All ids are less than `bound`, which grows only while none is free.
    `encode`, `find`, `decode`: O(1); 0.2 to 0.5 µs a term. About 170 B a term beside the text.
    Readers may look up ids of their version while one writer adds terms.
    """

    encode: Callable[[bytes], int]
    """The id of a term, which gets one if it is new. To be asked for anew after each update, which
    may freeze terms."""

    def __init__(self, terms: Iterable[bytes] = (b"",)) -> None:
        self._over(Numbering(terms))

    def _over(self, ids: Numbering) -> None:
        self._ids = ids
        self.encode = self._ids.__getitem__
        self._kinds: Kinds = np.zeros(1024, np.uint8)
        self._kinded: Position = 1, 0
        self._again_before = 0
        self._leases = Leases()
        self._born, self._died = np.zeros((2, 1), np.uint32)
        self._dated: Position = 1, 0
        self._scopes = 0
        self._blanks = 0

    def __len__(self) -> int:
        """The number of terms, auxiliary ones included."""
        return len(self._ids)

    def __contains__(self, term: object) -> bool:
        return isinstance(term, bytes) and self.find(term) is not None

    def __iter__(self) -> Iterator[bytes]:
        """All terms, in order of their ids."""
        return filter(self._ids.__contains__, self._ids.terms)

    def find(self, term: bytes) -> int | None:
        """The id of a term, or None; never adds a term."""
        ids = self._ids  # one, if another comes meanwhile
        known = dict.get(ids, term)
        if known is None:
            if frozen_id := ids.frozen_id:
                known = frozen_id(term)
            if known is None and ids.waiting:
                known = ids.recall(term)
        return known

    def decode(self, id: int) -> bytes:
        """The term of `id`. Raises IndexError for an id not given."""
        assert id > 0, "id 0 stands for no term"
        return self._ids.terms[id]

    def encode_many(self, terms: Iterable[bytes]) -> Ids:
        """The ids of `terms`, in their order, as uint32."""
        return self._ids.encode_all(terms if isinstance(terms, list) else list(terms))

    def encode_distinct(self, terms: Sequence[bytes], kinds: Kinds) -> Ids:
        """The same for terms each of which stands there once, with their kinds; quicker: 0.2 to
        0.5 µs a term. New terms are added while what looking them up has touched of the mapping is
        in the processor's cache."""
        ids = np.zeros(len(terms), np.uint32)
        is_current = self._kinded == self.position
        for start in range(0, len(terms), TERMS.distinct_block):
            some = terms[start : start + TERMS.distinct_block]
            block = ids[start : start + len(some)]
            block[:] = self.find_many(some)
            unknown = block == 0
            block[unknown] = self._ids.add_all(list(compress(some, unknown.tolist())))
        with self._ids.lock:
            self._make_room_for_kinds(self.bound)
            self._kinds[ids] = kinds
            if is_current:
                self._kinded = self.position
        return ids

    def add_many(self, terms: Sequence[bytes]) -> None:
        """Gives ids to distinct terms that have none."""
        self._ids.add_all(terms)

    def find_many(self, terms: Sequence[bytes]) -> Ids:
        """The ids of `terms`, in their order, as uint32; 0 for a term without id."""
        numbering = self._ids
        return numbering.recalled(terms, numbering.find_all(terms))

    def look_up_many(self, terms: Sequence[bytes]) -> Ids:
        """As `find_many`, for whoever adds terms: frozen ones that it finds are kept at hand."""
        return self._ids.recalled(terms, self._ids.look_up_all(terms))

    def decode_many(self, ids: Iterable[int] | Ids) -> list[bytes]:
        """The terms of `ids`, in their order."""
        plain = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        return self._ids.texts(plain)

    def decode_between(self, start: int, end: int) -> list[bytes]:
        """The terms of the ids from `start` on, before `end`; those of free ids are empty."""
        return self._ids.texts_between(start, end)

    def let_go(self) -> None:
        """Keeps frozen terms that were looked up at hand no longer."""
        self._ids.let_go()

    @property
    def bound(self) -> int:
        """An exclusive upper bound of all ids: the size of an array indexed by id."""
        return len(self._ids.terms)

    @property
    def is_frozen(self) -> bool:
        """Whether terms are frozen: many at a time are looked up four times as quickly then."""
        return self._ids.frozen_id is not None

    @property
    def thawed(self) -> int:
        """How many terms are not frozen, those of free ids included."""
        return self._ids.thawed

    def go_on_with(self, ids: Numbering) -> None:
        """Goes on with an equal numbering, in which no term waits. Who still reads the old one
        finds the same there; if it is a term that waited, that is looked up here from now on."""
        with self._ids.lock:
            ids.lock, ids.again = self._ids.lock, self._ids.again
            self._ids, self.encode = ids, ids.__getitem__

    @property
    def position(self) -> Position:
        """The position of the ids given from now on, for `since`."""
        return len(self._ids.terms), self._again_before + len(self._ids.again)

    @property
    def beginning(self) -> Position:
        """The position of all ids that there are, for `since`."""
        return 1, self._again_before

    def since(self, position: Position) -> Ids:
        """The ids given since a position, which must not be from before others were retired."""
        return self._between(position, self.position)

    def _between(self, start: Position, end: Position) -> Ids:
        assert self.remembers(start), "forgotten by now"
        later = np.arange(start[0], end[0], dtype=np.uint32)
        if start[1] == end[1]:
            return later
        before = self._again_before
        reused = list(islice(self._ids.again, start[1] - before, end[1] - before))
        return np.concatenate((np.array(reused, np.uint32), later))

    def news(self, position: Position) -> tuple[Ids, list[bytes], Position]:
        """The ids given since a position, with their terms, and the position after them."""
        numbering, first = self._ids, position[0]
        size, again = len(numbering.terms), self._again_before + len(numbering.again)
        if again == position[1]:
            later = np.arange(first, size, dtype=np.uint32)
            return later, numbering.texts_between(first, size), (size, again)
        ids = self._between(position, (size, again))
        return ids, self.decode_many(ids), (size, again)

    def remembers(self, position: Position) -> bool:
        """Whether `since` can still tell the ids given since a position."""
        return position[1] >= self._again_before

    def is_since(self, id: int, position: Position) -> bool:
        """Whether an id was given since a position."""
        size, again = position
        return id >= size or self._again_before + self._ids.again.get(id, -1) >= again

    @property
    def lock(self) -> threading.Lock:
        """Held while terms are forgotten, remembered or looked at all together."""
        return self._ids.lock

    @property
    def kinds(self) -> Kinds:
        """IRI, BLANK, LITERAL or AUXILIARY per id; 0 for id 0 and those that are free. Brought up
        to date when read."""
        size = self.bound
        if self._kinded != self.position:
            with self._ids.lock:
                self._extend_kinds(self.position)
        return self._kinds[:size]

    def _make_room_for_kinds(self, size: int) -> None:
        if size > len(self._kinds):
            grown = np.zeros(max(size, 2 * len(self._kinds)), np.uint8)
            grown[: self._kinded[0]] = self._kinds[: self._kinded[0]]
            self._kinds = grown

    def _extend_kinds(self, position: Position) -> None:
        size = position[0]
        self._make_room_for_kinds(size)
        new = self.since(self._kinded)
        new = new[new < size]  # others may have come meanwhile
        first = b"".join([term[:1] or b"\0" for term in self.decode_many(new)])
        self._kinds[new] = _KIND_OF_FIRST_BYTE[np.frombuffer(first, np.uint8)]
        self._kinded = position

    def kind(self, id: int) -> int:
        """The kind of one id."""
        return _KINDS[self._ids.terms[id][0]]

    def blanks(self, ids: Iterable[int]) -> list[int]:
        """Those of some ids that stand for blank nodes."""
        terms = self._ids.terms
        return [id for id in ids if terms[id].startswith(b"_")]

    def auxiliary(self, name: str) -> int:
        """The auxiliary predicate called `name`: the same id for the same name."""
        return self._ids[_HIDDEN + name.encode()]

    def find_auxiliary(self, name: str) -> int | None:
        """The auxiliary predicate called `name`, or None; never adds a term."""
        return self.find(_HIDDEN + name.encode())

    def row(self, values: tuple[int, ...]) -> int:
        """The auxiliary node that stands for a tuple of ids: the same id for an equal tuple."""
        return self._ids[_ROW + array("I", values).tobytes()]

    def find_row(self, values: tuple[int, ...]) -> int | None:
        """The node that stands for a tuple of ids, or None; never adds a term."""
        return self.find(_ROW + array("I", values).tobytes())

    def row_values(self, id: int) -> tuple[int, ...] | None:
        """The tuple that `row` was given for `id`; None if that is no row."""
        term = self._ids.terms[id]
        return tuple(array("I", term[1:])) if term.startswith(_ROW) else None

    def parts_of(self, auxiliary: Ids) -> Ids:
        """The ids in the rows among auxiliary terms."""
        rows = [term[1:] for term in self.decode_many(auxiliary) if term.startswith(_ROW)]
        return np.frombuffer(b"".join(rows), np.uint32)

    def fresh_blank(self) -> int:
        """The id of a blank node that no one has used."""
        while True:
            self._blanks += 1
            term = b"_:g%d" % self._blanks
            if term not in self:
                return self._ids[term]

    def fresh_scope(self) -> int:
        """A number for one file's blank nodes: 1, 2, 3, …, each given once."""
        self._scopes += 1
        return self._scopes

    @property
    def given(self) -> tuple[int, int]:
        """How many scopes and blank nodes were given so far."""
        return self._scopes, self._blanks

    def restore(self, ids: Sequence[int], terms: Sequence[bytes], scopes: int, blanks: int) -> Ids:
        """Gives terms the ids that they got in a dictionary of which this is an earlier state.
        Returns the ids whose terms nothing mentioned any more, and which have lost these."""
        lost = self._ids.restore(ids, terms)
        self._scopes, self._blanks = scopes, blanks
        return np.array(lost, np.uint32)

    # -- giving ids again

    @property
    def lease(self) -> Lease:
        """While someone holds it, ids that can be looked up now keep their terms."""
        return self._leases.current

    def leased(self, look_up: Callable[[], T]) -> tuple[T, Lease]:
        """The result of a function that looks terms up, with a lease from the epoch of the
        look-ups. Callers need it unless they keep others from changing facts."""
        while True:
            lease = self._leases.current
            found = look_up()
            if lease is self._leases.current:
                return found, lease

    @property
    def waits(self) -> bool:
        """Whether some terms wait."""
        return bool(self._ids.waiting)

    def mention(self, ids: Ids) -> None:
        """Notes ids as mentioned whose terms may not all have been looked up."""
        waiting = self._ids.waiting
        if not waiting:
            return
        if len(ids) > TERMS.few_looked_up:
            wait = np.zeros(self.bound, np.bool_)
            wait[self._waiting()] = True
            ids = ids[wait[ids]]
        for id in ids.tolist():
            term = self._ids.terms[id]
            if waiting.get(term) == id:
                self._ids.recall(term)

    def _waiting(self) -> Ids:
        waiting = self._ids.waiting.values()
        return np.fromiter(waiting, np.uint32, len(waiting))

    def sweep(self, mentioned: npt.NDArray[np.bool_]) -> Ids:
        """Retires the ids that are not `mentioned`, and frees those of them that were not when it
        was last called and that no one knows. Returns the ids that are free from now on.

        To be called while no one adds terms. Cost: a look at all ids, and about 0.5 µs for each
        that waits.
        """
        numbering, kinds = self._ids, self.kinds
        with numbering.lock:
            self._date()
            numbering.recall_mentioned(mentioned)
            waiting = self._waiting()
            freed = waiting[self._leases.over(self._born[waiting], self._died[waiting])]
            numbering.forget(freed.tolist())
        unmentioned = (kinds > 0) & ~mentioned
        unmentioned[waiting] = False
        retired = np.flatnonzero(unmentioned)
        self._died[retired] = self._leases.current.epoch
        numbering.retire(retired.tolist())
        kinds[freed] = 0
        numbering.free = np.flatnonzero(kinds == 0)[:0:-1].tolist()
        self._leases.begin()
        return freed

    def _date(self) -> None:
        """Notes the epoch in which ids were given."""
        new, more = self.since(self._dated), self.bound - len(self._born)
        self._dated = self.position
        self._born, self._died = (np.pad(epochs, (0, more)) for epochs in (self._born, self._died))
        self._born[new] = self._leases.current.epoch
        self._again_before += len(self._ids.again)
        self._ids.again.clear()

    @property
    def nbytes(self) -> int:
        """An estimate of the memory held, in bytes; O(terms that are not frozen)."""
        return self._ids.nbytes + self._kinds.nbytes + self._born.nbytes + self._died.nbytes

    def copy(self) -> Dictionary:
        """An independent dictionary with the same ids; the texts are shared. O(terms)."""
        other = Dictionary.__new__(Dictionary)
        other._over(self._ids.copy())
        other._ids.again.update(self._ids.again)
        other._count_from(self._again_before, self._scopes, self._blanks)
        other._kinds, other._kinded = self._kinds.copy(), self._kinded
        return other

    @classmethod
    def frozen(cls, ids: Numbering, kinds: Kinds, counts: DictionaryCounts) -> Dictionary:
        """A dictionary over terms of a checkpoint, whose kinds are known."""
        dictionary = cls.__new__(cls)
        dictionary._over(ids)
        ids.again.update((id, place) for place, id in enumerate(counts.again))
        dictionary._count_from(counts.before, counts.scopes, counts.blanks)
        dictionary._kinds, dictionary._kinded = kinds, dictionary.position
        return dictionary

    @property
    def counts(self) -> DictionaryCounts:
        """What a dictionary counts, and the ids that were given again lately."""
        again = tuple(self._ids.again)
        return DictionaryCounts(again, self._again_before, self._scopes, self._blanks)

    @property
    def terms(self) -> TermList:
        """The terms at their ids; those of free ids are empty."""
        return self._ids.terms

    @property
    def free(self) -> list[int]:
        """The ids that are given next, the last one first."""
        return self._ids.free

    def _count_from(self, before: int, scopes: int, blanks: int) -> None:
        self._again_before, self._kinded, self._dated = before, (1, before), (1, before)
        self._scopes, self._blanks = scopes, blanks

    def __copy__(self) -> Dictionary:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Dictionary:
        return self.copy()

    def __getstate__(self) -> tuple[list[bytes], dict[int, int], int, int, int]:
        again, terms = self._ids.again, list(self._ids.terms)
        return terms, again, self._again_before, self._scopes, self._blanks

    def __setstate__(self, state: tuple[list[bytes], dict[int, int], int, int, int]) -> None:
        terms, again, before, scopes, blanks = state
        self.__init__(terms)  # type: ignore[misc]
        self._ids.again.update(again)
        self._count_from(before, scopes, blanks)

    def _check(self) -> None:
        ids, terms = self._ids, self._ids.terms
        assert terms[0] == b"", "id 0 must stand for no term"
        there = ids.known()
        found = self.find_many(list(there))  # some may have begun to wait
        assert found.tolist() == list(there.values()), "all can be looked up"
        known = {**ids.waiting, **there}
        assert all(terms[id] == term for term, id in known.items()), "a bijection"
        assert sorted([*known.values(), *ids.free]) == list(range(1, len(terms))), "no id lost"
        assert not any(terms[id] for id in ids.free), "free ids have no term"
        kinds = self.kinds
        assert len(kinds) == len(terms) and not kinds[[0, *ids.free]].any(), "one kind per id"
        assert all(self.kind(id) == kinds[id] for id in known.values()), "kinds in step"
