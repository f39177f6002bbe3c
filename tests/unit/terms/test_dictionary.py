"""The dictionary is a bijection onto 1, 2, 3, …, whatever mix of calls made it."""

from __future__ import annotations

import copy
import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rdfinc.terms.dictionary import AUXILIARY, BLANK, IRI, LITERAL, Dictionary
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

keys = st.sampled_from([b"<a:b>", b"<a:c>", b"_:x", b"_:g1", b"_:g2", b'"a"', b'"a"@en', b'""'])


@given(st.lists(keys | st.lists(keys)))
def test_ids_are_given_in_order_of_first_appearance(calls: list[bytes | list[bytes]]) -> None:
    dictionary, seen = Dictionary(), {}
    for call in calls:
        batch = [call] if isinstance(call, bytes) else call
        for key in batch:
            seen.setdefault(key, len(seen) + 1)
        if isinstance(call, bytes):
            assert dictionary.encode(call) == seen[call]
        else:
            ids = dictionary.encode_many(call)
            assert ids.dtype == np.uint32
            assert ids.tolist() == [seen[key] for key in call]
            assert dictionary.decode_many(ids) == call
        dictionary._check()
    assert list(dictionary) == list(seen)
    assert len(dictionary) == len(seen)


def test_find_never_adds() -> None:
    dictionary = Dictionary()
    assert dictionary.find(b"<a:b>") is None
    assert b"<a:b>" not in dictionary
    assert len(dictionary) == 0


@given(st.lists(st.lists(keys, unique=True)))
def test_adding_many_is_encoding_them(batches: list[list[bytes]]) -> None:
    dictionary, other = Dictionary(), Dictionary()
    for batch in batches:
        known = [dictionary.find(key) or 0 for key in batch]
        assert dictionary.find_many(batch).tolist() == known
        dictionary.add_many([key for key, id in zip(batch, known, strict=True) if not id])
        assert dictionary.find_many(batch).tolist() == other.encode_many(batch).tolist()
        dictionary._check()


def test_empty_batches() -> None:
    dictionary = Dictionary()
    assert dictionary.encode_many([]).tolist() == []
    assert dictionary.decode_many(np.zeros(0, np.uint32)) == []
    assert dictionary.kinds.tolist() == [0]


def test_kinds_follow_the_terms_as_they_come() -> None:
    dictionary = Dictionary()
    iri, blank = dictionary.encode(b"<a:b>"), dictionary.encode(b"_:b")
    assert dictionary.kinds[[iri, blank]].tolist() == [IRI, BLANK]
    literal, auxiliary = dictionary.encode(b'"x"'), dictionary.auxiliary("list")
    row = dictionary.row((iri, literal))
    ids = np.array([row, auxiliary, literal, iri], np.uint32)
    assert dictionary.kinds[ids].tolist() == [AUXILIARY, AUXILIARY, LITERAL, IRI]
    assert dictionary.kinds[0] == 0


def test_kinds_of_many_terms() -> None:
    dictionary = Dictionary()
    dictionary.encode_many(b"<a:%d>" % n for n in range(5000))
    assert (dictionary.kinds[1:] == IRI).all()
    dictionary.encode_many(b'"%d"' % n for n in range(5000))
    assert (dictionary.kinds[5001:] == LITERAL).all()
    dictionary._check()


@pytest.mark.parametrize("id", [0, 2])
def test_decoding_an_id_that_was_not_given(id: int) -> None:
    dictionary = Dictionary()
    dictionary.encode(b"<a:b>")
    with pytest.raises((AssertionError, IndexError)):
        dictionary.decode(id)


def test_hidden_predicates_are_found_again_by_name() -> None:
    dictionary = Dictionary()
    assert dictionary.auxiliary("a") == dictionary.auxiliary("a")
    assert dictionary.auxiliary("a") != dictionary.auxiliary("b")


@given(st.lists(st.lists(st.integers(1, 2**32 - 1), max_size=4).map(tuple), max_size=8))
def test_rows_are_hash_consed(rows: list[tuple[int, ...]]) -> None:
    dictionary = Dictionary()
    ids = [dictionary.row(values) for values in rows]
    assert [dictionary.row_values(id) for id in ids] == rows
    assert len(set(ids)) == len(set(rows))


def test_fresh_blank_nodes_avoid_those_in_use() -> None:
    dictionary = Dictionary()
    taken = {dictionary.encode(b"_:g1"), dictionary.encode(b"_:g3")}
    fresh = {dictionary.fresh_blank() for _ in range(4)}
    assert len(fresh) == 4
    assert not fresh & taken
    assert {dictionary.kind(id) for id in fresh} == {BLANK}


