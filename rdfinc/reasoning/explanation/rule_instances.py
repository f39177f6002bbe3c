"""Which rule instances derive a fact: what explanations are made of.

Facts of a closure are looked at along its edges, the external facts of its module. A fact of the
closure follows by a rule that is not the module's own; from a member that is the same closure; by a
chain with another relation; or, for a transitive relation, from a first edge and the rest of the
way. So there are as many instances to look at as there are edges on the ways, where the chain rule
has one for every two steps of any length. Equalities are looked at along such edges likewise, and
so are relations that are held in full, of which a rule says that two steps make one: their edges
are explicit or follow by another rule.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from rdfinc.datalog.analysis.modules import ClauseRole, ClosureKind, Member, Module, Modules, Shape
from rdfinc.datalog.clause import Clause
from rdfinc.datalog.compile.planning import Plan, Slots
from rdfinc.datalog.transform.representatives import Equality
from rdfinc.reasoning.evaluation.run import Block, Parts, run
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.module_update import ExplicitFacts
from rdfinc.reasoning.program.compiled_program import Compiled
from rdfinc.reasoning.program.parameter_tables import first_of_table
from rdfinc.reasoning.program.plan_memory import Still
from rdfinc.reasoning.program.plans import Plans
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.facts import Batch, as_list, gather, shaped, swapped
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.transposed import Transposed
from rdfinc.tables.views import UnionView

Fact = tuple[int, int, int]


class Instance(Struct, frozen=True):
    """A rule instance: `head` by `clause` from the facts of its body in order."""

    head: Fact
    clause: Clause
    body: tuple[Fact, ...]

    def values(self) -> dict[int, int]:
        """The values of the clause's variables, computed ones too; both are written as in
        patterns."""
        clause, value = self.clause, dict[int, int]()
        heads = [(clause.head, self.head)] if clause.fold is None else []
        for pattern, fact in (*heads, *zip(clause.body, self.body, strict=False)):
            value.update(zip((pattern.s, pattern.p, pattern.o), fact, strict=True))
        waiting = [each for each in clause.computations if each.output is not None]
        for each in waiting:  # grows while it is read
            assert each.output is not None
            if any(~v not in value for v in each.inputs):
                waiting.append(each)
            elif ~each.output not in value:
                (found,) = each.values([tuple(value[~v] for v in each.inputs)])
                assert found is not None, "an instance"
                value[~each.output] = found
        return value


class Support:
    """The rule instances in the closure, by the fact they derive.

    A relation is treated as a closure if that is surely right, however it is kept: it is one of
    `kept`, or its chains have no guard and no other relation. If `kept` is None, all relations are
    taken fact by fact, but for an `equality` with its external facts apart. Facts of the `demands`
    are taken as explicit, and follow from nothing. The facts must not change. Cost of making it:
    the parameter tables.
    """

    def __init__(
        self,
        compiled: Compiled,
        closure: Mapping[int, Table],
        explicit: Mapping[int, Table],
        kept: Modules | None,
        equality: Equality | None = None,
        demands: Container[int] = (),
    ) -> None:
        asked = {predicate: closure[predicate] for predicate in closure if predicate in demands}
        self.closure, self.explicit = State(closure), State({**explicit, **asked})
        self.looked_at = 0
        """How many instances were looked at for proofs so far."""
        self._demands, self._kept = demands, kept or Modules()

        def wanted(module: Module, sources: tuple[Member, ...]) -> bool:
            if module.parts or module in self._kept.all:
                return not module.parts
            kind = compiled.kind(module, self.closure)
            return kind is not None and kind.diagonal and not module.chained

        alone = kept is None
        self._plans = StrataPlans(
            compiled.single() if alone else compiled.make_strata(self.closure, wanted, self._kept)
        )
        self._strata = self._plans.strata
        self.modules = self._strata.modules
        self._stated = ExplicitFacts(self.explicit, self.modules)
        self._own = StrataPlans(compiled.own(self.modules))
        self._chains: dict[int, list[_Chain]] = {}
        for plans, shape in compiled.chains() if self.modules else ():
            for chain in _chains(plans, shape, self.modules, self.closure):
                self._chains.setdefault(chain.relation, []).append(chain)
        self._equals = None
        if equality is not None and equality.is_closed:
            self._equals = _Equals(compiled.equals, equality, self.closure)
        self._edges: dict[tuple[int, int], list[int]] = {}
        self._compiled, self._kinds = compiled, dict[int, ClosureKind]()

    def instances(self, fact: Fact) -> Iterator[Instance]:
        """The instances that derive a fact from others; those of a closure run along its edges. The
        value of a group follows from the facts of all its solutions at once.

        Where x = x is a fact, each fact about x follows from itself and that, which follows from
        each fact about x: such instances are in no shortest proof, and would lead to all facts.
        """
        return (each for each in self._instances(fact) if fact not in each.body)

    def _instances(self, fact: Fact) -> Iterator[Instance]:
        s, p, o = fact
        module = self.modules.of.get(p)
        if p in self._demands:
            return
        if module is None:
            stratum = self._plans.list[self._strata.level(p, o)]
            yield from _values(fact, stratum, self.closure)
            equals, stepping = self._equals, self._stepping
            yield from _derivations(fact, stratum, p, [s << 32 | o], self.closure, equals, stepping)
            if p in self._strata.transitive:
                yield from self._by_steps(fact, stratum)
            if self._equals is not None:
                yield from self._equals.ways(fact)
        else:
            keys = _turned([s << 32 | o], module, p)
            stratum = self._plans.deriving(module)
            yield from _derivations(fact, stratum, module.external, keys, self.closure)
            yield from self._own_instances(fact, module)
            yield from self._along_edges(fact)

    def _own_instances(self, fact: Fact, module: Module) -> Iterator[Instance]:
        """The instances with one premise of the same closure: a fact of a member tied to the
        fact's relation, or of a member that makes a chain with another relation."""
        s, p, o = fact
        for found in _derivations(fact, self._own.list[0], p, [s << 32 | o], self.closure):
            tables = found.clause.parameters
            premises = [each for i, each in enumerate(found.body) if i not in tables]
            mine = (self.modules.of.get(each[1]) is module for each in premises)
            if fact not in premises and any(mine):
                yield found

    def _along_edges(self, fact: Fact) -> Iterator[Instance]:
        """The instances of a chain with a first edge and a rest."""
        s, p, o = fact
        chain = next((c for c in self._chains.get(p, ()) if c.gives(s, o)), None)
        if chain is not None:
            yield from chain.along(s, o, self._after(p, s), self.closure)

    @cached_property
    def _stepping(self) -> dict[Clause, _Chain]:
        """The rules by which two steps of relations held in full make one."""
        made = (plans for level in self._strata.clauses for plans in level)
        return {
            plans.clause: _two_steps(plans.clause)
            for plans in made
            if plans.transitive in self._strata.transitive
        }

    def _by_steps(self, fact: Fact, stratum: Stratum) -> Iterator[Instance]:
        """The instances with a first edge and a rest, in a relation that is held in full."""
        s, p, o = fact
        for chain in self._stepping.values():
            if chain.relation == p:
                edges = self._edges.get((p, s))
                if edges is None:
                    edges = self._edges[p, s] = self._steps_from(s, p, stratum)
                yield from chain.along(s, o, edges, self.closure)

    def _steps_from(self, node: int, relation: int, stratum: Stratum) -> list[int]:
        """The ends of edges: of facts that are explicit, or follow by other rules, and not from
        themselves."""
        ends = self.closure.table(relation).objects(node)
        asked = shaped([node << 32 | end for end in ends])
        edges = {key & 0xFFFFFFFF for key in as_list(self.explicit.table(relation).present(asked))}
        for plans, driven, some in stratum.derivers(relation, asked, Still(self.closure)):
            for plan in plans if driven == relation else ():
                if plan.clause not in self._stepping:
                    for block in run(plan, relation, some, (self.closure, self.closure)):
                        bodies = zip(*_bodies(block, plan), strict=True)
                        for fact, body in zip(_facts(block, plan.head), bodies, strict=True):
                            if fact[2] not in edges and not self._is_circular(fact, body):
                                edges.add(fact[2])
        return [end for end in ends if end in edges]

    def _is_circular(self, fact: Fact, body: Sequence[Fact]) -> bool:
        """Whether a fact is in a body, or in the bodies of all instances by which some fact of it
        follows. Facts that are looked at along edges count as following otherwise."""
        return fact in body or any(
            premise[1] not in self.modules.of
            and premise[1] not in self._strata.transitive
            and not self.explicit.has(*premise)
            and all(fact in each.body for each in self.instances(premise))
            for premise in body
        )

    def _after(self, relation: int, node: int) -> list[int]:
        """The nodes to which an edge leads, the relation being read so."""
        found = self._edges.get((relation, node))
        if found is None:
            module = self.modules.of[relation]
            ends = self._kept_ends if module in self._kept.all else self._found_ends
            straight = (relation, True) in module.members
            both = (straight, not straight) if self._kind(module).symmetric else (straight,)
            found = list(dict.fromkeys(end for way in both for end in ends(module, node, way)))
            self._edges[relation, node] = found
        return found

    def _kind(self, module: Module) -> ClosureKind:
        found = self._kinds.get(module.external)
        if found is None:
            kind = self._compiled.kind(module, self.closure)
            assert kind is not None, "a closure"
            found = self._kinds[module.external] = kind
        return found

    def _kept_ends(self, module: Module, node: int, straight: bool) -> list[int]:
        """The nodes after one by an external fact, or before it."""
        external = self.closure.table(module.external)
        return external.objects(node) if straight else external.subjects(node)

    def _found_ends(self, module: Module, node: int, straight: bool) -> list[int]:
        """The ends of external facts, for a closure that keeps none: such facts are explicit, or
        derived by another rule."""
        first, way = module.members[0]
        assert way, "as it reads itself"
        closed = self.closure.table(first)
        ends = closed.objects(node) if straight else closed.subjects(node)
        keys = [node << 32 | end if straight else end << 32 | node for end in ends]
        asked = shaped(sorted(keys))
        edges = {
            *as_list(self._stated.table(module.external).present(asked)),
            *as_list(self._derived(module, asked)),
        }
        return [end for end, key in zip(ends, keys, strict=True) if key in edges]

    def _derived(self, module: Module, keys: Keys) -> Keys:
        found = derived_by_others(module, keys, self._plans, self.closure)
        return found.get(module.external, [])


