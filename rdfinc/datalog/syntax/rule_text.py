"""Rule text -> rules, in the Datalog dialect of RDFox (ALGORITHMS §2).

    @prefix : <http://example.org/> .
    @rule assistant "a student who tutors is an assistant" .
    [?x, a, :TA] :- :Student[?x], [?x, :tutor, ?y], FILTER(?x != ?y) .
    false :- :TA[?x], :Retired[?x] .

`C[?x]` is `[?x, a, C]` and `R[?x, ?y]` is `[?x, R, ?y]`; a rule with several heads stands for
several rules, and one without a body is a fact. Terms are written as in Turtle; expressions are
SPARQL 1.1's, their text normalised: IRIs and literals in full, single spaces around operators, no
parenthesis that is not needed. The grammar is `rules.lark`; lark is imported at the first call.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Expression, Program, Rule
from rdfinc.datalog.rule_thresholds import RULES
from rdfinc.errors import RuleError
from rdfinc.terms.whole_imports import WHOLE

PREFIXES: Mapping[str, str] = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "swrlb": "http://www.w3.org/2003/11/swrlb#",
}
"""The prefixes that need no declaration; the text's own and the caller's come first."""


def parse_rules(text: str, prefixes: Mapping[str, str] = PREFIXES) -> Program:
    """The rules of a text in order, each kept once (up to variable names and body order).

    Raises RuleSyntaxError where the text is no rule text, UnsupportedError where it asks for what
    rules cannot have; both tell the place.
    """
    first: dict[Rule, Rule] = {}
    for _, _, rule in parse_named(text, prefixes):
        first.setdefault(canonical(rule), rule)
    return Program(tuple(first.values()))


def parse_named(text: str, prefixes: Mapping[str, str] = PREFIXES) -> list[tuple[str, str, Rule]]:
    """(name, meaning, rule) for every rule of the text; raises as `parse_rules` does.

    Name and meaning come from the last `@rule name "meaning" .` before the rule, else are empty;
    a rule with n heads gives n entries. Of many rules those of one shape are read once; where that
    meets a fault the whole is read, which tells the place.
    """
    with WHOLE:
        from rdfinc.datalog.syntax.rule_reader import read_rules
        from rdfinc.datalog.syntax.rule_shapes import MARK, PLACE, read_by_shape

    known = {**PREFIXES, **prefixes}
    is_plain = MARK not in text and PLACE not in text
    if is_plain and max(text.count(":-"), text.count(".\n")) >= RULES.many_rules:
        with suppress(RuleError):
            return read_by_shape(text, known)
    return read_rules(text, known)


def parse_expression(text: str, prefixes: Mapping[str, str] = PREFIXES) -> Expression:
    """A SPARQL expression on its own; raises as `parse_rules` does."""
    with WHOLE:
        from rdfinc.datalog.syntax.rule_reader import read_expression

    return read_expression(text, {**PREFIXES, **prefixes})
