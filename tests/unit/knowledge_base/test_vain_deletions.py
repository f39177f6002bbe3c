"""To delete what only follows changes nothing, and is not done in silence."""

from __future__ import annotations

import random
import warnings

import pytest
from rdflib import Literal
from small_bases import PREFIXES

from laws.random_axioms import triple as random_triple
from rdfinc import KnowledgeBase, RdfincWarning

DATA = "\n".join((":cat rdfs:subClassOf :animal .", ":tom a :cat ."))
CAT, ANIMAL = "<http://e/cat>", "<http://e/animal>"
TOM = "<http://e/tom>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.load((PREFIXES + DATA).encode(), format="turtle")
    return kb


def test_the_report_counts_it_and_a_warning_has_the_proof_once(kb: KnowledgeBase) -> None:
    with pytest.warns(RdfincWarning, match="follows") as told:
        delta = kb.update(delete=[(TOM, TYPE, ANIMAL), (TOM, TYPE, "<http://e/dog>")])
    assert not delta
    assert (delta.report.ignored, delta.report.follows) == (2, 1)
    (warned,) = told
    assert warned.filename == __file__
    assert ":tom rdf:type :animal   by cax-sco (" in str(warned.message)
    assert ":tom rdf:type :cat   stated" in str(warned.message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kb.update(delete=[(TOM, TYPE, ANIMAL)]).report.follows == 1


def test_what_was_stated_and_still_follows_is_withdrawn_in_silence(kb: KnowledgeBase) -> None:
    kb.update(insert=[(TOM, TYPE, ANIMAL)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kb.update(delete=[(TOM, TYPE, ANIMAL)]).report.follows == 0
        assert kb.update(delete=[(TOM, TYPE, CAT)]).report.follows == 0


def test_a_warning_made_an_error_leaves_the_update_done(kb: KnowledgeBase) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RdfincWarning):
            kb.update(delete=[(TOM, TYPE, ANIMAL)], insert=[(CAT, TYPE, ANIMAL)])
    assert (CAT, TYPE, ANIMAL) in kb.explicit


@pytest.mark.filterwarnings("ignore::rdfinc.RdfincWarning")
def test_it_counts_what_the_definition_says() -> None:
    for seed in range(12):
        r = random.Random(seed)
        kb = KnowledgeBase(axiomatic=seed % 2 == 0)
        for _ in range(10):
            new = [random_triple(r) for _ in range(4)]
            there = [fact for fact in kb if not isinstance(fact[0], Literal)]
            asked = set(r.sample(there, min(4, len(there)))) - set(kb.explicit)
            told = kb.update(delete=asked, insert=new)
            assert told.report.follows == len(asked & set(kb.derived))
