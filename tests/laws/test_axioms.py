"""What a load report tells of axioms is what is told of them anew, after every step: whatever was
told before, of which version, and by whom."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from laws.random_axioms import NAMESPACES, Triple, axiom, triple
from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.explanations.axioms import Axioms
from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples
from rdfinc.knowledge_base.explanations.unknown_terms import UnknownTerms
from rdfinc.knowledge_base.explanations.unused_axioms import UnusedAxioms
from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.owl.coverage import told_axioms
from rdfinc.owl.coverage.report import unsupported
from rdfinc.owl.coverage.surveys import Predicates
from rdfinc.tables.facts import Batch, FactSet, batch_of
from rdfinc.terms.dictionary import Dictionary

Expected = list[tuple[Callable[[], tuple[str, ...]], list[str]]]
EXAMPLE = "http://example.org/"
SLICE = 0, 50


class Facts:
    """What is stated, and what is told of it, without anything that follows."""

    def __init__(self, r: random.Random) -> None:
        self.r, self.triples = r, list[Triple]()
        self.dictionary, self.facts = Dictionary(), FactSet()
        self.visibility = Visibility(self.dictionary, "owl2rl", axiomatic=False)
        self.namespaces: dict[str, str] = {}
        self.axioms = Axioms(self.dictionary)

    def batch(self, triples: Iterable[Triple]) -> Batch:
        encode = self.dictionary.encode
        return batch_of(tuple(encode(term.encode()) for term in triple) for triple in triples)

    def change(self) -> None:
        """Some triples come and some go, or names are cut in another way."""
        gone, new = changed(self.r, self.triples)
        if self.r.random() < 0.1:
            self.namespaces[f"n{self.r.randrange(2)}"] = self.r.choice(NAMESPACES)
        self.facts.discard(self.batch(gone))
        self.facts.add(self.batch(new))

    def report(self) -> tuple[UnusedAxioms, list[str]]:
        stated = StatedTriples(self.facts.fork().tables, self.visibility)
        anew = untold(stated, self.dictionary, self.namespaces)
        return UnusedAxioms(lambda: self.axioms, stated, self.namespaces), anew


def untold(
    stated: StatedTriples, dictionary: Dictionary, namespaces: Mapping[str, str]
) -> list[str]:
    """What there is to tell, found out without what was told before."""
    unknown = UnknownTerms(dictionary).unused(stated, namespaces)
    return [*unsupported(stated, dictionary, namespaces), *unknown]


def changed(r: random.Random, triples: list[Triple]) -> tuple[list[Triple], list[Triple]]:
    """Triples that go and that come; of one axiom a part, now and then a whole one."""
    gone = r.sample(triples, min(len(triples), r.choice((0, 1, 1, 1, 10))))
    new = axiom(r) if r.random() < 0.3 else [triple(r) for _ in range(r.choice((0, 1, 1, 4)))]
    triples[:] = {**dict.fromkeys(t for t in triples if t not in gone), **dict.fromkeys(new)}
    return gone, new


def check(expected: Expected, seed: int) -> None:
    for told, lines in expected:
        assert list(told()) == lines, seed


def check_axioms(seed: int) -> None:
    r = random.Random(seed)
    facts, expected = Facts(r), Expected()
    for _ in range(r.randrange(3, 60)):
        facts.change()
        expected.append(facts.report())
        if r.random() < 0.7:
            check(expected[-1:], seed)
        elif r.random() < 0.2:
            check([r.choice(expected)], seed)
    r.shuffle(expected)
    check(expected, seed)


def test_the_kept_coverage_is_that_of_a_fresh_look(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or SLICE
    for seed in range(start, start + count):
        check_axioms(seed)


def anew(kb: KnowledgeBase) -> list[str]:
    return untold(kb._stated(), kb.dictionary, kb.namespaces)


def test_reports_tell_of_the_facts_after_their_loads() -> None:
    for seed in range(6):
        r = random.Random(seed)
        kb, triples, expected = KnowledgeBase(), list[Triple](), []
        for _ in range(12):
            gone, new = changed(r, triples)
            kb.update(delete=gone, insert=new)
            report = kb.load(b"", format="nt")
            if r.random() < 0.2:
                report = pickle.loads(pickle.dumps(report))
            expected.append((report, anew(kb)))
            if r.random() < 0.2:
                kb = kb.copy()
        r.shuffle(expected)
        for report, lines in expected:
            assert list(report.axioms) == lines


def test_reports_are_told_while_others_change_the_facts() -> None:
    facts, expected = Facts(random.Random(1)), Expected()
    with ThreadPoolExecutor(4) as threads:
        waiting = []
        for _ in range(100):
            facts.change()
            expected.append(facts.report())
            some = [facts.r.choice(expected) for _ in range(3)]
            waiting += [threads.submit(check, [each], 1) for each in some]
        for each in waiting:
            each.result()
    check(expected, 1)


def some(node: str, of: str) -> str:
    """A ⊑ ∃p.B, by halves."""
    return (
        f"<{EXAMPLE}{node}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> _:{node} . "
        f"_:{node} <http://www.w3.org/2002/07/owl#onProperty> <{EXAMPLE}p> . "
        f"_:{node} <http://www.w3.org/2002/07/owl#someValuesFrom> <{EXAMPLE}{of}> . "
    )


def test_an_axiom_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    class Counting:
        def __init__(self, survey: told_axioms.Survey) -> None:
            self._survey = survey

        def __getattr__(self, name: str) -> object:
            return getattr(self._survey, name)

        def findings(self, *arguments: object) -> object:
            if not isinstance(self._survey, Predicates):
                told.append(1)
            return self._survey.findings(*arguments)

    monkeypatch.setattr(told_axioms, "SURVEYS", tuple(map(Counting, told_axioms.SURVEYS)))
    kb = KnowledgeBase()
    first = kb.load("".join(some(f"C{i}", "B") for i in range(200)).encode(), format="turtle")
    assert len(first.axioms) == len(first.axioms) == 200
    many, _ = len(told), told.clear()
    second = kb.load(some("D", "B").encode(), format="turtle")
    assert told == [] and len(second.axioms) == 201
    assert 0 < len(told) <= many / 100
    told.clear()
    kb.load(f"<{EXAMPLE}C1> a <{EXAMPLE}Label> .".encode(), format="turtle").axioms  # noqa: B018
    assert told == []


def test_a_report_that_is_interrupted_can_be_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kb = KnowledgeBase()
    first = kb.load(some("A", "B").encode(), format="turtle")
    assert len(first.axioms) == 1
    report = kb.load("".join(some(f"C{i}", "B") for i in range(5)).encode(), format="turtle")
    expected = anew(kb)
    for number in range(5):
        calls = iter(range(number))
        original = told_axioms.NamedTriples.expressions

        def interrupted(self: told_axioms.NamedTriples, node: int) -> object:
            if next(calls, None) is None:  # noqa: B023
                raise KeyboardInterrupt
            return original(self, node)  # noqa: B023

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(told_axioms.NamedTriples, "expressions", interrupted)
            report.axioms  # noqa: B018
    assert list(report.axioms) == expected and len(expected) == 6
    kb.update(delete=list(kb.explicit))
    assert kb.load(b"", format="nt").axioms == ()
