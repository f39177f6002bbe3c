"""Why a fact is not there, as users see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rdfinc.datalog.canonical_rules import canonical, labelling
from rdfinc.datalog.clause import Pattern
from rdfinc.datalog.model import Bind, Filter, Rule, Var
from rdfinc.datalog.printing import item_text
from rdfinc.datalog.transform.core_rules import core_rules
from rdfinc.datalog.transform.rule_families import instantiate, lift
from rdfinc.datalog.variables import rename_item, rule_variables, standardised_apart
from rdfinc.knowledge_base.explanations.notebook import indented
from rdfinc.knowledge_base.explanations.proofs import Proof, in_words
from rdfinc.knowledge_base.explanations.rendering import Telling
from rdfinc.knowledge_base.explanations.wording import Wording
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.updates.engine import Engine
from rdfinc.reasoning.explanation.explain import shortest_proof
from rdfinc.reasoning.explanation.near_misses import Near, nearest
from rdfinc.reasoning.explanation.rule_instances import Fact


@dataclass(frozen=True, slots=True)
class NearInstance:
    """An instance of `rule` with gaps: `present` and `missing` facts of its body, present facts
    `denied` by it, and the texts of `failing` conditions. In missing facts a `Var` stands for any
    term, the same wherever it occurs. `text` says all this."""

    rule: str
    present: tuple[tuple[Any, Any, Any], ...]
    missing: tuple[tuple[Any, Any, Any], ...]
    denied: tuple[tuple[Any, Any, Any], ...]
    failing: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The nearest `instances` of rules that could derive a missing fact, those with the fewest
    gaps first. For a fact that is there, its `proof` instead. `hints` tell of names in it that are
    right but for capitals."""

    fact: tuple[Any, Any, Any]
    proof: Proof | None
    instances: tuple[NearInstance, ...]
    text: str
    hints: tuple[str, ...] = ()

    def __repr__(self) -> str:
        found = "is there" if self.proof else "is not stated, and does not follow"
        return f"<WhyNot: {self.text} {found}; print() shows why>"

    def __str__(self) -> str:
        if self.proof is not None:
            return f"{self.text}   is there:\n{self.proof}"
        if not self.instances:
            told = f"{self.text}   is not stated, and does not follow: no rule comes near to it"
        else:
            told = f"{self.text}   is not stated, and does not follow"
        near = (f"  {line}" for each in self.instances for line in each.text.splitlines())
        return "\n".join([told, *(f"  {hint}" for hint in self.hints), *near])

    def _repr_html_(self) -> str:
        return indented(str(self))


