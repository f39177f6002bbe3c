"""From ids to what users read: terms, proofs, violations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import permutations, repeat
from typing import TYPE_CHECKING, Any

from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.model import Rule
from rdfinc.datalog.printing import rule_text
from rdfinc.errors import TermError
from rdfinc.knowledge_base.explanations.contradictions import clash_of, values_of
from rdfinc.knowledge_base.explanations.proofs import Proof, Violation, in_words
from rdfinc.knowledge_base.explanations.wording import Wording
from rdfinc.knowledge_base.updates.engine import Engine
from rdfinc.reasoning.explanation.explain import ProofStep, ShortProof, Way, shortest_proof
from rdfinc.reasoning.explanation.k_best_proofs import all_proofs
from rdfinc.reasoning.explanation.rule_instances import Fact
from rdfinc.tables.table import Table
from rdfinc.terms.builtins.value_arrays import ValueArrays
from rdfinc.terms.dictionary import AUXILIARY, BLANK, Dictionary, Ids
from rdfinc.terms.io.convert import pattern_key
from rdfinc.terms.whole_imports import WHOLE

if TYPE_CHECKING:
    from rdfinc.terms.rdflib_terms import Decoder, NodeIds


class Telling:
    """Tells about the facts of one dictionary; rdflib is imported at the first term."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self.values = ValueArrays(dictionary.decode_many)

    @cached_property
    def decoder(self) -> Decoder:
        """The terms that were told so far."""
        with WHOLE:
            from rdfinc.terms.rdflib_terms import Decoder

        return Decoder(self._dictionary)

    @cached_property
    def node_ids(self) -> NodeIds:
        """The ids of IRIs and blank nodes that were asked for lately."""
        with WHOLE:
            from rdfinc.terms.rdflib_terms import NodeIds

        return NodeIds(self._dictionary)

    def forget(self, freed: Ids) -> None:
        """Forgets ids that stand for no term any more."""
        if "node_ids" in vars(self):
            self.node_ids.clear()
        if "decoder" in vars(self):
            for id in freed.tolist():
                self.decoder.pop(id, None)
        self.values.forget(freed)

    def term(self, id: int) -> Any:
        """The rdflib term, the same object for the same id."""
        return self.decoder[id]

    def pattern(self, pattern: Sequence[Any]) -> tuple[int | None, int | None, int | None] | None:
        """The ids of a pattern, or None if one of its terms is unknown."""
        if not isinstance(pattern, Sequence) or len(pattern) != 3:
            raise TermError(f"a pattern is (s, p, o) with None for anything, not {pattern!r}")
        keys = [pattern_key(term) for term in pattern]
        ids = [None if key is None else self._dictionary.find(key) for key in keys]
        if any(id is None and key is not None for id, key in zip(ids, keys, strict=True)):
            return None
        return ids[0], ids[1], ids[2]

    def triple(self, fact: Fact) -> tuple[Any, Any, Any]:
        s, p, o = fact
        return self.term(s), self.term(p), self.term(o)

    def text(self, fact: Fact, wording: Wording) -> str:
        return " ".join(map(wording.of, fact))

    # -- proofs

    def proof(self, engine: Engine, fact: Fact, wording: Wording) -> Proof:
        """A shortest proof of a fact of the closure."""
        found = shortest_proof(fact, engine.support())
        assert found is not None
        return self.told(engine, found.tree(), wording)

    def proofs(self, engine: Engine, fact: Fact, wording: Wording) -> Iterator[Proof]:
        """All proofs that differ in what they show, fewer steps first."""
        found, lease = all_proofs(fact, engine.support()), repeat(self._dictionary.lease)
        proofs = zip(found, lease, strict=False)
        told = (self.told(engine, proved.tree(), wording) for proved, _ in proofs)
        return _once(told)

    def grounds(self, engine: Engine, proved: ShortProof, wording: Wording) -> tuple[Proof, ...]:
        """The premises of an auxiliary fact."""
        premises = self._premises(engine, proved.tree())
        return tuple(self.told(engine, premise, wording) for premise in premises)

    def told(
        self,
        engine: Engine,
        root: ProofStep,
        wording: Wording,
        explicit: Mapping[int, Table] | None = None,
    ) -> Proof:
        """The proof tree for people: auxiliary premises (lists, parameter rows) are left out. It
        rests on what is stated now, or else on what was stated."""
        told: dict[int, Proof] = {}
        shown: dict[int, list[ProofStep]] = {}
        stack = [root]
        while stack:
            step = stack[-1]
            if id(step) in told:
                stack.pop()
                continue
            if id(step) not in shown:
                shown[id(step)] = list(self._premises(engine, step, explicit))
            premises = shown[id(step)]
            missing = [p for p in premises if id(p) not in told]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            rule, meaning = self._rule(engine, step, wording) if step.instance else ("", "")
            told[id(step)] = Proof(
                self.triple(step.fact),
                rule,
                tuple(told[id(p)] for p in premises),
                self.text(step.fact, wording),
                tuple(self.text(fact, wording) for fact in self.absent(step.instance)),
                meaning,
            )
        return told[id(root)]

    def _premises(
        self, engine: Engine, step: ProofStep, explicit: Mapping[int, Table] | None = None
    ) -> Iterator[ProofStep]:
        """The premises to be shown: for the value of a group those that it was computed from, for
        the ends of a path all its edges. What several auxiliary facts follow from comes once."""
        tables, ends = _path(step)
        stack = [(premise, False) for premise in (*ends[::-1], *tables[::-1])]
        seen: set[Fact] = set()
        while stack:
            premise, indirect = stack.pop()
            if indirect and premise.fact in seen:
                continue
            seen.add(premise.fact)
            if not self.is_visible(premise.fact):
                below = premise.premises or _stated(engine.grounds(premise.fact, explicit))
                stack += [(each, True) for each in below[::-1]]
            elif ends and _goes_on(step, tables, premise):
                stack += [(each, indirect) for each in _path(premise)[1][::-1]]
            else:
                yield premise

    def absent(self, way: Way) -> Iterator[Fact]:
        """The facts whose absence a step needs, other than auxiliary ones."""
        if way is None:
            return
        negative = way.clause.negative if way.clause.fold is None else ()
        value_of = way.values() if negative else {}
        for pattern in negative:
            s, p, o = (value_of.get(t, t) for t in (pattern.s, pattern.p, pattern.o))
            if self.is_visible((s, p, o)):
                yield s, p, o

    def is_blank(self, id: int) -> bool:
        return self._dictionary.kind(id) == BLANK

    def is_about_lists(self, relation: int) -> bool:
        """Whether built-ins over lists read this auxiliary relation."""
        return self._dictionary.decode(relation).startswith(b"!swrlb.")

    def is_part(self, relation: int) -> bool:
        """Whether a relation is a part of a long list."""
        return relation > 0 and self._dictionary.row_values(relation) is not None

    def is_visible(self, fact: Fact) -> bool:
        """Whether a fact is none of an auxiliary relation."""
        return self._dictionary.kind(fact[1]) != AUXILIARY

    def _rule(self, engine: Engine, step: ProofStep, wording: Wording) -> tuple[str, str]:
        """The rule of a step: its name, or else its text, and its meaning."""
        assert step.instance is not None
        rows = [fact[0] for fact in step.instance.body if not self.is_visible(fact)]
        return self.named(engine, step.instance.clause.rule, rows, wording)

    def named(
        self, engine: Engine, rule: Rule, rows: Sequence[int], wording: Wording
    ) -> tuple[str, str]:
        """A rule by name, and its meaning; for one without a name the user's rule that one of the
        rows stands for."""
        if rule.name:
            return rule.name, rule.meaning
        meant = self._rule_among(engine, rows)
        return self.written(engine, rows, wording), "" if meant is None else meant.meaning

    def written(self, engine: Engine, rows: Sequence[int], wording: Wording) -> str:
        """The user's rule that one of the rows stands for, by name or as text."""
        rule = self._rule_among(engine, rows)
        return "rule" if rule is None else rule.name or f"rule {rule_text(rule, wording)}"

    def _rule_among(self, engine: Engine, rows: Sequence[int]) -> Rule | None:
        return next((rule for row in rows if (rule := engine.rules.rule_of(row))), None)

    # -- violations

    def violation_proofs(
        self, engine: Engine, violation: Violation, wording: Wording
    ) -> tuple[Proof, ...] | None:
        """Shortest proofs of what clashes, None if it no longer does."""
        relation, closure = engine.violation, engine.version.closure
        instances = [
            (violation.instance, relation, rule)
            for rule in closure.get(relation).objects(violation.instance)
        ]
        for fact, told in zip(instances, self.violations(engine, instances, wording), strict=True):
            if (told.rule, told.facts) == (violation.rule, violation.facts):
                found = shortest_proof(fact, engine.support())
                assert found is not None
                return self.grounds(engine, found, wording)
        return None

    def violations(
        self, engine: Engine, instances: Iterable[Fact], wording: Wording
    ) -> list[Violation]:
        """The contradictions that the auxiliary facts (instance, violation, rule) stand for."""
        clauses, dictionary = engine.rules.contradictions(), self._dictionary
        clashes: dict[int, list[Pattern]] = {}
        found = []
        for instance, _, rule in instances:
            if rule not in clashes:
                clashes[rule] = clash_of(dictionary, clauses[rule])
            clash = clauses[rule], clashes[rule]
            found.append(self._violation(engine, clash, instance, wording))
        return found

    def _violation(
        self,
        engine: Engine,
        clash: tuple[Clause, Sequence[Pattern]],
        instance: int,
        wording: Wording,
    ) -> Violation:
        clause, patterns = clash
        value_of = values_of(self._dictionary, clause, instance)

        def ground(pattern: Pattern) -> Fact:
            s, p, o = (t if t > 0 else value_of[~t] for t in (pattern.s, pattern.p, pattern.o))
            return s, p, o

        body = [ground(pattern) for pattern in patterns]
        shown = [fact for fact in body if self.is_visible(fact)]
        auxiliary = [fact[0] for fact in body if not self.is_visible(fact)]
        rule, meaning = self.named(engine, clause.rule, auxiliary, wording)
        told = rule if clause.rule.name else in_words(rule, meaning)
        told_facts = ", ".join(f"[{self.text(fact, wording)}]" for fact in shown)
        facts, lease = tuple(map(self.triple, shown)), self._dictionary.lease
        return Violation(rule, facts, f"{told}: {told_facts}", meaning, instance, lease)


