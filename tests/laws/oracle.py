"""What a knowledge base must show, recomputed from nothing at every step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace
from naive import by_predicate, contradictions, matching, naive

from laws.names import FIRST, NIL, OWL, REST, TYPE, Fact, Quad, owl, rdfs
from laws.steps import Step
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.clause import VALUE
from rdfinc.datalog.model import (
    Aggregate,
    Atom,
    BodyItem,
    Expression,
    Filter,
    Literal,
    NotExists,
    Rule,
    Term,
    Var,
)
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.profiles.by_value import of_terms
from rdfinc.owl.profiles.profile_rules import Asleep, fixed_rules, sleeping_rules
from rdfinc.terms.builtins import DATATYPES, NAME_AMONG, is_ill_typed, value_spelling

EXAMPLE = "<http://example.org/"
AUX = "<urn:rdfinc:aux:"
TEST = "urn:rdfinc:"
OF_LITERALS = {VALUE, f"{AUX}literal.same>", f"{AUX}literal.named>"}
CARDINALITIES = ("maxCardinality", "maxQualifiedCardinality")
FUNCTION = "<urn:rdfinc:{}>({})"
X, Y, C = map(Var, "xyc")


class Expected(Struct, frozen=True):
    """All that is to be seen after a step; `added` and `removed` are what it changes in view,
    `rules` are those `written` and the profile's, `auxiliary` facts are what these derive that
    nobody sees, `instances` the instances of rules there are, without a profile."""

    written: Set[Rule]
    rules: tuple[Rule, ...]
    stated: frozenset[Quad]
    explicit: Set[Fact]
    closure: Set[Fact]
    shown: Set[Fact]
    clashes: Set[tuple]
    auxiliary: Set[Fact] = frozenset()
    instances: Set[tuple] = frozenset()
    added: Set[Fact] = frozenset()
    removed: Set[Fact] = frozenset()

    def graph(self, name: str | None) -> set[Fact]:
        return {quad[:3] for quad in self.stated if quad[3] == name}


NOTHING = Expected(set(), (), frozenset(), set(), set(), set(), set())


class Oracle:
    """Statements and rules as plain sets; the closure by the naive oracle."""

    def __init__(self, profile: str) -> None:
        self.profile = profile
        self.rules: dict[Rule, Rule] = {}
        self.last = NOTHING

    def step(self, step: Step) -> Expected:
        self.rules = self.after(step)
        stated = frozenset((self.last.stated - step.delete) | step.insert)
        before, self.last = self.last.shown, self.expected(stated)
        after = self.last.shown
        self.last = replace(self.last, added=after - before, removed=before - after)
        return self.last

    def after(self, step: Step) -> dict[Rule, Rule]:
        """The rules in force after a step, by canonical form."""
        rules = dict(self.rules)
        for rule in step.rules_removed:
            rules.pop(canonical(rule), None)
        for rule in step.rules_added:
            rules.setdefault(canonical(rule), rule)
        return rules

    def expected(self, stated: frozenset[Quad]) -> Expected:
        explicit = {quad[:3] for quad in stated}
        written = self.rules.values()
        rules = (*written, *profile_rules(self.profile, explicit), *self.asked(written))
        everything = naive(rules, explicit)
        closure = {fact for fact in everything if not fact[1].startswith(AUX)}
        shown = {fact for fact in closure if fact in explicit or not left_out(fact)}
        mine = [replace(rule, name=str(form)) for form, rule in self.rules.items()]
        clashes = told_once((*mine, *rules[len(mine) :]), everything)
        written = set(self.rules.values())
        found = instances(mine, closure) if self.profile == "none" else frozenset()
        hidden = everything - closure
        return Expected(written, rules, stated, explicit, closure, shown, clashes, hidden, found)

    def asked(self, written: Iterable[Rule]) -> Iterator[Rule]:
        """Where a rule reads the members of each class, those that say so of all literals."""
        if self.profile == "owl2rl" and any(reads_each_class(rule.body) for rule in written):
            yield from map(type_rule, DATATYPES)


def told_once(rules: Sequence[Rule], facts: set[Fact]) -> set[tuple]:
    """The contradictions, but for those by literals that are compared by value where they are told
    to be equal: what holds of one holds of the other, so the rule without values tells them."""
    compared = {rule: found for rule in rules if (found := of_values(rule))}
    found = contradictions([rule for rule in rules if rule not in compared], facts)
    for rule, pairs in compared.items():
        for name, bindings in contradictions([rule], facts):
            of = dict(bindings)
            told = ((of[one], owl("sameAs"), of[other]) for one, other in pairs)
            if not any(s != o and (s, p, o) in facts for s, p, o in told):
                found.add((name, bindings))
    return found


def of_values(rule: Rule) -> list[tuple[str, str]]:
    """The pairs of variables that the body of a rule without head compares by value."""
    literals = (item for item in rule.body if isinstance(item, Literal))
    atoms = [item.atom for item in literals if item.atom.predicate == VALUE]
    pairs = ((one, other) for one, other in combinations(atoms, 2) if one.object == other.object)
    return [] if rule.head else [(one.subject.name, other.subject.name) for one, other in pairs]


def reads_each_class(body: Iterable[BodyItem]) -> bool:
    return any(
        reads_each_class(item.body)
        if isinstance(item, NotExists | Aggregate)
        else isinstance(item, Literal)
        and item.atom.predicate == TYPE
        and isinstance(item.atom.object, Var)
        for item in body
    )


def type_rule(datatype: str) -> Rule:
    """The rule that a literal is of a datatype that has its value, but for OWL's own numbers."""
    of = FUNCTION.format("inDatatype", f"?y, {datatype}")
    data = " && ".join(f"!sameTerm(?p, {owl(name)})" for name in CARDINALITIES)
    tests = Filter(Expression(of, (Y,))), Filter(Expression(data, (Var("p"),)))
    body = Literal(Atom(X, Var("p"), Y)), *tests
    return Rule(Atom(Y, TYPE, datatype), body, name="dt-type2")


