"""The literals that users' rules ask about: for each family, rules beside owl2rl_datatypes.dlog.

A family (see `rule_families`) reads the class named by a parameter, or every class if a variable
stands for one, and gives literals to the property named by another parameter:

    [?v0, ?c0, ?v1] :- [?v0, rdf:type, ?c1], [?v0, ?c2, ?v2], BIND(…), [?row, aux:F.0, ?c0], …

Then the datatypes below ?c1 are asked for (`readers`), and the literals ?v1 are among those asked
(`givers`). An auxiliary relation gives no literals: its values are asked about where a fact has
them."""

from __future__ import annotations

from collections.abc import Iterator

from rdfinc.datalog.model import RDF_TYPE, Atom, Expression, Filter, Literal, Rule, Term, Var
from rdfinc.datalog.transform.rule_families import ROW
from rdfinc.owl.vocabulary import AUXILIARY, RDFS


def readers(template: Rule) -> Iterator[Rule]:
    """The rules with which a family asks what literals are; none for most families."""
    rows, first = _rows(template)
    for literal in template.literals():
        atom = literal.atom
        if atom.predicate == RDF_TYPE:
            yield _of_class(rows[atom.object]) if atom.object in rows else _of_classes(first)
        elif atom.predicate in rows:
            yield _of_property(rows[atom.predicate])


def givers(template: Rule) -> Iterator[Rule]:
    """The rule by which literals of a family's heads are among those asked: its body is that of the
    family, so it depends on nothing else than the heads do."""
    head = template.head
    if head is None:
        return
    tests = [_test(f"<urn:rdfinc:inDatatype>(?, <{RDFS}Literal>)", head.object)]
    if isinstance(head.predicate, Var):
        tests.append(_test("isIRI(?)", head.predicate))
    _, row = _rows(template)
    body = [Literal(_asked("literals.asked", Var("a"))), Literal(row), *template.body]
    asked = _asked("literal.asked", head.object)
    yield Rule(asked, (*dict.fromkeys(body), *tests), name="dt-type2")


def _test(text: str, term: Term) -> Filter:
    """A test of a variable of a template."""
    assert isinstance(term, Var)
    return Filter(Expression(text.replace("?", str(term)), (term,)))


def gives_literals(core: Rule) -> bool:
    """Whether the object of a core rule's head may be a literal that is no fact's object before: a
    constant, or one that is computed, a subject, or of an auxiliary relation."""
    head = core.head
    if head is None or _is_auxiliary(head.predicate):
        return False
    if isinstance(head.object, str):
        return head.object.startswith('"')
    objects = {
        literal.atom.object
        for literal in core.literals()
        if literal.positive and not _is_auxiliary(literal.atom.predicate)
    }
    return head.object not in objects


def _is_auxiliary(predicate: Term) -> bool:
    return isinstance(predicate, str) and predicate.startswith(f"<{AUXILIARY}")


def _rows(template: Rule) -> tuple[dict[Term, Atom], Atom]:
    """The atoms over a family's parameter tables by their parameters, and the first of them."""
    atoms = [literal.atom for literal in template.literals() if literal.atom.subject == ROW]
    return {atom.object: atom for atom in atoms}, atoms[0]


def _of_class(row: Atom) -> Rule:
    """Datatypes below a class that is read are asked for."""
    d, class_ = Var("d"), row.object
    return _rule(_asked("datatype.asked", d), Atom(class_, _aux("datatype.part"), d), row)


def _of_classes(row: Atom) -> Rule:
    """Every datatype is asked for where each class is read."""
    return _rule(Atom(RDF_TYPE, _aux("property.asked"), RDF_TYPE), row)


def _of_property(row: Atom) -> Rule:
    """A property of literals that is read is asked for."""
    read = row.object
    return _rule(_asked("property.asked", read), _asked("literal.property", read), row)


def _asked(name: str, term: Term) -> Atom:
    return Atom(term, _aux(name), term)


def _aux(name: str) -> str:
    return f"<{AUXILIARY}{name}>"


def _rule(head: Atom, *body: Atom) -> Rule:
    return Rule(head, tuple(map(Literal, body)), name="dt-type2")