def _stated(facts: Iterable[Fact]) -> tuple[ProofStep, ...]:
    return tuple(ProofStep(fact, None, ()) for fact in facts)


def _path(step: ProofStep) -> tuple[tuple[ProofStep, ...], tuple[ProofStep, ...]]:
    """The other premises, and those two that lead from subject to object by the same relation,
    if there are such."""
    s, p, o = step.fact
    steps = [premise for premise in step.premises if premise.fact[1] == p]
    for first, rest in permutations(steps, 2):
        if (first.fact[0], rest.fact[2]) == (s, o) and first.fact[2] == rest.fact[0]:
            others = (each for each in step.premises if each is not first and each is not rest)
            return tuple(others), (first, rest)
    return step.premises, ()


def _goes_on(step: ProofStep, tables: Sequence[ProofStep], premise: ProofStep) -> bool:
    """Whether a premise is a part of the same path, by the same rule."""
    if premise.instance is None or step.instance is None or premise.fact[1] != step.fact[1]:
        return False
    others, ends = _path(premise)
    if not ends or premise.instance.clause.rule != step.instance.clause.rule:
        return False
    return [each.fact for each in others] == [each.fact for each in tables]


def _once(proofs: Iterable[Proof]) -> Iterator[Proof]:
    """The items with different texts, each once."""
    read: set[str] = set()
    for proof in proofs:
        text = str(proof)
        if text not in read:
            read.add(text)
            yield proof