def instances(rules: Iterable[Rule], closure: Set[Fact]) -> frozenset[tuple]:
    """(rule, bindings) for each instance of some rules, which have names of their own."""
    facts = by_predicate(closure)
    return frozenset(
        (rule.name, frozenset(i.items()))
        for rule in rules
        for i in matching(rule.body, facts, facts)
    )


def left_out(fact: Fact) -> bool:
    """Whether users are spared a fact unless they have stated it."""
    s, p, o = fact
    pairs = p in (rdfs("subClassOf"), owl("equivalentClass"), owl("disjointWith"))
    about_classes = pairs or p in (TYPE, rdfs("domain"), rdfs("range"))
    blank = (about_classes and o.startswith("_:")) or (pairs and s.startswith("_:"))
    odd = s.startswith('"') or not p.startswith("<")
    return odd or blank or (p == owl("sameAs") and s == o)


def profile_rules(profile: str, explicit: Set[Fact]) -> Iterator[Rule]:
    """The profile's rules, those over lists written out for the lists that there are."""
    if profile == "none":
        return
    yield from unhidden_rules(profile)
    if profile == "rdfs":
        yield from ill_typed({o for _, _, o in explicit if o.startswith('"')})
    if profile == "owl2rl":
        yield from literal_rules(explicit)
        yield from map(datatype_rule, DATATYPES)
        yield from map(outside_rule, DATATYPES)
        yield from difference_rules()
        for bearer, predicate, head in sorted(explicit):
            items = read_list(explicit, head) if predicate.startswith(f"<{OWL}") else None
            if items:
                rules = list(axiom_rules(predicate, head, items))
                yield from (*rules, *(other for rule in rules for other in of_values_in(rule)))
                yield from group_rules(bearer, predicate, head, items)


@cache
def unhidden_rules(profile: str) -> tuple[Rule, ...]:
    """The rules that a profile has whatever the facts, but for those over auxiliary facts."""
    rules = *fixed_rules(profile), *all_awake(sleeping_rules(profile))
    return tuple(rule for rule in rules if not reads_auxiliary(rule))