@pytest.mark.parametrize(
    "duplicate",
    [Dictionary.copy, copy.copy, copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d))],
)
def test_copies_are_equal_and_independent(duplicate) -> None:
    first = Dictionary()
    first.encode_many([b"<a:b>", b'"x"'])
    blank, scope = first.fresh_blank(), first.fresh_scope()
    second = duplicate(first)
    second._check()
    assert list(second) == list(first)
    assert second.fresh_blank() != blank
    assert second.fresh_scope() != scope
    added = second.encode(b"<only:second>")
    assert first.find(b"<only:second>") is None
    assert first.encode(b"<only:first>") <= added
    assert second.find(b"<only:first>") is None
    first._check()


def test_nbytes_grows_with_the_terms() -> None:
    dictionary = Dictionary()
    before = dictionary.nbytes
    dictionary.encode_many(b"<http://e.org/%d>" % n for n in range(1000))
    assert dictionary.nbytes - before > 1000 * 60


@settings(deadline=None)
@given(st.data())
def test_ids_keep_their_terms_while_anyone_may_know_them(data) -> None:
    """Against the definition: whoever has looked a term up under a lease finds it under its id,
    and it is decoded as ever, until the lease ends; so it is with what is mentioned at all times.
    No id stands for two terms."""
    with pytest.MonkeyPatch.context() as patch:
        put(patch, TERMS, few_looked_up=data.draw(st.sampled_from([0, 2, 1000])))
        check_ids(data)


def check_ids(data) -> None:
    dictionary, texts = Dictionary(), [form % n for n in range(6) for form in (b"<a:%d>", b'"%d"')]
    mentioned: dict[bytes, int] = {}
    held: list[tuple[object, dict[bytes, int]]] = []
    for _ in range(data.draw(st.integers(1, 25))):
        some = data.draw(st.lists(st.sampled_from(texts), max_size=4, unique=True))
        match data.draw(st.integers(0, 6)):
            case 0:
                known = {term: dictionary.encode(term) for term in some}
                held.append((dictionary.lease, known))
            case 1:
                dictionary.add_many([term for term in some if dictionary.find(term) is None])
                ids = dictionary.find_many(some).tolist()
                held.append((dictionary.lease, dict(zip(some, ids, strict=True))))
            case 2:
                found, lease = dictionary.leased(partial(dictionary.find_many, some))
                pairs = zip(some, found.tolist(), strict=True)
                held.append((lease, {term: id for term, id in pairs if id}))
            case 3:
                mentioned = {term: dictionary.encode(term) for term in some}
            case 4 if held:
                held.pop(data.draw(st.integers(0, len(held) - 1)))
            case 5 if held:  # facts of an earlier version are stated again
                _, known = data.draw(st.sampled_from(held))
                dictionary.mention(np.array(list(known.values()), np.uint32))
                mentioned = dict(known)
            case _:
                position, marked = dictionary.position, np.zeros(dictionary.bound, np.bool_)
                marked[list(mentioned.values())] = True
                freed = dictionary.sweep(marked)
                assert not marked[freed].any()
                assert not dictionary.since(position).size
        dictionary._check()
        for known in (mentioned, *(known for _, known in held)):
            assert dictionary.decode_many(known.values()) == list(known)
        for known in [mentioned, *(known for _, known in held)][: data.draw(st.integers(0, 1))]:
            assert dictionary.find_many(list(known)).tolist() == list(known.values())


def test_terms_that_nothing_mentions_make_way() -> None:
    dictionary = Dictionary()
    kept = dictionary.encode(b"<kept:>")
    for number in range(2000):
        dictionary.encode(b"<passing:%d>" % number)
        if number % 10 == 0:
            mentioned = np.zeros(dictionary.bound, np.bool_)
            mentioned[kept] = True
            dictionary.sweep(mentioned)
    assert dictionary.decode(kept) == b"<kept:>"
    assert dictionary.bound < 40
    dictionary._check()


def test_a_lease_held_for_ever_keeps_what_could_be_known_then_and_no_more() -> None:
    dictionary = Dictionary()
    known = {b"<known:%d>" % n: dictionary.encode(b"<known:%d>" % n) for n in range(5)}
    lease = dictionary.lease
    for number in range(50):
        dictionary.sweep(np.zeros(dictionary.bound, np.bool_))
        dictionary.encode(b"<passing:%d>" % number)
    assert dictionary.decode_many(known.values()) == list(known)
    assert dictionary.bound < 10
    del lease
    dictionary.sweep(np.zeros(dictionary.bound, np.bool_))
    assert set(dictionary.decode_many(known.values())) == {b""}


@pytest.mark.parametrize("duplicate", [Dictionary.copy, lambda d: pickle.loads(pickle.dumps(d))])
def test_copies_of_dictionaries_with_gaps(duplicate) -> None:
    first = Dictionary()
    first.encode_many([b"<a:b>", b'"x"', b"_:c"])
    for least in (2, 2, 3):
        first.sweep(np.arange(first.bound) >= least)
    second = duplicate(first)
    second._check()
    assert second.find(b'"x"') == first.find(b'"x"') == 2
    assert second.kinds.tolist() == first.kinds.tolist() == [0, 0, LITERAL, BLANK]
    assert second.encode(b'"new"') == 1
    assert second.kinds[1] == LITERAL
    first._check()
