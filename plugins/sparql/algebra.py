"""Trees of SPARQL texts -> algebra (SPARQL 1.1, section 18.2), in the terms of rdflib's.

rdflib's own translation takes a FILTER whose condition is a literal that is false for none, and
drops it; knows EXISTS only in WHERE; and takes `CONSTRUCT {} WHERE …` for `CONSTRUCT WHERE …`. Its
parser is used, and how it resolves prefixed names and reads paths.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial, reduce
from itertools import chain
from typing import Any

from rdflib.paths import AlternativePath, InvPath, NegatedPath
from rdflib.plugins.sparql.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Group,
    LeftJoin,
    Minus,
    OrderBy,
    Project,
    ToMultiSet,
    Union,
    Values,
    _addVars,
    _simplifyFilters,
    _traverseAgg,
    analyse,
    translatePath,
    translatePName,
    translatePrologue,
    traverse,
)
from rdflib.plugins.sparql.algebra import Join as JoinOf
from rdflib.plugins.sparql.operators import TrueFilter, and_
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Prologue, Query, Update
from rdflib.term import BNode, Literal, Variable

from rdfinc import DataSyntaxError
from rdfinc.plugins.sparql.aggregation import aggregated, has_aggregate
from rdfinc.plugins.sparql.in_scope import bound_twice, named_twice, projected
from rdfinc.plugins.sparql.part_variables import EXISTS

Prefixes = Mapping[str, Any]
_ESCAPED = re.compile(r"\\([_~.\-!$&'()*+,;=/?#@%])")
_MOST = 1 << 60
_UNTRANSLATED = ("GroupGraphPatternSub", "FakeGroupGraphPatten", "SubSelect")


def query_of(tree: Any, prefixes: Prefixes, base: str | None = None) -> Query:
    """The algebra of a query. Raises DataSyntaxError."""
    prologue = translatePrologue(tree[0], base, prefixes)
    parsed = _resolved(tree[1], prologue)
    part, variables = _solutions(parsed)
    form = CompValue(parsed.name, p=part, datasetClause=parsed.datasetClause)
    if parsed.name == "ConstructQuery":
        form["template"] = _template(parsed)
    else:
        form["PV"] = variables
    _named_once(form)
    return Query(prologue, _prepared(form))


def update_of(tree: Any, prefixes: Prefixes, base: str | None = None) -> Update:
    """The algebra of an update request, which may have no operation. Raises DataSyntaxError."""
    operations, prologue = [], Prologue()
    prologue.base = base or ""
    for declared, operation in zip(tree.prologue, tree.request or (), strict=False):
        before = _copied(prologue) if operations else prologue
        prologue = translatePrologue(declared, None, prefixes, before)
        operations.append(_operation(_resolved(operation, prologue)))
        operations[-1].prologue = prologue
    return Update(prologue, operations)


def _copied(prologue: Prologue) -> Prologue:
    """A copy of the prefixes and the base, unaffected by later declarations."""
    twin = Prologue()
    twin.base = prologue.base
    for prefix, namespace in prologue.namespace_manager.namespaces():
        twin.bind(prefix, namespace)
    return twin


def _resolved(tree: CompValue, prologue: Prologue) -> Any:
    """A tree with terms for names and literals, and with paths."""
    tree = traverse(tree, visitPost=partial(_term, prologue))
    tree = traverse(tree, visitPost=_simplifyFilters)
    return traverse(tree, visitPost=_path)


def _term(prologue: Prologue, tree: Any) -> Any:
    """A name or a literal as the term that it stands for; literals stay as they are written, and
    what is escaped in a name stands for itself."""
    if isinstance(tree, CompValue) and tree.name == "pname" and tree.localname:
        tree["localname"] = _ESCAPED.sub(r"\1", tree.localname)
    if not isinstance(tree, CompValue) or tree.name != "literal":
        return translatePName(tree, prologue)
    datatype = prologue.absolutize(tree.datatype)
    return Literal(tree.string, lang=tree.lang, datatype=datatype, normalize=False)


def _path(tree: Any) -> Any:
    name = tree.name if isinstance(tree, CompValue) else None
    if name == "InversePath":
        return InvPath(tree.part)
    if name == "PathNegatedPropertySet":
        return NegatedPath(AlternativePath(*(tree.part or ())))
    return translatePath(tree)


def _prepared(form: CompValue) -> CompValue:
    """A query with the notes that rdflib's evaluator wants."""
    _traverseAgg(form, visitor=analyse)
    _traverseAgg(form, _addVars)
    return form


