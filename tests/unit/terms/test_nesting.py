import pytest

from rdfinc import BudgetExceededError, KnowledgeBase
from rdfinc.terms import computed_depth
from rdfinc.terms.computed_depth import DEEPEST, LIMIT, Nesting

TERM = b"x" * 64


def spend(depths: Nesting, length: int, at_once: int) -> int:
    """Computes terms from each other, so many at once, until that is refused; how many there are
    by then."""
    made = 0
    for generation in range(length):
        for i in range(at_once):
            made += 1
            try:
                depths.note(1 + generation * at_once + i, [made - at_once], TERM, "f")
            except BudgetExceededError as error:
                assert error.limit == LIMIT < error.reached
                return made
    return made


def test_a_chain_of_computed_terms_ends() -> None:
    depths = Nesting()
    most = LIMIT // len(TERM)
    assert most < spend(depths, 10 * most, 1) < most + DEEPEST


def test_terms_computed_from_stated_ones_are_not_counted_for_long() -> None:
    depths = Nesting()
    for id in range(1, 100_000):
        depths.note(id, [1_000_000], TERM, "f")


def test_a_refused_update_spends_as_much_when_it_is_tried_again() -> None:
    depths = Nesting()
    first = spend(depths, 1 << 20, 1)
    assert first == spend(depths, 1 << 20, 1)


def test_a_term_spends_once_and_an_update_afresh() -> None:
    depths = Nesting()
    for _ in range(3):
        depths.start()
        assert spend(depths, 10_000, 1) == 10_000


def test_a_copy_knows_the_depths_and_spends_by_itself() -> None:
    depths = Nesting()
    spend(depths, 10_000, 1)
    twin = depths.copy()
    assert spend(twin, 10_000, 1) == 10_000
    depths.start()
    depths.forget(range(1, 10_000))
    assert spend(depths, 10_000, 1) == 10_000


OWL, RDFS = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#"
ONE = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'


@pytest.mark.parametrize(
    "strategy", ["auto", "bf", "dred", "dred-counting", "fbf", "rematerialise"]
)
@pytest.mark.parametrize(
    ("profile", "body"),
    [("rdfs", f"[?n, a, <{RDFS}Resource>]"), ("owl2rl", f"[?n, <{OWL}sameAs>, ?n]")],
)
def test_counting_what_every_term_is_said_of_ends(
    strategy: str, profile: str, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computed_depth, "LIMIT", 1 << 13)
    kb = KnowledgeBase(profile, maintenance=strategy, axiomatic=True)
    kb.update(insert=[("<urn:a>", "<urn:p>", "<urn:b>")])
    size = len(kb)
    kb.add_rules(f"[<urn:x>, <urn:next>, ?m] :- {body}, BIND(?n + 1 AS ?m) .")
    assert len(kb) >= size
    fact = ("<urn:a>", "<urn:n>", ONE)
    size = len(kb)
    for _ in range(2):
        with pytest.raises(BudgetExceededError):
            kb.update(insert=[fact])
        assert len(kb) == size and fact not in kb
    kb.update(delete=[("<urn:a>", "<urn:p>", "<urn:b>")])
    assert len(kb) < size