def derived_by_others(module: Module, keys: Keys, plans: StrataPlans, facts: State) -> Batch:
    """The facts of a module, as external ones, that follow by rules other than its own."""
    stratum = plans.deriving(module)
    parts = Parts()
    for driven, relation, some in stratum.derivers(module.external, keys, Still(facts)):
        for plan in driven:
            for block in run(plan, relation, some, (facts, facts)):
                block.emit(plan.head, parts)
    return stratum.strata.derived(gather(parts))


def _turned(keys: Keys, module: Module, relation: int) -> Keys:
    """Facts of a member as external ones."""
    return keys if (relation, True) in module.members else swapped(keys)


class _Equals:
    """An equality along its edges, which are its external facts read both ways: by its own rules
    what holds of one holds of the next, and along a way of edges one is every other."""

    def __init__(self, rules: Sequence[Clause], equality: Equality, closure: State) -> None:
        symmetric, transitive, *_ = rules
        self._relation, self._closure = equality.relation, closure
        self._symmetric, self._rules = symmetric, frozenset(rules)
        self._chain = _two_steps(transitive)
        external = closure.table(equality.external)
        self._edges = UnionView((external, Transposed(external)))
        self._along = closure.instead({equality.relation: self._edges})

    def facts(self, clause: Clause, relation: int) -> State | None:
        """In which facts a clause is matched to derive one of a relation, if at all."""
        if clause not in self._rules:
            return self._closure
        alone = relation == self._relation and clause is not self._symmetric
        return None if alone else self._along

    def ways(self, fact: Fact) -> Iterator[Instance]:
        """The instances with a first edge and a rest; of an edge none."""
        s, p, o = fact
        alone = p != self._relation or self._edges.has(s << 32 | o)
        if not alone and self._chain.gives(s, o):
            yield from self._chain.along(s, o, self._edges.objects(s), self._closure)