class Teller:
    """Tells why facts are not there, at one moment."""

    def __init__(self, telling: Telling, engine: Engine, wording: Wording) -> None:
        self._telling, self._engine, self._wording = telling, engine, wording
        self._support = engine.support()
        self._seen: set[Fact] = set()

    def why_not(self, fact: Fact, hints: tuple[str, ...] = ()) -> WhyNot:
        """Its proof, or what it lacks."""
        triple, text = self._telling.triple(fact), self._telling.text(fact, self._wording)
        if self._support.closure.has(*fact):
            proof = self._telling.proof(self._engine, fact, self._wording)
            return WhyNot(triple, proof, (), text)
        return WhyNot(triple, None, tuple(self._near(fact, frozenset())), text, hints)

    def _near(self, fact: Fact, above: frozenset[Fact]) -> Iterator[NearInstance]:
        """The instances with gaps, without those that lack one of the facts `above`."""
        self._seen.add(fact)
        found = nearest(fact, self._engine.rules.compiled.clauses, self._support.closure)
        others = (near for near in found if above.isdisjoint(_lacked(near)))
        return (
            self._told(near, above | {fact}) for near in islice(others, KNOWLEDGE.told_instances)
        )

    def _told(self, near: Near, above: frozenset[Fact]) -> NearInstance:
        clause, rows = near.clause, self._rows(near)
        names = self._names(rows)
        read = self._through(near)
        present = [(atom, each) for each in read for atom in _visible(each, each.present)]
        missing = [(atom, each) for each in read for atom in _visible(each, each.missing)]
        denied = [(clause.negative[i], near) for i in near.denied]
        denied = [(atom, each) for atom, each in denied if not near.is_auxiliary(atom)]
        after = [ground for each in read[1:] for ground in self._parts_after(each)]
        failing = tuple(self._failing(near, names))
        rule, meaning = self._telling.named(self._engine, clause.rule, rows, self._wording)
        lines = [
            f"by {in_words(rule, meaning)}",
            *(f"  {self._text(atom, each, names)}   is there" for atom, each in present),
            *(f"  {ground.text}   is there" for ground in after),
            *(line for atom, each in missing for line in self._lacking(atom, each, names, above)),
            *(f"  {self._text(atom, each, names)}   must not be there" for atom, each in denied),
            *(f"  {text}" for text in failing),
        ]
        there, lacking, excluded = (
            tuple(self._triple(atom, each, names) for atom, each in atoms)
            for atoms in (present, missing, denied)
        )
        there += tuple(ground.fact for ground in after)
        return NearInstance(rule, there, lacking, excluded, failing, "\n".join(lines))

    def _through(self, near: Near) -> list[Near]:
        """The instance, and those of the parts of a long list that it lacks, from the first on."""
        clauses, read, seen = self._engine.rules.compiled.clauses, [near], set[Fact]()
        while True:
            lacked = (fact for fact in _lacked(read[-1]) if self._telling.is_part(fact[1]))
            part = next(lacked, None)
            found = part and part not in seen and nearest(part, clauses, self._support.closure)
            if not part or not found:
                return read
            seen.add(part)
            read.append(found[0])

    def _parts_after(self, near: Near) -> Iterator[Proof]:
        """What the part of a long list after a gap follows from."""
        for i in near.present:
            fact = _fact(near.clause.body[i], near)
            if self._telling.is_part(fact[1]):
                proved = shortest_proof(fact, self._support)
                assert proved is not None
                yield from self._telling.grounds(self._engine, proved, self._wording)

    def _lacking(
        self, atom: Pattern, near: Near, names: Mapping[Var, Var], above: frozenset[Fact]
    ) -> Iterator[str]:
        """A missing atom; for a class expression without a name, the gaps of its own nearest
        instance."""
        fact = _fact(atom, near)
        seen = fact in self._seen
        yield f"  {self._text(atom, near, names)}   is missing{', as above' if seen else ''}"
        if min(fact) > 0 and self._telling.is_blank(fact[2]) and not seen:
            for each in self._near(fact, above):
                yield from (f"    {line}" for line in each.text.splitlines())

    def _rows(self, near: Near) -> list[int]:
        """The auxiliary nodes that may stand for the rule."""
        present = (near.clause.body[i] for i in near.present)
        return [near.values.get(a.s, a.s) for a in present if near.is_auxiliary(a)]

    def _names(self, rows: list[int]) -> dict[Var, Var]:
        """The names that variables of a template have in the user's rule."""
        rule = next(filter(None, map(self._engine.rules.rule_of, rows)), None)
        if rule is None:
            return {}
        form = canonical(rule)
        core, *_ = core_rules(form)
        written = _renaming(form, rule)
        within = _renaming(instantiate(*lift(core)), core)
        return {variable: written.get(name, name) for variable, name in within.items()}

    def _triple(self, atom: Pattern, near: Near, names: Mapping[Var, Var]) -> tuple[Any, Any, Any]:
        s, p, o = (self._term(id, near, names) for id in _fact(atom, near))
        return s, p, o

    def _term(self, id: int, near: Near, names: Mapping[Var, Var]) -> Any:
        return self._telling.term(id) if id > 0 else self._name(id, near, names)

    def _name(self, variable: int, near: Near, names: Mapping[Var, Var]) -> Var:
        own = near.clause.variables[~variable]
        return names.get(own, own)

    def _text(self, atom: Pattern, near: Near, names: Mapping[Var, Var]) -> str:
        return " ".join(
            self._wording.of(id) if id > 0 else str(self._name(id, near, names))
            for id in _fact(atom, near)
        )

    # -- what else does not hold

    def _failing(self, near: Near, names: Mapping[Var, Var]) -> Iterator[str]:
        clause = near.clause

        def names_of(variable: Var) -> Var:
            return names.get(variable, variable)

        for i in near.missing:
            atom = clause.body[i]
            if near.is_auxiliary(atom) and not self._telling.is_part(_fact(atom, near)[1]):
                yield self._group(atom, near)
        for i in near.denied:
            if near.is_auxiliary(clause.negative[i]):
                yield self._excluded(clause.negative[i], near)
        items: list[Filter | Bind] = [*clause.rule.filters(), *clause.rule.binds()]
        for i in near.failing:
            if i < len(items):
                text = item_text(rename_item(items[i], names_of), self._wording)
                used = dict.fromkeys(clause.computations[i].inputs)
                known = (
                    f"{self._name(~v, near, names)} = {self._wording.of(near.values[~v])}"
                    for v in used
                )
                yield f"{text}   does not hold for {', '.join(known)}"
            else:
                yield "a SKOLEM of the rule gives something else"

    def _group(self, atom: Pattern, near: Near) -> str:
        """The value of an aggregate or a built-in, for the auxiliary atom that stands for it."""
        s, p, _ = _fact(atom, near)
        if self._telling.is_about_lists(p):
            return "a built-in over lists of the rule finds nothing"
        found = self._support.closure.table(p).objects(s) if s > 0 else []
        if not found:
            return "an AGGREGATE of the rule finds nothing"
        given = ", ".join(map(self._wording.of, found))
        return f"an AGGREGATE of the rule gives {given}"

    def _excluded(self, atom: Pattern, near: Near) -> str:
        """The facts that are there though a NOT EXISTS excludes them."""
        proved = shortest_proof(_fact(atom, near), self._support)
        assert proved is not None
        grounds = self._telling.grounds(self._engine, proved, self._wording)
        found = ", ".join(ground.text for ground in grounds)
        return f"NOT EXISTS does not hold: {found}   is there"


def _fact(atom: Pattern, near: Near) -> Fact:
    """The atom with what is known; variables without value stay."""
    s, p, o = (near.values.get(term, term) for term in (atom.s, atom.p, atom.o))
    return s, p, o


def _visible(near: Near, places: Iterable[int]) -> Iterator[Pattern]:
    atoms = (near.clause.body[i] for i in sorted(places))
    return (atom for atom in atoms if not near.is_auxiliary(atom))


def _lacked(near: Near) -> Iterator[Fact]:
    return (_fact(near.clause.body[i], near) for i in near.missing)


def _renaming(rule: Rule, other: Rule) -> dict[Var, Var]:
    """The variables of a rule as an equal one calls them."""
    one, two = (
        labelling(each, dict.fromkeys(rule_variables(each), ""))
        for each in (standardised_apart(rule.unnamed()), standardised_apart(other.unnamed()))
    )
    return dict(zip(one, two, strict=True))