def _named_once(part: CompValue) -> None:
    """Raises DataSyntaxError for a blank node that two basic graph patterns name."""
    named: set[BNode] = set()
    for basic in parts_called("BGP", part):
        own = {term for triple in basic.triples for term in triple if isinstance(term, BNode)}
        if twice := own & named:
            label = min(twice).n3()
            raise _wrong(f"{label} stands in two basic graph patterns; name it by a variable")
        named |= own


def refuse_unkeyed(part: Any, bound: Collection[Variable]) -> None:
    """Raises DataSyntaxError for a variable shown beside groups (11.4), unless it is a key of
    GROUP BY or bound before the request."""
    for groups in parts_called("AggregateJoin", part):
        for variable in groups.unkeyed:
            if variable not in bound:
                raise _wrong(
                    f"{variable.n3()} is no key of GROUP BY, and has many values in a group: "
                    f"add it to GROUP BY, or show an aggregate, SAMPLE({variable.n3()})"
                )
        refuse_unkeyed(groups.p, bound)


def parts_called(name: str, part: Any) -> Iterator[CompValue]:
    """The parts of that name in a part and its expressions, those within one of them left out."""
    if isinstance(part, CompValue) and part.name == name:
        yield part
    elif isinstance(part, CompValue | list):
        for each in dict.values(part) if isinstance(part, CompValue) else part:
            yield from parts_called(name, each)


# -- graph patterns (18.2.2)


def pattern(tree: CompValue) -> CompValue:
    """The algebra of a group graph pattern or a sub-select."""
    if tree.name == "SubSelect":
        return ToMultiSet(_solutions(tree)[0])
    filters, inner = _group(tree)
    return Filter(expr=and_(*filters), p=inner) if filters else inner


def _group(tree: CompValue) -> tuple[list[Any], CompValue]:
    """The conditions of a group, which hold for all of it, and the algebra of its other parts."""
    parts = tree.part or []
    for variable in bound_twice(parts) if any(part.name == "Bind" for part in parts) else ():
        raise _wrong(f"BIND: {variable.n3()} has a value already; give another variable that one")
    filters = [expression(part.expr) for part in parts if part.name == "Filter"]
    others = _with_whole_blocks(part for part in parts if part.name != "Filter")
    return filters, reduce(_added, others, BGP())


def _with_whole_blocks(parts: Iterable[CompValue]) -> Iterator[CompValue]:
    """The parts, with one part for triples that stand beside each other."""
    block: CompValue | None = None
    for part in parts:
        if part.name != "TriplesBlock":
            block = None
            yield part
        elif block is None:
            block = BGP(triples(part.triples))
            yield block
        else:
            block["triples"] += triples(part.triples)


def triples(lists: Iterable[Any] | None) -> list[tuple[Any, Any, Any]]:
    """The triples of lists of terms, three for each."""
    terms = [term for each in lists or () for term in each]
    return list(zip(terms[::3], terms[1::3], terms[2::3], strict=True))


def _added(before: CompValue, part: CompValue) -> CompValue:
    """The algebra of a group's parts up to one."""
    way = _PARTS.get(part.name)
    return way(before, part) if way else _join(before, part)


def _optional(before: CompValue, part: CompValue) -> CompValue:
    """Conditions of the optional group itself are told of what both sides bind."""
    tree = part.graph
    if tree.name == "SubSelect":
        return LeftJoin(before, pattern(tree), TrueFilter)
    filters, inner = _group(tree)
    return LeftJoin(before, inner, and_(*filters) if filters else TrueFilter)


