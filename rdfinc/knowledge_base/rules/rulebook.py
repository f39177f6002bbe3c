"""The rules in force: the profile's, one for each list length in use, SWRL's and the user's.

Every rule of a user is taken apart into core rules (see `core_rules`). A core rule is a row of its
family's parameter table (see `rule_families`) while some rule needs it; an OWL axiom is the schema
triples that state it. So a change of rules is a change of facts. Beside it, only clauses are added,
for shapes and list lengths met for the first time, and these have no instance yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import Any

from rdfinc.datalog.analysis.safety import check, check_program, computes
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.clause import VALUE, Clause, compile_rule
from rdfinc.datalog.model import RDF_TYPE, Program, Rule
from rdfinc.datalog.transform.core_rules import core_rules
from rdfinc.datalog.transform.rule_families import lift_canonical, parameter
from rdfinc.errors import UnknownRuleError, UnstratifiableError
from rdfinc.knowledge_base.process.collector import without_collector
from rdfinc.knowledge_base.rules.gains import Gains, Tables
from rdfinc.knowledge_base.rules.sleeping import Sleeping
from rdfinc.knowledge_base.rules.term_encoding import TermEncoder
from rdfinc.owl.list_axioms import Form
from rdfinc.owl.profiles.asked_literals import givers, gives_literals, readers
from rdfinc.owl.profiles.profile_rules import (
    asleep,
    axiomatic_rules,
    datatype_rules,
    fixed_rules,
    list_rules,
    sleeping_list_rules,
    sleeping_rules,
)
from rdfinc.owl.swrl.swrl_changes import SwrlChanges
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.compiled_program import Compiled
from rdfinc.reasoning.program.plans import Plans, planned
from rdfinc.reasoning.program.signature import Signature
from rdfinc.tables.facts import Batch, batch_of
from rdfinc.tables.kernels import Mask
from rdfinc.terms.dictionary import Dictionary, Ids

Forms = Mapping[Rule, Rule]
"""Rules by canonical form."""

PROFILES = ("none", "rdfs", "owl2rl")


class RuleBook:
    """The clauses of one knowledge base, and the user's rules among them in their order.

    `_known` are the list lengths and templates whose rules were put to sleep.
    """

    def __init__(self, dictionary: Dictionary, profile: str, *, axiomatic: bool) -> None:
        self._dictionary, self._profile, self._axiomatic = dictionary, profile, axiomatic
        self._encoder = TermEncoder(dictionary)
        rules = (*fixed_rules(profile), *(axiomatic_rules(profile) if axiomatic else ()))
        self._templates: dict[Rule, Plans | None] = dict.fromkeys(rules)
        self._written: dict[Rule, Rule] = {}
        self._stated: Counter[Rule] = Counter()
        self._computing: set[Rule] = set()
        self._uses: Counter[Rule] = Counter()
        self._rows: dict[int, Rule] = {}
        self._known: set[Rule | Form] = set()
        self._readers: set[str] = set()
        self._givers: set[str] = set()
        self._sleeping = Sleeping(self._encoder)
        self._sleeping.add(() if axiomatic else sleeping_rules(profile))
        self._sleeping.add(datatype_rules(profile))

    @cached_property
    def compiled(self) -> Compiled:
        with without_collector():
            plans = [self._plans(template) for template in self._templates]
        type_, auxiliary = self._encoder.constant(RDF_TYPE), self._encoder.is_auxiliary
        are_literals = self._encoder.are_literals
        return Compiled(plans, Signature(type_, auxiliary, self._external, are_literals))

    def _compile_again(self) -> None:
        vars(self).pop("compiled", None)

    def _external(self, relation: int) -> int:
        """The auxiliary relation of the external facts of a module by its first member."""
        return self._encoder.auxiliary(f"external {relation}")

    def _plans(self, template: Rule) -> Plans:
        plans = self._templates[template]
        if plans is None:
            plans = self._templates[template] = planned(compile_rule(template, self._encoder))
        return plans

    @property
    def program(self) -> Program:
        """The user's rules."""
        return Program(tuple(self._written.values()))

    @property
    def swrl_rules(self) -> int:
        """How many rules triples state."""
        return len(self._stated)

    def rule_of(self, row: int) -> Rule | None:
        """The user's rule that a row of a family stands for, or stood for when it was last in
        force, if it is such a row."""
        return self._rows.get(row)

    def contradictions(self) -> dict[int, Clause]:
        """The clauses for contradictions, by the id that names them in the violation relation."""
        clauses = self.compiled.clauses
        return {clause.head.o: clause for clause in clauses if clause.rule.head is None}

    def new(self, rules: Iterable[Rule]) -> dict[Rule, Rule]:
        """The rules among some that are not in force, by canonical form. Raises RuleError."""
        fresh: dict[Rule, Rule] = {}
        for rule in rules:
            check(rule)
            fresh.setdefault(canonical(rule), rule)
        fresh = {form: rule for form, rule in fresh.items() if form not in self._written}
        self._check_values(fresh)
        return fresh

    def check_stated(self, stated: SwrlChanges, added: Forms) -> None:
        """Accepts SWRL rules stated by triples, in one update with rules added by a user.

        Raises UnstratifiableError, which shows those of the triples that compute values.
        """
        if not stated.added:
            return
        try:
            self._check_values([*added, *(form for form, _ in stated.added)])
        except UnstratifiableError as error:
            rules = [str(rule) for form, rule in stated.added if computes(form)]
            raise UnstratifiableError(error.cycle, error.barrier, rules) from None

    def _check_values(self, added: Iterable[Rule]) -> None:
        """Accepts rules beside those in force, unless values would be computed without end."""
        forms = tuple(added)
        if forms and (self._computing or any(map(computes, forms))):
            check_program([*self._written.values(), *self._stated, *forms])

    def start(self) -> None:
        """An update begins, with all that it may compute."""
        self._encoder.nesting.start()

    def known(self, rules: Iterable[Rule]) -> dict[Rule, Rule]:
        """The rules, all in force, by canonical form. Raises UnknownRuleError."""
        forms = {canonical(rule): rule for rule in rules}
        for form, rule in forms.items():
            if form not in self._written:
                raise UnknownRuleError(f"no such rule, so it cannot be removed:\n    {rule}")
        return forms

    def rows(self, removed: Forms, added: Forms, stated: SwrlChanges) -> tuple[Batch, Batch]:
        """The facts that stop and start stating rules, when some are removed and others added:
        rows of parameter tables."""
        change = self._change(removed, added, stated)
        gone = [core for core, n in change.items() if n < 0 and self._uses[core] + n == 0]
        begun = [core for core, n in change.items() if n > 0 and self._uses[core] == 0]
        new = {core: self._row(core) for core in begun}
        told: dict[int, Rule] = {}  # in place of what a refused change may have left
        for form, rule in (*added.items(), *stated.added):
            for core in core_rules(form):
                if core in new:
                    told.setdefault(new[core][0][0], rule)
        self._rows.update(told)
        old = chain.from_iterable(map(self._row, gone))
        return batch_of(old), batch_of(chain.from_iterable(new.values()))

    def _change(self, removed: Forms, added: Forms, stated: SwrlChanges) -> Counter[Rule]:
        """How many more rules need each core rule."""
        new = (*added, *(form for form, _ in stated.added))
        old = (*removed, *(form for form, _ in stated.removed))
        change = Counter(core for form in new for core in core_rules(form))
        change.subtract(core for form in old for core in core_rules(form))
        return change

    def _row(self, core: Rule) -> list[tuple[int, int, int]]:
        template, family, constants = lift_canonical(core)
        self._require(template)
        self._require_asked(core, template, family)
        ids = [self._encoder.number(constant) for constant in constants]
        row = self._dictionary.row((self._dictionary.auxiliary(family), *ids))
        relations = [self._relation(family, i) for i in range(max(1, len(ids)))]
        return [(row, p, o) for p, o in zip(relations, ids or [row], strict=True)]

    def _relation(self, family: str, i: int) -> int:
        name = parameter(family, i).removeprefix("<urn:rdfinc:aux:").removesuffix(">")
        return self._dictionary.auxiliary(name)

    def require(self, forms: Iterable[Form]) -> None:
        """Makes sure that there are clauses for lists of these forms."""
        for construct, length in forms:
            for rule in list_rules(self._profile, construct, length):
                self._require(rule)
            if not self._axiomatic and (construct, length) not in self._known:
                self._known.add((construct, length))
                self._sleeping.add(sleeping_list_rules(self._profile, construct, length))

    def wake(self, before: Tables, gains: Gains, after: Callable[[], State]) -> bool:
        """Makes clauses of the rules that a change wakes (see `Sleeping.woken`); whether there are
        any."""
        return self._woken(self._sleeping.woken(before, gains, after))

    def _check(self, facts: Tables) -> None:
        """Asserts that no rule sleeps on whose cue has a match in the facts."""
        self._sleeping._check(facts, self._templates)

    def wake_all(self) -> None:
        """Makes clauses of all rules that sleep, for facts that are not those of an engine."""
        self._woken(self._sleeping.all())

    def name_all(self) -> None:
        """Gives an id to all that rules are about, those that sleep included."""
        twin = self.copy(self._dictionary)
        twin.wake_all()
        assert twin.compiled

    def _woken(self, rules: Collection[Rule]) -> bool:
        """Makes clauses of rules; whether there are any."""
        for template in rules:
            self._templates.setdefault(template)
        if rules:
            self._compile_again()
        return bool(rules)

    def _require(self, template: Rule) -> None:
        if any(literal.atom.predicate == VALUE for literal in template.literals()):
            if template not in self._known:
                self._known.add(template)
                self._sleeping.add(asleep(template))
        elif template not in self._templates:
            self._templates[template] = None
            self._compile_again()

    def _require_asked(self, core: Rule, template: Rule, family: str) -> None:
        """Puts to sleep, once, what rules of a shape may ask of literals."""
        if self._profile != "owl2rl":
            return
        if family not in self._readers:
            self._readers.add(family)
            self._sleep(readers(template))
        if family not in self._givers and gives_literals(core):
            self._givers.add(family)
            self._sleep(givers(template))

    def _sleep(self, rules: Iterable[Rule]) -> None:
        self._sleeping.add(chain.from_iterable(map(asleep, rules)))

    def change(self, removed: Forms, added: Forms, stated: SwrlChanges) -> None:
        """Takes rules out of force and puts others in force."""
        change = self._change(removed, added, stated)
        self._stated.update(form for form, _ in stated.added)
        self._stated -= Counter(form for form, _ in stated.removed)
        for form in removed:
            del self._written[form]
        self._written.update(added)
        in_force = (*added, *(form for form, _ in stated.added))
        self._computing.update(filter(computes, in_force))
        for form in (*removed, *(form for form, _ in stated.removed)):
            if form not in self._written and form not in self._stated:
                self._computing.discard(form)
        self._uses.update(change)
        for core in [core for core in change if not self._uses[core]]:
            del self._uses[core]

    def mention(self, mentioned: Mask) -> None:
        """Adds, by id, what clauses are about. (The rows of rules are facts.)"""
        self._encoder.mention(mentioned)

    def forget(self, freed: Ids) -> None:
        """Forgets freed ids, and facts found out about relations."""
        self._encoder.forget(freed)
        for row in freed.tolist() if self._rows else ():
            self._rows.pop(row, None)
        self._compile_again()

    def __getstate__(self) -> dict[str, Any]:
        """The state without compiled parts, which are made again when needed."""
        state = {**vars(self), "_templates": dict.fromkeys(self._templates)}
        state.pop("compiled", None)
        return state

    def copy(self, dictionary: Dictionary) -> RuleBook:
        """A copy over a copy of the dictionary."""
        twin = RuleBook(dictionary, self._profile, axiomatic=self._axiomatic)
        twin._encoder = self._encoder.copy(dictionary)
        twin._sleeping = self._sleeping.copy(twin._encoder)
        twin._templates, twin._written = dict.fromkeys(self._templates), dict(self._written)
        twin._stated, twin._computing = self._stated.copy(), set(self._computing)
        twin._readers, twin._givers = set(self._readers), set(self._givers)
        twin._uses, twin._rows = self._uses.copy(), dict(self._rows)
        twin._known = set(self._known)
        return twin