def reads_auxiliary(rule: Rule) -> bool:
    predicates = {str(literal.atom.predicate) for literal in rule.literals()}
    return any(p.startswith(AUX) and p not in OF_LITERALS for p in predicates)


def all_awake(sleeping: Iterable[Rule | Asleep]) -> Iterator[Rule]:
    for each in sleeping:
        yield from [each] if isinstance(each, Rule) else all_awake(each.rules())


def of_values_in(rule: Rule) -> Iterator[Rule]:
    """The rules of further matches by value of one that was written out. OWL's own rule has
    variables where this one names properties, and any property may be about literals: the inverse
    of one is."""
    atoms = (item.atom for item in rule.body if isinstance(item, Literal))
    names = {atom.predicate for atom in atoms if str(atom.predicate).startswith(EXAMPLE)}
    variables = {name: Var(f"property{n}") for n, name in enumerate(sorted(names))}
    for other in of_terms(_renamed(rule, variables)):
        yield _renamed(other, {variable: name for name, variable in variables.items()})


def _renamed(rule: Rule, names: Mapping[Term, Term]) -> Rule:
    """The rule with other names for relations of its body."""

    def renamed(item: BodyItem) -> BodyItem:
        if not isinstance(item, Literal):
            return item
        predicate = names.get(item.atom.predicate, item.atom.predicate)
        return replace(item, atom=replace(item.atom, predicate=predicate))

    return replace(rule, body=tuple(map(renamed, rule.body)))


def literal_rules(explicit: Set[Fact]) -> Iterator[Rule]:
    """Those that give explicit literals their values, and contradict those that have none, but
    for the numbers of OWL's own syntax."""
    found = {o for _, p, o in explicit if o.startswith('"') and "ardinality>" not in p}
    for literal in found:
        yield _rule(Atom(literal, VALUE, f'"{value_spelling(literal.encode()).decode()!r}"'))
    yield from ill_typed(found)


def ill_typed(literals: Set[str]) -> Iterator[Rule]:
    """Those that contradict literals that are none of the datatype they name."""
    for literal in sorted(literals):
        if is_ill_typed(literal.encode()):
            yield replace(_rule(None, Atom(X, Var("p"), literal)), name=f"dt-not-type {literal}")


def datatype_rule(datatype: str) -> Rule:
    """The rule that a literal that a name equals is of a datatype that has its value."""
    named = FUNCTION.format("nameAmong", "?y, ?x"), FUNCTION.format("inDatatype", f"?x, {datatype}")
    tests = Filter(Expression(named[0], (Y, X))), Filter(Expression(named[1], (X,)))
    body = Literal(Atom(Y, owl("sameAs"), X)), *tests
    return Rule(Atom(X, TYPE, datatype), body, name="dt-type2")


def difference_rules() -> Iterator[Rule]:
    """The rules that literals with different values differ if names equal them."""
    w, v = map(Var, "wv")
    texts = {"nameAmong(?w, ?x)": (w, X), "nameAmong(?v, ?y)": (v, Y), "apart(?x, ?y)": (X, Y)}
    tests = [
        Filter(Expression(FUNCTION.format(*text.rstrip(")").split("(")), variables))
        for text, variables in texts.items()
    ]
    body = Literal(Atom(w, owl("sameAs"), X)), Literal(Atom(v, owl("sameAs"), Y)), *tests
    for one, other in ((X, Y), (Y, X)):
        yield Rule(Atom(one, owl("differentFrom"), other), body, name="dt-diff")


def outside_rule(datatype: str) -> Rule:
    """The rule that a literal is of no datatype that does not have its value."""
    test = Filter(Expression(FUNCTION.format("outsideDatatype", f"?x, {datatype}"), (X,)))
    return Rule(None, (Literal(Atom(X, TYPE, datatype)), test), name=f"dt-not-type {datatype}")