def _derivations(
    fact: Fact,
    stratum: Stratum,
    predicate: int,
    keys: Keys,
    closure: State,
    equals: _Equals | None = None,
    but: Container[Clause] = (),
) -> Iterator[Instance]:
    """The instances of a stratum's rules, `but` some, that derive a fact, given as `keys` of
    `predicate`."""
    for plans, relation, some in stratum.derivers(predicate, keys, Still(closure)):
        for plan in plans if relation == fact[1] else ():
            facts = equals.facts(plan.clause, relation) if equals else closure
            if facts is None or plan.clause in but:
                continue
            for block in run(plan, relation, some, (facts, facts)):
                for body in zip(*_bodies(block, plan), strict=True):
                    yield Instance(fact, plan.clause, body)


def _values(fact: Fact, stratum: Stratum, closure: State) -> Iterator[Instance]:
    """The aggregations that give the value of a group."""
    s, p, _ = fact
    for grouping in stratum.groupings:
        plan = grouping.backward
        members: dict[Fact, None] = {}
        for block in run(plan, p, [s << 32 | s], (closure, closure)):
            for facts in _bodies(block, plan):
                members |= dict.fromkeys(facts)
        if members:
            yield Instance(fact, plan.clause, tuple(members))


def _bodies(block: Block, plan: Plan) -> list[list[Fact]]:
    """For each literal of the body its facts under the matches."""
    return [_facts(block, at) for at in plan.body]