def _minus(before: CompValue, part: CompValue) -> CompValue:
    return Minus(before, pattern(part.graph))


def _bound(before: CompValue, part: CompValue) -> CompValue:
    return Extend(before, expression(part.expr), part.var)


def _alternatives(before: CompValue, part: CompValue) -> CompValue:
    return _join(before, reduce(Union, map(pattern, part.graph)))


def _in_graph(before: CompValue, part: CompValue) -> CompValue:
    return _join(before, Graph(part.term, pattern(part.graph)))


def _given(before: CompValue, part: CompValue) -> CompValue:
    return _join(before, ToMultiSet(_values(part)))


_PARTS: dict[str, Callable[[CompValue, CompValue], CompValue]] = {
    "OptionalGraphPattern": _optional,
    "MinusGraphPattern": _minus,
    "Bind": _bound,
    "GroupOrUnionGraphPattern": _alternatives,
    "GraphGraphPattern": _in_graph,
    "InlineData": _given,
}
"""The operators by which parts of a group are added to those before; others are joined."""


def _join(before: CompValue, part: CompValue) -> CompValue:
    if before.name == "BGP" and not before.triples:
        return part
    return before if part.name == "BGP" and not part.triples else JoinOf(before, part)


def _values(tree: CompValue) -> CompValue:
    variables, values = tree.var or [], tree.value or []
    rows = [value if isinstance(value, list) else [value] for value in values]
    for row in rows:
        if len(row) != len(variables):
            raise _wrong(f"VALUES has {len(variables)} variables and a row of {len(row)} terms")
    return Values([dict(zip(variables, row, strict=True)) for row in rows])


def expression(tree: Any) -> Any:
    """An expression, or several, with what the patterns of its EXISTS denote."""
    if isinstance(tree, list):
        return [expression(part) for part in tree]
    if isinstance(tree, CompValue) and tree.name in EXISTS:
        return _existence(tree)
    if isinstance(tree, CompValue):
        for name, part in dict.items(tree):
            tree[name] = expression(part)
    return tree


def _existence(tree: CompValue) -> CompValue:
    if tree.graph.name in _UNTRANSLATED:
        tree["graph"] = pattern(tree.graph)
        tree.graph.no_isolated_scope = tree.graph.name == "Filter"
    return tree


# -- solution modifiers (18.2.4)


def _solutions(tree: CompValue) -> tuple[CompValue | None, list[Any]]:
    """The algebra of a query or sub-select, None without WHERE, and the variables that it shows."""
    shown = projected(tree)
    if tree.where is None and tree.name == "DescribeQuery":
        return None, list(dict.fromkeys(tree.var))
    for variable in named_twice(tree):
        raise _wrong(f"SELECT: {variable.n3()} has a value already; name the expression otherwise")
    for clause in (tree.projection, tree.groupby, tree.having, tree.orderby):
        expression(clause)
    part = pattern(tree.where) if tree.where is not None else BGP()
    part = _grouped(tree, part)
    if tree.having:
        part = Filter(expr=and_(*tree.having.condition), p=part)
    if tree.valuesClause:
        part = JoinOf(part, ToMultiSet(_values(tree.valuesClause)))
    for named in tree.projection or ():
        part = Extend(part, named.expr, named.evar) if named.evar is not None else part
    if tree.orderby:
        part = OrderBy(part, [_order(each) for each in tree.orderby.condition])
    return _cut(tree, Project(part, shown)), shown


def _grouped(tree: CompValue, part: CompValue) -> CompValue:
    """The groups of GROUP BY, or one of all if there is an aggregate."""
    asked = [tree.having, tree.orderby, *(named.expr for named in tree.projection or ())]
    if not tree.groupby:
        return aggregated(tree, Group(part)) if any(map(has_aggregate, asked)) else part
    if not tree.projection and tree.name in ("SelectQuery", "SubSelect"):
        raise _wrong("SELECT * does not go with GROUP BY: name the variables to show")
    keys = tree.groupby.condition
    for key in filter(_is_named, keys):
        part = Extend(part, key.expr, key.var)
    return aggregated(tree, Group(part, list(map(_key, keys))))


