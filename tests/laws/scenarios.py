"""Random programs, ontologies and update sequences, the same for the same seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from rdfinc.datalog.model import RDF_TYPE, Atom, Expression, Filter, Literal, Rule, Var

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
NIL = f"<{RDF}nil>"

Fact = tuple[str, str, str]
Quad = tuple[str, str, str, str | None]


def ex(name: str) -> str:
    return f"<http://example.org/{name}>"


def rdfs(name: str) -> str:
    return f"<{RDFS}{name}>"


def owl(name: str) -> str:
    return f"<{OWL}{name}>"


INDIVIDUALS = [ex(f"i{n}") for n in range(4)]
CLASSES = [ex(f"C{n}") for n in range(4)] + ["_:x1"]
PROPERTIES = [ex(f"p{n}") for n in range(3)]
LITERALS = ['"a"', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>']
GRAPHS = [None, None, None, ex("g1"), ex("g2")]
LISTS = ["_:l1", "_:l2", "_:l3"]
CELLS = ["_:m1", "_:m2"]


@dataclass
class Step:
    delete: set[Quad] = field(default_factory=set)
    insert: set[Quad] = field(default_factory=set)
    rules_removed: list[Rule] = field(default_factory=list)
    rules_added: list[Rule] = field(default_factory=list)

    @property
    def axioms(self) -> bool:
        schema = (rdfs(""), owl(""), f"<{RDF}first>", f"<{RDF}rest>")
        return bool(self.rules_removed or self.rules_added) or any(
            q[1].startswith((schema[0][:-1], schema[1][:-1])) or q[1] in schema for q in self.delete
        )


@dataclass
class Scenario:
    seed: int
    profile: str
    steps: list[Step]


def scenario(seed: int) -> Scenario:
    rnd = random.Random(seed)
    profile = rnd.choice(["none", "none", "owl2rl"])
    maker = _rules_scenario if profile == "none" else _owl_scenario
    return Scenario(seed, profile, maker(rnd))


# -- rules


def _rules_scenario(rnd: random.Random) -> list[Step]:
    vocabulary = META if rnd.random() < 0.5 else []
    rules: list[Rule] = []
    stated: set[Quad] = set()
    steps = []
    for number in range(7):
        step = Step()
        if number == 0:
            step.rules_added = [*vocabulary, *(_rule(rnd) for _ in range(rnd.randint(2, 6)))]
        elif rnd.random() < 0.2:
            if rules and rnd.random() < 0.5:
                step.rules_removed = [rnd.choice(rules)]
            else:
                step.rules_added = [_rule(rnd)]
        _change(rnd, step, stated, 14 if number == 0 else 2, lambda: _fact(rnd, bool(vocabulary)))
        rules = [rule for rule in rules if rule not in step.rules_removed] + step.rules_added
        steps.append(step)
    return steps


def _change(rnd: random.Random, step: Step, stated: set[Quad], most: int, fact) -> None:
    """Fills in some insertions and deletions and keeps `stated` in step."""
    step.insert = {(*fact(), rnd.choice(GRAPHS)) for _ in range(most if most > 2 else rnd.choice([0, 1, 2]))}
    ordered = sorted(stated, key=repr)
    step.delete = set(rnd.sample(ordered, min(len(ordered), rnd.choice([0, 1, 1, 2, 3]))))
    if rnd.random() < 0.1:
        step.delete.add((*fact(), None))
    stated -= step.delete
    stated |= step.insert


def _rule(rnd: random.Random) -> Rule:
    variables = [Var(name) for name in "xyz"]
    body = [_atom(rnd, variables) for _ in range(rnd.randint(1, 3))]
    used = list(dict.fromkeys(v for atom in body for v in atom.variables() if v.name != "p"))
    if not used:
        return _rule(rnd)
    free = any(atom.predicate == Var("p") for atom in body)
    if rnd.random() < 0.4:
        head = Atom(rnd.choice(used), RDF_TYPE, rnd.choice(CLASSES[:4]))
    else:
        predicate = Var("p") if free and rnd.random() < 0.5 else rnd.choice(PROPERTIES)
        head = Atom(rnd.choice(used), predicate, rnd.choice([*used, rnd.choice(INDIVIDUALS)]))
    items = [Literal(atom) for atom in body]
    if len(used) > 1 and rnd.random() < 0.2:
        x, y = rnd.sample(used, 2)
        items.append(Filter(Expression(f"{x} != {y}", (x, y))))
    if rnd.random() < 0.05:
        return Rule(None, tuple(items), "clash")
    return Rule(head, tuple(items))


def _atom(rnd: random.Random, variables: list[Var]) -> Atom:
    subject = rnd.choice(variables) if rnd.random() < 0.9 else rnd.choice(INDIVIDUALS)
    if rnd.random() < 0.4:
        return Atom(subject, RDF_TYPE, rnd.choice(CLASSES[:4]))
    object_ = rnd.choice(variables) if rnd.random() < 0.9 else rnd.choice(INDIVIDUALS)
    predicate = rnd.choice(PROPERTIES) if rnd.random() < 0.93 else Var("p")
    return Atom(subject, predicate, object_)


def _meta() -> list[Rule]:
    """Rules whose schema atoms say which relations the others are about."""
    x, y, z, p, q, c, d, e = map(Var, "xyzpqcde")
    sub, sup, on, some = ex("sub"), ex("super"), ex("on"), ex("some")

    def rule(head: tuple, *body: tuple) -> Rule:
        return Rule(Atom(*head), tuple(Literal(Atom(*atom)) for atom in body))

    return [
        rule((x, RDF_TYPE, d), (c, sub, d), (x, RDF_TYPE, c)),
        rule((c, sub, e), (c, sub, d), (d, sub, e)),
        rule((x, q, y), (p, sup, q), (x, p, y)),
        rule((x, RDF_TYPE, c), (p, ex("domain"), c), (x, p, y)),
        rule((x, p, z), (p, RDF_TYPE, ex("Transitive")), (x, p, y), (y, p, z)),
        rule((p, ex("domain"), d), (p, ex("domain"), c), (c, sub, d)),
        rule((x, RDF_TYPE, c), (c, on, p), (c, some, d), (x, p, y), (y, RDF_TYPE, d)),
        rule((x, ex("same"), y), (p, RDF_TYPE, ex("Functional")), (z, p, x), (z, p, y)),
        rule((y, p, z), (x, ex("same"), y), (x, p, z)),
        rule((z, p, y), (x, ex("same"), y), (z, p, x)),
    ]


META = _meta()


def _fact(rnd: random.Random, meta: bool) -> Fact:
    classes = CLASSES[:4]
    if meta and rnd.random() < 0.35:
        return _meta_fact(rnd, classes)
    if rnd.random() < 0.5:
        return rnd.choice(INDIVIDUALS), RDF_TYPE, rnd.choice(classes)
    return rnd.choice(INDIVIDUALS), rnd.choice(PROPERTIES), rnd.choice(INDIVIDUALS)


def _meta_fact(rnd: random.Random, classes: list[str]) -> Fact:
    kind = rnd.random()
    if kind < 0.35:
        return rnd.choice(classes), ex("sub"), rnd.choice(classes)
    if kind < 0.5:
        above = [*PROPERTIES, ex("sub")] if rnd.random() < 0.1 else PROPERTIES
        return rnd.choice(PROPERTIES), ex("super"), rnd.choice(above)
    if kind < 0.65:
        return rnd.choice(PROPERTIES), ex("domain"), rnd.choice(classes)
    if kind < 0.75:
        trait = "Functional" if rnd.random() < 0.2 else "Transitive"
        return rnd.choice(PROPERTIES), RDF_TYPE, ex(trait)
    if kind < 0.86:
        return rnd.choice(classes), ex("on"), rnd.choice(PROPERTIES)
    if kind < 0.97:
        return rnd.choice(classes), ex("some"), rnd.choice(classes)
    same = [*INDIVIDUALS, *classes, *PROPERTIES]
    return rnd.choice(same), ex("same"), rnd.choice(same)


# -- OWL


def _owl_scenario(rnd: random.Random) -> list[Step]:
    stated: set[Quad] = set()
    steps = []
    for number in range(6):
        step = Step()
        _change(rnd, step, stated, 18 if number == 0 else 2, lambda: _owl_fact(rnd))
        if rnd.random() < 0.3:
            step.insert |= {(*fact, None) for fact in _list_axiom(rnd)}
            stated |= step.insert
        steps.append(step)
    return steps


def _owl_fact(rnd: random.Random) -> Fact:
    kind = rnd.random()
    one, two = rnd.choice(CLASSES), rnd.choice(CLASSES)
    p, q = rnd.choice(PROPERTIES), rnd.choice(PROPERTIES)
    if kind < 0.25:
        return rnd.choice(INDIVIDUALS), RDF_TYPE, one
    if kind < 0.55:
        last = rnd.choice(LITERALS) if rnd.random() < 0.1 else rnd.choice(INDIVIDUALS)
        return rnd.choice(INDIVIDUALS), p, last
    if kind < 0.72:
        relation = rnd.choice([rdfs("subClassOf")] * 3 + [owl("equivalentClass"), owl("disjointWith")])
        return one, relation, two
    if kind < 0.8:
        relation = rnd.choice([rdfs("subPropertyOf"), owl("inverseOf"), owl("equivalentProperty")])
        return p, relation, q
    if kind < 0.85:
        return p, rnd.choice([rdfs("domain"), rdfs("range")]), one
    if kind < 0.9:
        kinds = ["TransitiveProperty", "SymmetricProperty", "FunctionalProperty"]
        return p, RDF_TYPE, owl(rnd.choice(kinds[:2] if rnd.random() < 0.8 else kinds))
    if kind < 0.94:
        return one, owl("onProperty"), p
    if kind < 0.98:
        return one, owl(rnd.choice(["someValuesFrom", "allValuesFrom"])), two
    if kind < 0.985:
        return rnd.choice(INDIVIDUALS), owl("sameAs"), rnd.choice(INDIVIDUALS)
    return one, owl("hasValue"), rnd.choice(INDIVIDUALS)


def _list_axiom(rnd: random.Random) -> list[Fact]:
    """An axiom with a list of two, sometimes with a triple missing."""
    head, cell = rnd.choice(LISTS), rnd.choice(CELLS)
    kind = rnd.choice(["intersectionOf", "unionOf", "oneOf", "propertyChainAxiom", "hasKey"])
    bearers = PROPERTIES if kind == "propertyChainAxiom" else CLASSES
    members = {"oneOf": INDIVIDUALS, "propertyChainAxiom": PROPERTIES, "hasKey": PROPERTIES}
    items = [rnd.choice(members.get(kind, CLASSES)) for _ in range(2)]
    facts = [
        (rnd.choice(bearers), owl(kind), head),
        (head, f"<{RDF}first>", items[0]),
        (head, f"<{RDF}rest>", cell),
        (cell, f"<{RDF}first>", items[1]),
        (cell, f"<{RDF}rest>", NIL),
    ]
    return facts if rnd.random() < 0.8 else rnd.sample(facts, 4)