def same_value(one: str, two: str) -> bool:
    return value_spelling(one.encode()) == value_spelling(two.encode())


def read_list(explicit: Set[Fact], head: str) -> list[str] | None:
    """The items of a well-formed list."""
    items: list[str] = []
    seen: set[str] = set()
    while head != NIL:
        firsts = [o for s, p, o in explicit if (s, p) == (head, FIRST)]
        rests = [o for s, p, o in explicit if (s, p) == (head, REST)]
        if len(firsts) != 1 or len(rests) != 1 or head in seen:
            return None
        seen.add(head)
        items.append(firsts[0])
        head = rests[0]
    return items


def axiom_rules(predicate: str, head: str, items: list[str]) -> Iterator[Rule]:
    """The rules of the axioms that have one list, written out without any list machinery."""
    axiom = Atom(C, predicate, head)
    name = predicate.removeprefix(f"<{OWL}").removesuffix(">")
    if name == "intersectionOf":
        yield _rule(Atom(X, TYPE, C), axiom, *(Atom(X, TYPE, item) for item in items))
        for item in items:
            yield _rule(Atom(X, TYPE, item), axiom, Atom(X, TYPE, C))
            yield _rule(Atom(C, rdfs("subClassOf"), item), axiom)
    if name == "unionOf":
        for item in items:
            yield _rule(Atom(X, TYPE, C), axiom, Atom(X, TYPE, item))
            yield _rule(Atom(item, rdfs("subClassOf"), C), axiom)
    if name == "oneOf":
        for item in items:
            yield _rule(Atom(item, TYPE, C), axiom)
    if name == "propertyChainAxiom":
        path = [Var(f"x{n}") for n in range(len(items) + 1)]
        body = [Atom(path[n], item, path[n + 1]) for n, item in enumerate(items)]
        yield _rule(Atom(path[0], C, path[-1]), axiom, *body)
    if name == "hasKey":
        values = [(item, Var(f"z{n}")) for n, item in enumerate(items)]
        agree = [Atom(who, item, value) for item, value in values for who in (X, Y)]
        members = Atom(X, TYPE, C), Atom(Y, TYPE, C)
        body = (axiom, *members, *agree)
        yield _rule(Atom(X, owl("sameAs"), Y), *body, tests=("!sameTerm", NAME_AMONG))
        apart = _rule(None, *body, tests=(f"<{TEST}apart>",))
        yield replace(apart, name=f"dt-diff {predicate} {head} {items}")


def group_rules(bearer: str, predicate: str, head: str, items: list[str]) -> Iterator[Rule]:
    """AllDifferent, AllDisjointClasses and AllDisjointProperties; their names tell the
    contradictions apart, as all that they share are the variables."""
    if predicate != owl("members"):
        return

    def clash(kind: str, name: tuple, *body: Atom) -> Rule:
        stated = Atom(bearer, TYPE, owl(kind)), Atom(bearer, predicate, head)
        return replace(_rule(None, *stated, *body), name=repr((kind, *name)))

    for (i, one), (j, two) in combinations(enumerate(items), 2):
        yield clash("AllDifferent", (bearer, head, i, j), Atom(one, owl("sameAs"), two))
        if one != two and one[0] == two[0] == '"' and same_value(one, two):
            yield clash("AllDifferent", (bearer, head, i, j, "values"))
        if one == two:
            yield clash("AllDifferent", (bearer, head, one))
        pair = (one, two) if len(items) <= LISTS.few_entries else (head, i, j)
        yield clash("AllDisjointClasses", pair, Atom(X, TYPE, one), Atom(X, TYPE, two))
        yield clash("AllDisjointProperties", (one, two), Atom(X, one, Y), Atom(X, two, Y))


def _rule(head: Atom | None, *body: Atom, tests: tuple[str, ...] = ()) -> Rule:
    """A rule with some tests of ?x and ?y."""
    filters = (Filter(Expression(f"{test}(?x, ?y)", (X, Y))) for test in tests)
    return Rule(head, (*map(Literal, body), *filters))
