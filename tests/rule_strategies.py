"""Hypothesis strategies for rules: few names, so that shapes repeat and symmetries are common."""

from __future__ import annotations

from hypothesis import strategies as st

from rdfinc.datalog.model import RDF_TYPE, Atom, Bind, Expression, Filter, Literal, Rule, Var

XSD = "http://www.w3.org/2001/XMLSchema#"
VARIABLES = [Var(name) for name in "xyzu"]
IRIS = ["<http://e.org/p>", "<http://e.org/q>", "<urn:c:D>"]
LITERALS = [
    '"a"',
    '"a"@en-gb',
    f'"01"^^<{XSD}integer>',
    f'"-5"^^<{XSD}integer>',
    f'"1.50"^^<{XSD}decimal>',
    f'"true"^^<{XSD}boolean>',
    '"a \\"b\\" ?x <urn:c:D> \\\\ \\n"',
]
CONDITIONS = ["{0} != {1}", "{0} < {1}", 'STRLEN(STR({0})) > STRLEN("?x")', "!isBlank({1})"]
VALUES = ["STR({0})", "{0} + {1}", "IF({0} = <urn:c:D>, {1}, {0})"]

variables = st.sampled_from(VARIABLES)
iris = st.sampled_from(IRIS)
names = st.sampled_from(["", "a", "prp-trp", "two words", 'say "x"'])


def _expression(texts: list[str]) -> st.SearchStrategy[Expression]:
    def make(text: str, first: Var, second: Var) -> Expression:
        used = [v for i, v in enumerate((first, second)) if f"{{{i}}}" in text]
        order = sorted(dict.fromkeys(used), key=lambda v: text.format(first, second).index(str(v)))
        return Expression(text.format(first, second), tuple(order))

    return st.builds(make, st.sampled_from(texts), variables, variables)


atoms = st.builds(
    Atom,
    st.one_of(variables, iris),
    st.one_of(st.just(RDF_TYPE), iris, variables),
    st.one_of(variables, iris, st.sampled_from(LITERALS)),
)
items = st.one_of(
    st.builds(Literal, atoms),
    st.builds(Literal, atoms),
    st.builds(Filter, _expression(CONDITIONS)),
    st.builds(Bind, _expression(VALUES), st.just(Var("w"))),
)
rules = st.builds(
    Rule,
    st.one_of(st.none(), atoms),
    st.lists(items, min_size=1, max_size=4).map(tuple),
    names,
)
"""Rules that parse; not all are safe."""