def _facts(block: Block, at: Slots) -> list[Fact]:
    return [(s, p, o) for s, p, o in block.values((at.s, at.p, at.o))]


class _Chain(Struct, frozen=True):
    """A rule by which the relations of a closure are transitive: those of its head and of the
    `steps`, `tables` are its parameter literals' facts by their places, `first` and `rest` the
    places of the two steps."""

    relation: int
    steps: tuple[int, int]
    clause: Clause
    tables: Mapping[int, Fact]
    first: int
    rest: int

    def gives(self, s: int, o: int) -> bool:
        """Whether the rule may derive this pair."""
        clause = self.clause
        value = {~clause.head.s: s, ~clause.head.o: o}
        return all(
            each.values([tuple(value[v] for v in each.inputs)])[0] is not None
            for each in clause.computations
        )

    def along(self, s: int, o: int, nodes: Iterable[int], facts: State) -> Iterator[Instance]:
        """The instances with an edge to one of some nodes and a rest."""
        table = facts.table(self.steps[1])
        for node in nodes:
            if node not in (s, o) and table.has(node << 32 | o):
                yield self.instance(s, node, o)

    def instance(self, s: int, node: int, o: int) -> Instance:
        first, rest = self.steps
        body = {**self.tables, self.first: (s, first, node), self.rest: (node, rest, o)}
        return Instance(
            (s, self.relation, o), self.clause, tuple(body[i] for i in range(len(body)))
        )


def _two_steps(clause: Clause) -> _Chain:
    """A rule by which two steps of one relation make one."""
    relation = clause.head.p
    first, rest = sorted((0, 1), key=lambda i: clause.body[i].s != clause.head.s)
    return _Chain(relation, (relation, relation), clause, {}, first, rest)


def _chains(plans: Plans, shape: Shape, modules: Modules, facts: State) -> Iterator[_Chain]:
    """The relations of modules that a chain rule of members makes transitive, each once."""
    clause, plan = plans.clause, plans.parameters
    assert shape.form is ClauseRole.CHAIN and plan is not None
    places = [i for i in range(len(clause.body)) if i not in clause.parameters]
    first, rest = sorted(places, key=lambda i: clause.body[i].s != clause.head.s)
    predicate = clause.body[min(clause.parameters)].p
    tables = sorted(clause.parameters)
    known: set[int] = set()
    for block in run(plan, predicate, first_of_table(clause, facts), (facts, facts)):
        rows = [_facts(block, plan.body[i]) for i in tables]
        for relations, *row in zip(block.values(shape.relations), *rows, strict=True):
            relation, *steps = relations
            module = modules.of.get(relation)
            within = module is not None and all(modules.of.get(p) is module for p in steps)
            if within and relation not in known:
                known.add(relation)
                found = dict(zip(tables, row, strict=True))
                yield _Chain(relation, (steps[0], steps[1]), clause, found, first, rest)
