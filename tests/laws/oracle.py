"""What a knowledge base must show, recomputed from nothing at every step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from naive import contradictions, naive

from laws.scenarios import NIL, OWL, RDF, RDFS, Fact, Quad, Step
from rdfinc.datalog.canonical import canonical
from rdfinc.datalog.model import RDF_TYPE, Atom, Expression, Filter, Literal, Rule, Var
from rdfinc.owl.rules import fixed_rules

FIRST, REST = f"<{RDF}first>", f"<{RDF}rest>"
AUX = "<urn:rdfinc:aux:"


class Oracle:
    """Statements and rules as plain sets; the closure by the naive oracle."""

    def __init__(self, profile: str) -> None:
        self.profile = profile
        self.stated: set[Quad] = set()
        self.rules: dict[Rule, Rule] = {}
        self.shown: set[Fact] = set()

    def step(self, step: Step) -> None:
        for rule in step.rules_removed:
            self.rules.pop(canonical(rule), None)
        self.rules.update({canonical(rule): rule for rule in step.rules_added})
        self.stated = (self.stated - step.delete) | step.insert
        self.explicit = {quad[:3] for quad in self.stated}
        rules = [*self.rules.values(), *_profile_rules(self.profile, self.explicit)]
        self.closure = naive(rules, self.explicit)
        self.clashes = len(contradictions(rules, self.closure))
        before, self.shown = self.shown, {f for f in self.closure if self._visible(f)}
        self.added, self.removed = self.shown - before, before - self.shown

    def _visible(self, fact: Fact) -> bool:
        s, p, o = fact
        if fact in self.explicit:
            return True
        pairs = p in (f"<{RDFS}subClassOf>", f"<{OWL}equivalentClass>", f"<{OWL}disjointWith>")
        about = pairs or p in (RDF_TYPE, f"<{RDFS}domain>", f"<{RDFS}range>")
        blank = (about and o.startswith("_:")) or (pairs and s.startswith("_:"))
        return not (s.startswith('"') or blank or (p == f"<{OWL}sameAs>" and s == o))

    def graph(self, name: str | None) -> set[Fact]:
        return {quad[:3] for quad in self.stated if quad[3] == name}


def _profile_rules(profile: str, explicit: set[Fact]) -> Iterator[Rule]:
    if profile == "none":
        return
    for rule in fixed_rules(profile):
        if not any(str(literal.atom.predicate).startswith(AUX) for literal in rule.literals()):
            yield rule
    for bearer, predicate, head in explicit:
        items = _list(explicit, head)
        if items:
            yield from _axiom_rules(predicate, bearer, items)


def _list(explicit: set[Fact], head: str) -> list[str] | None:
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


def _axiom_rules(predicate: str, bearer: str, items: list[str]) -> Iterable[Rule]:
    """The rules of one axiom with a list, written out without any list machinery."""
    x, y = Var("x"), Var("y")

    def rule(head: Atom, *body: Atom) -> Rule:
        return Rule(head, tuple(Literal(atom) for atom in body))

    # an axiom is a premise like any other: its bearing triple stands in the body
    name = predicate.removeprefix(f"<{OWL}").removesuffix(">")
    if name == "intersectionOf":
        yield rule(Atom(x, RDF_TYPE, bearer), *(Atom(x, RDF_TYPE, item) for item in items))
        for item in items:
            yield rule(Atom(x, RDF_TYPE, item), Atom(x, RDF_TYPE, bearer))
            yield _fact(bearer, f"<{RDFS}subClassOf>", item, predicate)
    if name == "unionOf":
        for item in items:
            yield rule(Atom(x, RDF_TYPE, bearer), Atom(x, RDF_TYPE, item))
            yield _fact(item, f"<{RDFS}subClassOf>", bearer, predicate)
    if name == "oneOf":
        for item in items:
            yield _fact(item, RDF_TYPE, bearer, predicate)
    if name == "propertyChainAxiom":
        steps = [Var(f"x{n}") for n in range(len(items) + 1)]
        body = [Atom(steps[n], item, steps[n + 1]) for n, item in enumerate(items)]
        yield rule(Atom(steps[0], bearer, steps[-1]), *body)
    if name == "hasKey":
        values = [Var(f"z{n}") for n in range(len(items))]
        both = [
            Atom(who, item, values[n]) for n, item in enumerate(items) for who in (x, y)
        ]
        members = Atom(x, RDF_TYPE, bearer), Atom(y, RDF_TYPE, bearer)
        key = rule(Atom(x, f"<{OWL}sameAs>", y), *members, *both)
        yield replace(key, body=(*key.body, Filter(Expression("!sameTerm(?x, ?y)", (x, y)))))


def _fact(s: str, p: str, o: str, bearing: str) -> Rule:
    """A rule that derives one fact as long as anything has the bearing predicate."""
    any_, list_ = Var("b"), Var("l")
    return Rule(Atom(s, p, o), (Literal(Atom(any_, bearing, list_)),))
