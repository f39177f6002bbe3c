"""The literals that users' rules ask about: for each family, rules beside owl2rl_datatypes.dlog.

A family (see `rule_families`) reads the class named by a parameter, or every class if a variable
stands for one, and gives literals to the property named by another parameter:

    [?v0, ?c0, ?v1] :- [?v0, rdf:type, ?c1], [?v0, ?c2, ?v2], BIND(…), [?row, aux:F.0, ?c0], …

Then the datatypes below ?c1 are asked for, and the literals of ?c0 are among those asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from rdfinc.datalog.model import RDF_TYPE, Atom, Expression, Filter, Literal, Rule, Term, Var
from rdfinc.datalog.transform.rule_families import ROW, parameter
from rdfinc.owl.vocabulary import AUXILIARY, RDFS


def readers(template: Rule, family: str) -> Iterator[Rule]:
    """The rules with which a family asks about literals; none for most families."""
    tables = {
        str(literal.atom.predicate): literal.atom
        for literal in template.literals()
        if literal.atom.subject == ROW
    }
    rows = {atom.object: atom for atom in tables.values()}
    first = tables[parameter(family, 0)]
    for literal in template.literals():
        atom = literal.atom
        if atom.predicate == RDF_TYPE:
            yield _of_class(rows[atom.object]) if atom.object in rows else _of_classes(first)
        elif atom.predicate in rows:
            yield _of_property(rows[atom.predicate])
    head = template.head
    if head is not None and head.predicate in rows and _may_be_new(head.object, template):
        yield _of_head(rows[head.predicate])


def _may_be_new(term: Term, template: Rule) -> bool:
    """Whether a term of a head may be a literal that no atom of the body has."""
    found = {
        end
        for literal in template.literals()
        if literal.atom.subject != ROW
        for end in (literal.atom.subject, literal.atom.object)
    }
    return term not in found


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


def _of_head(row: Atom) -> Rule:
    """Rules that ask about literals that are computed, or named by rules."""
    a, x, v = map(Var, "axv")
    is_literal = Filter(Expression(f"<urn:rdfinc:inDatatype>(?v, <{RDFS}Literal>)", (v,)))
    read = (_asked("literals.asked", a), row, Atom(x, row.object, v))
    return _rule(_asked("literal.asked", v), *read, test=(is_literal,))


def _asked(name: str, term: Term) -> Atom:
    return Atom(term, _aux(name), term)


def _aux(name: str) -> str:
    return f"<{AUXILIARY}{name}>"


def _rule(head: Atom, *body: Atom, test: tuple[Filter, ...] = ()) -> Rule:
    return Rule(head, (*map(Literal, body), *test), name="dt-type2")
