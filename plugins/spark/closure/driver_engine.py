"""The engine in the driver of a closure on Spark: the compiled rules, and the facts of parameters.

Facts of parameters say which relations rules are about (`datalog.clause.parameters`). They are few.
The engine evaluates the rules that read nothing else; for all other rules it joins the parameters
beforehand, to a table of values of some variables.

Terms have two numbers: one in the dictionary of the driver, which holds few terms, and one in the
dictionary of the data. There an auxiliary term has the number of its name, below zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import ClosureKind, Member, Module, Modules
from rdfinc.datalog.clause import Clause, Computation, Ids, Pattern
from rdfinc.datalog.compile.planning import parameter_join, positive
from rdfinc.datalog.compile.relation_hypergraph import Cycle
from rdfinc.datalog.model import Bind, Filter, Row, Rule, Skolem
from rdfinc.errors import UnsupportedError
from rdfinc.knowledge_base.updates.engine import Engine, unheard
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.owl.swrl.swrl_changes import SwrlVocabulary
from rdfinc.owl.vocabulary import Vocabulary
from rdfinc.reasoning.evaluation.run import run
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.maintain import STRATEGIES, maintain
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.compiled_program import Compiled
from rdfinc.reasoning.program.parameter_tables import first_of_table
from rdfinc.reasoning.program.plans import planned
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.facts import Batch, FactSet, batch_of, triples
from rdfinc.tables.plain_table import Plain
from rdfinc.terms.dictionary import AUXILIARY, Dictionary

Fact = tuple[int, int, int]

_HIDDEN_FROM = 1 << 40
"""Auxiliary terms have numbers from minus twice this on, auxiliary rows greater ones."""


def hidden_number(key: bytes) -> int:
    """The number of an auxiliary term, the same wherever it is asked for."""
    return -_HIDDEN_FROM - int.from_bytes(blake2b(key, digest_size=5).digest(), "big")


class DriverEngine:
    """`number` gives the data's number of one of the driver's, and `of_data` the other way round;
    all else is in the driver's."""

    def __init__(self, profile: str, rules: Iterable[Rule]) -> None:
        self.terms = Dictionary()
        self._engine = Engine(self.terms, profile, "bf", "plain", Plain, closed, axiomatic=False)
        self._engine.apply(Change(rules_added=self._engine.rules.new(rules)), unheard)
        self.of_data: dict[int, int] = {}
        self.number: dict[int, int] = {}
        self.facts = FactSet()
        self._lists = Vocabulary.of(self.terms) if profile == "owl2rl" else None
        self._swrl = SwrlVocabulary.of(self.terms) if profile == "owl2rl" else None
        self.value = self.terms.auxiliary("literal.value")
        self.property = self.terms.auxiliary("property.stated")
        self.few = self.terms.auxiliary("names.few")
        self.container = self.terms.auxiliary("container")
        self.has_equality, self.has_containers = profile == "owl2rl", profile == "rdfs"
        self._not_held = {self.value, self.few, self.terms.auxiliary("literal.ill")}
        self._compile()

    def _compile(self) -> None:
        self._engine.rules.wake_all()
        compiled = self._engine.rules.compiled
        plans = [planned(c) for c in compiled.clauses if c.rule.head is not None]
        self._signature = replace(compiled.signature, external=self._external)
        self.compiled = Compiled(plans, self._signature)
        self.type = compiled.signature.type

    def _external(self, relation: int) -> int:
        return self.terms.auxiliary(f"external {relation}")

    # -- the facts

    def asked(self) -> tuple[set[int], set[int]]:
        """The predicates, and classes, whose explicit facts are needed."""
        predicates, classes = self.axioms()
        schema = self.compiled.schema
        seen = {p for p in schema.predicates if not self.is_auxiliary(p)} - {self.type}
        return predicates | seen, classes | schema.classes

    def axioms(self) -> tuple[set[int], set[int]]:
        """The predicates, and classes, of facts that lists and SWRL rules are read from."""
        lists, swrl = self._lists, self._swrl
        if lists is None or swrl is None:
            return set(), set()
        predicates = {lists.first, lists.rest, *lists.list_bearing, *swrl.read} - {self.type}
        return predicates, set(swrl.classes)

    @property
    def of_literals(self) -> tuple[int, ...]:
        """The data's numbers of the relations that tell of literals, and of containers: values, the
        properties that are stated, whether few literals have names, and which rdf:_n are used."""
        relations = (self.value, self.property, self.few, self.container)
        return tuple(hidden_number(self.terms.decode(relation)) for relation in relations)

    def is_auxiliary(self, id: int) -> bool:
        return self.terms.kind(id) == AUXILIARY

    def state(self, facts: Iterable[Fact]) -> None:
        """Takes explicit facts. What lists and rules among them mean is known then."""
        self._engine.apply(Change(insert={0: batch_of(facts)}), unheard)
        self._compile()

    def hold(self, large: set[int]) -> list[Fact]:
        """Holds the relations that it can, not the `large` ones; returns the stated facts and all
        that follow."""
        if large and self.compiled.negates:
            names = ", ".join(self.terms.decode(p).decode() for p in sorted(large))
            raise UnsupportedError(f"on Spark: NOT or AGGREGATE beside so many facts of {names}")
        self.facts = FactSet()
        explicit = self._engine.version.explicit
        auxiliary = {p for p in explicit.tables if self.is_auxiliary(p)} - self._not_held
        schema = self.compiled.schema
        self.predicates = (schema.predicates | auxiliary) - {self.type, *large}
        self.classes = schema.classes
        local = filter(self.is_local, self.compiled.clauses)
        self._strata = self.single(local)
        return self.feed(filter(self.holds, self.stated()))

    def stated(self) -> Iterable[Fact]:
        """The explicit facts, auxiliary ones included."""
        return triples(self._engine.version.explicit.batch())

    def is_local(self, clause: Clause) -> bool:
        """Whether the driver evaluates a clause."""
        if (
            not clause.body
            or clause.fold
            or clause.negative
            or any(c.output is not None for c in clause.computations)
        ):
            return False
        return all(map(self.holds_all, clause.body))

    def holds(self, fact: Fact) -> bool:
        _, p, o = fact
        return p in self.predicates or (p == self.type and o in self.classes)

    def holds_any(self, facts: Batch) -> bool:
        """Whether one of some facts is held."""
        return any(map(self.holds, triples({p: facts[p] for p in facts if self._may_hold(p)})))

    def _may_hold(self, predicate: int) -> bool:
        return predicate in self.predicates or predicate == self.type

    def holds_all(self, literal: Pattern) -> bool:
        """Whether all facts that a literal can be are held."""
        return self.holds((literal.s, literal.p, literal.o))

    def data_literals(self, clause: Clause) -> list[int]:
        """The places of a body's literals whose facts are data, for they are not all held."""
        return [i for i, at in enumerate(clause.body) if not self.holds_all(at)]

    def feed(self, facts: Iterable[Fact]) -> list[Fact]:
        """Takes facts of the closure; returns the unknown ones and all unknown facts that follow
        here."""
        new = self.facts.missing(batch_of(facts))
        if not new:
            return []
        explicit = State(self.facts.tables, (), FactSet.of(new))
        update = Update(self.facts.tables, explicit, Plain, closed)
        maintain(update, StrataPlans(self._strata), STRATEGIES["bf"], {}, new)
        added: Batch = update.added.batch()
        self.facts.adopt(update.added, added)
        return list(triples(added))

    # -- the rules

    def single(self, clauses: Iterable[Clause]) -> Strata:
        """One stratum of some clauses."""
        return Compiled(map(planned, clauses), self._signature).single()

    def strata(self, known: Iterable[Fact], *, modules: bool) -> Strata:
        """The strata, as far as what is held and `known` tells; `modules` are closures."""

        def wanted(module: Module, sources: tuple[Member, ...]) -> bool:
            kind = None if module.parts or not modules else self.kind(module)
            return kind is not None and kind.transitive and kind.diagonal

        more = FactSet.of(self.facts.missing(batch_of(known)))
        state = State(self.facts.tables, (), more)
        try:
            return self.compiled.make_strata(state, wanted, Modules())
        except Cycle:
            raise UnsupportedError(
                "on Spark: rules that may be in a cycle with their own negation; use a "
                "KnowledgeBase, which says which"
            ) from None

    def kind(self, module: Module) -> ClosureKind | None:
        return self.compiled.kind(module, State(self.facts.tables))

    def rows(self, clause: Clause) -> tuple[tuple[int, ...], set[Ids]]:
        """The variables of a clause with values in held relations, and a row for each combination
        of values; for a clause without such variables one empty row, or none."""
        state = State(self.facts.tables)
        chosen = frozenset(i for i, at in enumerate(clause.body) if self.holds_all(at))
        if not chosen:
            return (), {()}
        asked = replace(positive(clause), parameters=chosen)
        variables = tuple({v: None for i in sorted(chosen) for v in clause.body[i].variables()})
        keys = np.asarray(first_of_table(asked, state), np.uint64)
        plan, predicate = parameter_join(asked), clause.body[min(chosen)].p
        rows: set[Ids] = set()
        for block in run(plan, predicate, keys, (state, state)):
            rows.update(block.values(variables))
        for test in clause.computations[len(items(clause)) :]:
            rows = self._passing(test, variables, rows)
        return variables, rows

    def _passing(self, test: Computation, variables: tuple[int, ...], rows: set[Ids]) -> set[Ids]:
        """The rows that pass a test of strata. A test that reads a relation not held lets all pass:
        the rule then works in several strata, rightly, as no relation has to be complete."""
        if not set(test.inputs) <= set(variables):
            assert not self.compiled.negates, "all that tells is held"
            return rows
        places = [variables.index(variable) for variable in test.inputs]
        ordered = list(rows)
        found = test.values([tuple(row[place] for place in places) for row in ordered])
        return {row for row, holds in zip(ordered, found, strict=True) if holds is not None}


def items(clause: Clause) -> list[Filter | Bind | Row | Skolem]:
    """The first computations of a clause, in their order."""
    made = [item for item in clause.rule.body if isinstance(item, Row | Skolem)]
    return [*clause.rule.filters(), *clause.rule.binds(), *made] if clause.computations else []
