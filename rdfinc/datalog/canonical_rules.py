"""One representative for all rules that are equal up to variable names and body order.

A rule is seen as a hypergraph: its variables are the vertices; the head and every body item are
edges, labelled with their text without variables. NOT EXISTS and AGGREGATE are a vertex each, met
by the edges of their inner items too. Colour refinement finds a canonical labelling. Vertices that
it leaves tied fall into parts without an edge between them. Each part is labelled by itself, for
equal parts can change places. Within a part one vertex after the other is set apart and the least
encoding wins (McKay and Piperno, *Practical graph isomorphism II*, 2014). Symmetries found on the
way spare the search equal branches, so that rules with interchangeable parts stay polynomial in
practice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter

from msgspec.structs import replace

from rdfinc.datalog.model import (
    Aggregate,
    Bind,
    BodyItem,
    Filter,
    Literal,
    NotExists,
    Row,
    Rule,
    Skolem,
    Term,
    Value,
    Var,
)
from rdfinc.datalog.variables import (
    item_variables,
    rename_item,
    rename_rule,
    rule_variables,
    standardised_apart,
    value_variables,
)

Edge = tuple[str, tuple[Var, ...]]
"""A label, and the distinct variables in the order in which the label mentions them."""

Colours = dict[Var, int]
"""A colour for every variable; colour n means that n variables come before it."""

Mark = tuple[str, int, tuple[int, ...]]
"""An edge as one of its variables sees it: label, its place, the colours at all places."""

Encoding = list[tuple[str, tuple[int, ...]]]


@lru_cache(maxsize=256)
def canonical(rule: Rule) -> Rule:
    """The representative, without name: `canonical(r) == canonical(s)` iff r and s are equal.

    Its variables are `?v0`, `?v1`, …; the body is sorted. Quadratic in the rule's size, unless
    many of its variables play exactly the same part without being interchangeable.
    """
    rule = standardised_apart(rule.unnamed())
    return ordered(rename_rule(rule, _names(_with_ranks(rule)).__getitem__))


def _with_ranks(rule: Rule) -> Rule:
    """The rule with the rank of each constant of its atoms in place of that: equal rules have equal
    ranks, and many rules of one shape are the same with them."""
    atoms = [literal.atom for literal in rule.literals()]
    atoms += [rule.head] if rule.head else []
    constants = {term for atom in atoms for term in atom.terms() if isinstance(term, str)}
    ranks: dict[Term, Term] = {term: f"rank {i}" for i, term in enumerate(sorted(constants))}
    return rule.with_atoms(lambda atom: atom.map(lambda term: ranks.get(term, term)))


@lru_cache(maxsize=256)
def _names(rule: Rule) -> dict[Var, Var]:
    """The names of the variables in the representative."""
    order = labelling(rule, dict.fromkeys(rule_variables(rule), ""))
    return {variable: Var(f"v{i}") for i, variable in enumerate(order)}


def labelling(rule: Rule, sorts: Mapping[Var, str]) -> list[Var]:
    """The rule's variables in canonical order; only variables of one sort can change places.

    Local variables must have names of their own (`variables.standardised_apart`).
    """
    edges = list(_Edges().of(rule))
    edges += [(f"sort {sort}", (variable,)) for variable, sort in sorts.items()]
    return [vertex for vertex in _order(edges) if vertex in sorts]


def _order(edges: Sequence[Edge]) -> list[Var]:
    """All vertices in canonical order."""
    search = _LeafSearch(edges)
    vertices = (v for _, variables in edges for v in variables)
    colours = search.refined(dict.fromkeys(vertices, 0))
    tied = dict.fromkeys(v for group in _ties(colours) for v in group)
    parts = _parts(edges, tied)
    if len(parts) == 1 and len(tied) == len(colours):
        least = search.least(colours)
        return sorted(least, key=least.__getitem__)
    ranked = sorted((_encoded(part, colours, tied) for part in parts), key=itemgetter(0))
    places = {v: place for place, v in enumerate(v for _, order in ranked for v in order)}
    return sorted(colours, key=lambda v: (colours[v], places.get(v, 0)))


def _parts(edges: Sequence[Edge], tied: Mapping[Var, None]) -> list[list[Edge]]:
    """The edges of tied vertices, in parts that share none of these vertices."""
    of: dict[Var, list[Edge]] = {v: [] for v in tied}
    for edge in edges:
        for v in edge[1]:
            if v in of:
                of[v].append(edge)
    parts: list[list[Edge]] = []
    while of:
        v, found = of.popitem()
        part, frontier = list(found), list(found)
        while frontier:
            for other in frontier.pop()[1]:
                fresh = of.pop(other, [])
                part += fresh
                frontier += fresh
        parts.append(list({id(edge): edge for edge in part}.values()))
    return parts


def _encoded(
    part: Sequence[Edge], colours: Colours, tied: Mapping[Var, None]
) -> tuple[Encoding, list[Var]]:
    """A part under its canonical order, and that; all other vertices are part of the labels."""
    within = dict.fromkeys(v for _, variables in part for v in variables if v in tied)
    edges: list[Edge] = [(f"cell {colours[v]}", (v,)) for v in within]
    for label, variables in part:
        others = [None if v in tied else colours[v] for v in variables]
        edges.append((f"{label} {others}", tuple(v for v in variables if v in tied)))
    order = _order(edges)
    places = {v: place for place, v in enumerate(order)}
    return sorted((label, tuple(places[v] for v in vs)) for label, vs in edges), order


def ordered(rule: Rule) -> Rule:
    """The rule with its body sorted: literals first; bodies within it too."""
    return replace(rule, body=_ordered(rule.body))


def _ordered(body: tuple[BodyItem, ...]) -> tuple[BodyItem, ...]:
    return tuple(sorted(map(_inside_ordered, body), key=_sort_key))


def _inside_ordered(item: BodyItem) -> BodyItem:
    if isinstance(item, NotExists):
        return NotExists(tuple(sorted(item.variables, key=str)), _ordered(item.body))
    if isinstance(item, Aggregate):
        group, values = sorted(item.group, key=str), sorted(item.values, key=repr)
        return Aggregate(_ordered(item.body), tuple(group), tuple(values))
    return item


_KINDS = Literal, Filter, Bind, Skolem, Row, NotExists, Aggregate


def _sort_key(item: BodyItem) -> tuple[int, str]:
    return _KINDS.index(type(item)), repr(item)


class _Edges:
    """The edges of a rule; `scopes` counts the vertices for NOT EXISTS and AGGREGATE."""

    def __init__(self) -> None:
        self.scopes = 0

    def of(self, rule: Rule) -> Iterator[Edge]:
        yield _edge("head", (), Literal(rule.head)) if rule.head else ("head", ())
        if rule.value is not None:
            yield _value_edge("", (), rule.value)
        for item in rule.body:
            yield from self.inside("body", (), item)

    def inside(self, part: str, scope: tuple[Var, ...], item: BodyItem) -> Iterator[Edge]:
        """The edges of an item that stands within a scope, the body having none."""
        if not isinstance(item, NotExists | Aggregate):
            yield _edge(part, scope, item)
            return
        inner = (Var(f"scope {self.scopes}"),)
        self.scopes += 1
        yield f"{part} {type(item).__name__}", (*scope, *inner)
        for each in item.body:
            yield from self.inside("within", inner, each)
        if isinstance(item, NotExists):
            yield from (("local", (*inner, variable)) for variable in item.variables)
        else:
            yield from (("group", (*inner, variable)) for variable in item.group)
            yield from (_value_edge("value", inner, value) for value in item.values)


def _edge(part: str, scope: tuple[Var, ...], item: BodyItem) -> Edge:
    variables = tuple(dict.fromkeys(item_variables(item)))
    numbers = {variable: Var(str(i)) for i, variable in enumerate(variables)}
    return f"{part} {rename_item(item, numbers.__getitem__)!r}", (*scope, *variables)


def _value_edge(part: str, scope: tuple[Var, ...], value: Value) -> Edge:
    variables = tuple(dict.fromkeys(value_variables(value)))
    numbers = {variable: Var(str(i)) for i, variable in enumerate(variables)}
    renamed = rename_rule(Rule(None, (), value=value), numbers.__getitem__)
    return f"{part} {renamed.value!r}", (*scope, *variables)


class _LeafSearch:
    """Depth-first over the ways to set tied variables apart; keeps the least leaf."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self.edges = edges
        self.best: Colours | None = None
        self.best_encoding: Encoding = []
        self.best_path: tuple[Var, ...] = ()
        self.symmetries: list[dict[Var, Var]] = []

    def least(self, colours: Colours) -> Colours:
        """The least encoding for refined colours."""
        self.visit(colours, ())
        assert self.best is not None
        return self.best

    def visit(self, colours: Colours, path: tuple[Var, ...]) -> None:
        tied = _first_tie(colours)
        if not tied:
            self.leaf(colours, path)
            return
        tried: list[Var] = []
        for variable in tied:
            if self.equivalent(variable, tried, path):
                continue
            known = len(self.symmetries)
            self.visit(self.refined(_individualised(colours, tied, variable)), (*path, variable))
            tried.append(variable)
            if len(self.symmetries) > known and self.best_path[: len(path)] != path:
                return  # the whole branch is an image of one that has been searched

    def leaf(self, colours: Colours, path: tuple[Var, ...]) -> None:
        encoding = sorted(
            (label, tuple(colours[v] for v in variables)) for label, variables in self.edges
        )
        if self.best is not None and encoding == self.best_encoding:
            at = {colour: variable for variable, colour in colours.items()}
            self.symmetries.append({v: at[colour] for v, colour in self.best.items()})
        elif self.best is None or encoding < self.best_encoding:
            self.best, self.best_encoding, self.best_path = colours, encoding, path

    def equivalent(self, variable: Var, tried: Sequence[Var], path: tuple[Var, ...]) -> bool:
        """Is there a known symmetry, fixing the path, from a tried variable to this one?"""
        fixing = [s for s in self.symmetries if all(s[v] == v for v in path)]
        orbit, frontier = {variable}, [variable]
        while frontier:
            at = frontier.pop()
            fresh = {s[at] for s in fixing} - orbit
            orbit |= fresh
            frontier += fresh
        return not orbit.isdisjoint(tried)

    def refined(self, colours: Colours) -> Colours:
        """Splits colours by what their variables' edges look like, until nothing changes."""
        while True:
            marks: dict[Var, list[Mark]] = {v: [] for v in colours}
            for label, variables in self.edges:
                seen = tuple(colours[v] for v in variables)
                for position, variable in enumerate(variables):
                    marks[variable].append((label, position, seen))
            finer = _ranked({v: (colours[v], sorted(marks[v])) for v in colours})
            if finer == colours:
                return colours
            colours = finer


def _ranked(signatures: Mapping[Var, tuple[int, list[Mark]]]) -> Colours:
    """Colours in the order of the signatures."""
    colours: Colours = {}
    ranked = sorted(signatures, key=signatures.__getitem__)
    for place, variable in enumerate(ranked):
        before = ranked[place - 1]
        same = place > 0 and signatures[before] == signatures[variable]
        colours[variable] = colours[before] if same else place
    return colours


def _first_tie(colours: Colours) -> list[Var]:
    """The variables of the least colour that several share, in a fixed order."""
    return next(_ties(colours), [])


def _ties(colours: Colours) -> Iterator[list[Var]]:
    """The variables of each colour that several share, the least first."""
    groups: dict[int, list[Var]] = {}
    for variable, colour in colours.items():
        groups.setdefault(colour, []).append(variable)
    return (groups[colour] for colour in sorted(groups) if len(groups[colour]) > 1)


def _individualised(colours: Colours, tied: Sequence[Var], first: Var) -> Colours:
    """The colours with one of the tied variables before the others."""
    return colours | {variable: colours[variable] + (variable != first) for variable in tied}