def _is_named(key: Any) -> bool:
    """Whether a key of GROUP BY is `(expression AS ?variable)`."""
    return isinstance(key, CompValue) and key.name == "GroupAs" and key.var is not None


def _key(key: Any) -> Any:
    if isinstance(key, CompValue) and key.name == "GroupAs":
        return key.expr if key.var is None else key.var
    return key


def _order(tree: CompValue) -> CompValue:
    return CompValue("OrderCondition", expr=tree.expr, order=tree.order)


def _cut(tree: CompValue, part: CompValue) -> CompValue:
    """DISTINCT or REDUCED, then OFFSET and LIMIT."""
    modifier = "DISTINCT" if tree.name == "DescribeQuery" else tree.modifier
    if modifier:
        part = CompValue(modifier.capitalize(), p=part)
    if not tree.limitoffset:
        return part
    start, length = tree.limitoffset.offset, tree.limitoffset.limit
    part = CompValue("Slice", p=part, start=0 if start is None else _count(start))
    if length is not None:
        part["length"] = _count(length)
    return part


def _count(number: Literal) -> int:
    """A number of rows, of which there are never more than `_MOST`."""
    digits = number.lstrip("+0") or "0"
    return int(digits) if len(digits) < len(str(_MOST)) else _MOST


def _template(tree: CompValue) -> list[tuple[Any, Any, Any]]:
    """The triples to construct; those of the pattern if that is the template too."""
    if tree.where is None or tree.where.name == "FakeGroupGraphPatten":
        blocks = tree.where.part if tree.where is not None else ()
        return [triple for block in blocks for triple in triples(block.triples)]
    return triples(tree.template)


# -- updates (SPARQL 1.1 Update, 3)


def _operation(tree: CompValue) -> CompValue:
    if tree.name == "Modify":
        for template in filter(None, (tree.delete, tree.insert)):
            template["triples"], template["quads"] = _quads(template.quads)
        if tree.delete:
            _without_blanks(tree.delete, "DELETE")
        tree["where"] = pattern(tree.where)
        _named_once(tree.where)
    elif tree.name in ("InsertData", "DeleteData", "DeleteWhere"):
        tree["triples"], tree["quads"] = _quads(tree.quads)
    if tree.name in _GROUND:
        _without_variables(tree, _GROUND[tree.name])
    if tree.name in _WITHDRAWN:
        _without_blanks(tree, _WITHDRAWN[tree.name])
    return tree


_WITHDRAWN = {"DeleteData": "DELETE DATA", "DeleteWhere": "DELETE WHERE"}
_GROUND = {"InsertData": "INSERT DATA", "DeleteData": "DELETE DATA"}


def _without_variables(template: CompValue, where: str) -> None:
    """Raises DataSyntaxError for a variable in ground data (19.8, note 8)."""
    terms = chain(*template.triples, template.quads, *chain(*template.quads.values()))
    for term in terms:
        if isinstance(term, Variable):
            raise _wrong(f"{term.n3()} in {where}, which takes no variables: use {where[:6]} WHERE")


def _without_blanks(template: CompValue, where: str) -> None:
    """Raises DataSyntaxError for a blank node among what is to be deleted (19.8, note 7)."""
    for triple in chain(template.triples, *template.quads.values()):
        if any(isinstance(term, BNode) for term in triple):
            raise _wrong(f"a blank node in {where} names nothing: use a variable of WHERE")


def _quads(tree: CompValue) -> tuple[list[Any], Mapping[Any, list[Any]]]:
    """The triples of no named graph, and those of each."""
    of_graphs: defaultdict[Any, list[Any]] = defaultdict(list)
    for block in tree.quadsNotTriples or ():
        if block.triples:
            of_graphs[block.term] += triples(block.triples)
    return triples(tree.triples), of_graphs


def _wrong(reason: str) -> DataSyntaxError:
    return DataSyntaxError("query", None, "", reason)
