"""Random expressions over columns of terms of every kind are worth what they are row by row, and
what they are worth to Oxigraph where the standard leaves nothing open."""

from __future__ import annotations

import itertools
import random
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyoxigraph as ox
import pytest
from rdflib import RDF, Graph, Variable
from rdflib.plugins.sparql import prepareQuery
from rdflib_store.row_by_row import answer

from laws.asking import turtle_key
from rdfinc import BudgetExceededError, KnowledgeBase
from rdfinc.plugins.rdflib_store import RdfincStore
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.algebra.translate import query_of
from rdfinc.plugins.sparql.by_rdflib.rdflib_solutions import SolutionRow, rdflibs_context
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.solutions import Solutions
from rdfinc.plugins.sparql.evaluation.evaluate import terms_of
from rdfinc.plugins.sparql.expressions.column_expressions import QueryExpression
from rdfinc.plugins.sparql.expressions.labels import RowLabels
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.terms.builtins.numeric import is_nan
from rdfinc.terms.builtins.values import XSD, Other, value_of
from rdfinc.terms.oxigraph_terms import to_oxigraph
from rdfinc.terms.rdflib_terms import to_rdflib
from thresholds import put

VARIABLES = ["a", "b", "c"]
TYPED = """
integer 0 1 2 +3 -7 007 -0 12345678901234567890 99999999999999999999999999 x
integer 9007199254740992 9007199254740993
int 5 2147483648
decimal 0.0 1.50 -2.25 .1 0.3 1 12345678901234567.123456789
double 0 -0 1e0 1.5 -2.25E1 0.1 INF -INF NaN 1e308 9007199254740993
float 0.1 2.5 NaN 16777217
boolean true false 1 0 yes
date 2020-02-29 2020-03-01Z 2019-12-31+05:00 1999-13-01
dateTime 2020-02-29T10:00:00 2020-02-29T10:00:00Z 2020-02-29T12:00:00.50+02:00 today
dateTime 2020-02-29T11:30:00Z 2020-02-29T23:59:59.9Z 2021-01-01T00:00:00-05:30
time 10:00:00 10:00:00Z
duration P1Y P12M P1D PT24H
dayTimeDuration P1D PT36H
token a b
anyURI x:a
hexBinary 0fB7
"""
TEXTS = """ "" "a" "b" "ab" "B" "x:a" "1" "é😀" "-1.5" "true" "a\\"\\\\\\nb" "a"@en "b"@en
"ab"@en-gb "a"@fr "a"^^<x:t> "b"^^<x:t> <x:a> <x:b> <http://e/é> _:b1 """


def typed(*wanted: str) -> list[str]:
    """Literals of some datatypes, or of all."""
    lines = (line.split() for line in TYPED.strip().split("\n"))
    return [
        f'"{text}"^^<{XSD}{kind}>'
        for kind, *texts in lines
        for text in texts
        if not wanted or kind in wanted
    ]


ZONE = re.compile(r'(Z|[+-]\d\d:\d\d)"')
NUMBERS = typed("integer", "decimal", "double")
KINDS = [  # of values of one kind, or of some that may be compared
    NUMBERS,
    typed("integer"),
    typed("integer", "decimal"),
    typed("double"),
    typed("double", "float"),
    typed("boolean"),
    typed("integer", "boolean"),
    typed("date"),
    typed("dateTime"),
    [term for term in typed("dateTime") if ZONE.search(term)],
    typed("date", "dateTime", "time"),
    [term for term in TEXTS.split() if term[-1] == '"'],
]
KINDS = [
    [term for term in kind if not isinstance(value_of(term.encode()), Other)] for kind in KINDS
]
TERMS = [*typed(), *TEXTS.split(), '"a b"']
CONSTANTS = [term for term in TERMS if term[0] != "_"]
CASTS = ["integer", "decimal", "double", "float", "string", "boolean", "dateTime"]
OF_ONE = [
    "STR", "LANG", "DATATYPE", "ABS", "CEIL", "FLOOR", "ROUND", "STRLEN", "UCASE", "LCASE",
    "ENCODE_FOR_URI", "YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TIMEZONE", "TZ",
    "MD5", "SHA1", "isIRI", "isBLANK", "isLITERAL", "isNUMERIC", "IRI",
]  # fmt: skip
LANGUAGES = ['"en"', '"de-AT"', '"-"']
OF_TWO = ["CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER", "sameTerm", "LANGMATCHES"]


def expression(chance: random.Random, depth: int) -> str:
    def part() -> str:
        return expression(chance, depth - 1)

    if not depth or chance.random() < 0.15:
        return f"?{chance.choice(VARIABLES)}" if chance.random() < 0.7 else chance.choice(CONSTANTS)
    one, other, third = part(), part(), part()
    sign = chance.choice(["=", "!=", "<", ">", "<=", ">="])
    plus, times = chance.choice("+-*/"), chance.choice("+-*/")
    pattern = chance.choice(['"a"', '"^b$"', '"("', '"B"'])
    named = {"of_one": chance.choice(OF_ONE), "of_two": chance.choice(OF_TWO)}
    listed = ", ".join(chance.sample(CONSTANTS, 4))
    return chance.choice([
        f"({one} {sign} {other})",
        f"({one} {sign} {other})",
        f"({one} {plus} {other})",
        f"({one} {plus} {other} {times} {third})",
        f"({one} {chance.choice(['&&', '||'])} {other})",
        f"{chance.choice('!+-')}({one})",
        f"{named['of_one']}({one})",
        f"{named['of_one']}({one})",
        f"{named['of_two']}({one}, {other})",
        f"<{XSD}{chance.choice(CASTS)}>({one})",
        f"IF({one}, {other}, {third})",
        f"COALESCE({one}, {other})",
        f"BOUND(?{chance.choice(VARIABLES)})",
        f"CONCAT({one}, {other})",
        f"SUBSTR({one}, {other})",
        f"SUBSTR({one}, {chance.randint(-1, 3)}, {other})",
        f'REGEX({one}, {pattern}, "i")',
        f'REPLACE({one}, "a|b", {other})',
        f"STRDT({one}, <{XSD}{chance.choice(['integer', 'string', 'date'])}>)",
        f"STRLANG({one}, {chance.choice(LANGUAGES)})",
        f"({one} {chance.choice(['IN', 'NOT IN'])} ({other}, {third}))",
        f"({one} {chance.choice(['IN', 'NOT IN'])} ({listed}))",
    ])  # fmt: skip


class Columns:
    """Random rows of terms, and the values of expressions for them."""

    def __init__(self, chance: random.Random) -> None:
        self.store = RdfincStore(KnowledgeBase(profile="none"))
        self.store.kb.update(insert=[("<x:s>", "<x:p>", term) for term in TERMS[::2]])
        self.ctx = QueryContext(Graph(), {}, Declared({}))
        some = chance.choice([TERMS, chance.choice(KINDS), chance.sample(TERMS, 6)])
        self.rows = [
            {v: chance.choice(some).encode() for v in VARIABLES if chance.random() < 0.9}
            for _ in range(chance.choice([0, 1, 9, 60]))
        ]

    def by_columns(self, tree: Any, budget: Budget) -> list[bytes | None]:
        terms = terms_of(self.store.kb)
        query = SimpleNamespace(terms=terms, ctx=self.ctx, budget=budget, labels=RowLabels())
        ids = {
            Variable(v): terms.numbers_of_keys([row.get(v) for row in self.rows]) for v in VARIABLES
        }
        values = QueryExpression(tree).values(Solutions(len(self.rows), ids), query)
        holds = QueryExpression(tree).holds(Solutions(len(self.rows), ids), query)
        assert values.dtype == np.uint32 and holds.dtype == np.bool_
        return [terms.key(id) or None for id in values.tolist()]

    def one_by_one(self, tree: Any) -> list[bytes | None]:
        given = [{Variable(v): to_rdflib(key) for v, key in row.items()} for row in self.rows]
        return [answer(tree, SolutionRow(rdflibs_context(self.ctx), row)) for row in given]

    def by_oxigraph(self, text: str) -> list[bytes | None]:
        """Oxigraph rewrites numbers, and moments, as it stores them."""
        store = ox.Store()
        for number, row in enumerate(self.rows):
            subject = ox.NamedNode(f"x:{number}")
            store.add(ox.Quad(subject, ox.NamedNode("x:n"), ox.Literal(number)))
            for v, key in row.items():
                store.add(ox.Quad(subject, ox.NamedNode(f"x:{v}"), to_oxigraph(key)))
        parts = " ".join(f"OPTIONAL {{ ?s <x:{v}> ?{v} }}" for v in VARIABLES)
        found = store.query(f"SELECT ({text} AS ?v) {{ ?s <x:n> ?n {parts} }} ORDER BY ?n")
        return [None if row["v"] is None else str(row["v"]).encode() for row in found]


def parsed(text: str) -> Any:
    query = query_of(f"SELECT ({text} AS ?v) {{ }}", {}).algebra
    return query.p.p.expr


def alike(one: bytes | None, other: bytes | None) -> bool:
    """Whether two answers are the same term, or the same value of one kind."""
    if one is None or other is None or one == other:
        return one == other
    left, right = value_of(one), value_of(other)
    return not isinstance(left, Other) and (left == right or (is_nan(left) and is_nan(right)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(150))
def test_expressions_by_columns_are_worth_what_they_are_row_by_row(
    seed: int, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    chance = random.Random(seed)
    put(monkeypatch, QUERIES, watched_rows=7)
    columns = Columns(chance)
    for _ in range(8):
        text = expression(chance, chance.choice([1, 2, 3]))
        tree = parsed(text)
        expected = columns.one_by_one(tree)
        for budget in (Budget(), Budget(timeout=1000)):
            found = columns.by_columns(tree, budget)
            for row, one, other in zip(columns.rows, found, expected, strict=True):
                assert alike(one, other), f"{text} of {row}: {one!r}, and row by row {other!r}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("sign", ["=", "!=", "<", ">", "<=", ">=", "+", "/"])
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_all_pairs_of_a_kind_are_compared_as_they_are_row_by_row(kind: int, sign: str) -> None:
    """Each term with each in columns of these terms alone, and with errors among them."""
    columns = Columns(random.Random(kind))
    pairs = [*itertools.product(KINDS[kind], repeat=2)]
    columns.rows = [{"a": one.encode(), "b": other.encode()} for one, other in pairs]
    for rows in (columns.rows, [*columns.rows, {"a": b"<x:a>"}, {}]):
        columns.rows = rows
        tree = parsed(f"?a {sign} ?b")
        found, expected = columns.by_columns(tree, Budget()), columns.one_by_one(tree)
        for row, one, other in zip(rows, found, expected, strict=True):
            assert alike(one, other), f"{row}: {one!r}, and row by row {other!r}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_each_function_of_a_kind_gives_what_it_does_row_by_row(kind: int) -> None:
    columns = Columns(random.Random(kind))
    some = [term.encode() for term in KINDS[kind][:12]]
    columns.rows = [{"a": one, "b": other} for one, other in itertools.product(some, repeat=2)]
    calls = [*(f"{name}(?a)" for name in OF_ONE), *(f"{name}(?a, ?b)" for name in OF_TWO)]
    for text in [
        *calls,
        "CONCAT(?a, ?b)",
        'REGEX(?a, "b|n")',
        "IF(?a, ?b, 1)",
        "COALESCE(?a+?b, ?b)",
    ]:
        found, expected = (
            columns.by_columns(parsed(text), Budget()),
            columns.one_by_one(parsed(text)),
        )
        for row, one, other in zip(columns.rows, found, expected, strict=True):
            assert alike(one, other), f"{text} of {row}: {one!r}, and row by row {other!r}"


def test_what_is_not_chosen_is_not_computed() -> None:
    """A pattern that would take for ever with the longer text is only searched for in the other."""
    values = f'VALUES ?x {{ "a" "{"a" * 4000}" }}'
    search = 'REGEX(?x, "(a)a*a*a*\\\\1b")'
    graph = Graph(store="rdfinc")
    with pytest.raises(BudgetExceededError):
        list(graph.query(f"SELECT ({search} AS ?v) {{ {values} }}"))
    for guarded in (f"IF(STRLEN(?x) < 9, {search}, true)", f"COALESCE(STRLEN(?x) - 1, {search})"):
        found = list(graph.query(f"SELECT ({guarded} AS ?v) {{ {values} }}"))
        assert len(found) == 2 and all(row.v is not None for row in found)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "expression, expected",
    [
        ("?x/0 + 1e0", None),
        ("?x/0 < 1e0", None),
        ("?x/0 + 1/0", None),
        ("YEAR(?x/0)", None),
        ("YEAR(?x * 10000000000000000000)", None),
        ("?x/10000000000 + 1e0", "1.000000001"),
        ("?x * 10000000000 * 0 * 1e0", "0"),
        ("?x * 1e308", "INF"),
        ("-?x/0e0", "-INF"),
    ],
)
def test_what_no_array_of_a_kind_holds_is_computed_with(expression: str, expected: Any) -> None:
    """Nothing at all, long integers, infinities: quietly."""
    text = f"SELECT ({expression} AS ?v) {{ VALUES ?x {{ 10 }} }}"
    (row,) = Graph(store="rdfinc").query(text)
    assert (row.v if expected is None else str(row.v)) == expected


@pytest.mark.parametrize(
    "kind, text, expected",
    [
        ("date", "-0001-01-01", ["PT0S", "-P738214D", "P738214D", "PT0S"]),
        ("dateTime", "10000-01-01T00:00:00", ["PT0S", "PT0S"]),
        ("gYear", "2000", ["PT0S"]),
    ],
)
def test_dates_that_have_no_difference_are_errors(
    kind: str, text: str, expected: list[str]
) -> None:
    """And do not end the query."""
    terms = f'"{text}"^^<{XSD}{kind}> "2020-02-29"^^<{XSD}date>'
    pairs = f"VALUES ?a {{ {terms} }} VALUES ?b {{ {terms} }}"
    rows = Graph(store="rdfinc").query(f"SELECT (?a + ?b AS ?c) (?a - ?b AS ?d) {{ {pairs} }}")
    found = [row.d for row in rows]
    assert [str(each) for each in found if each is not None] == expected and len(found) == 4


@pytest.mark.parametrize("value, expected", [("-0.0", "0"), ("CEIL(-0.5)", "0"), ("-0e0", "-0")])
def test_decimals_have_one_zero(value: str, expected: str) -> None:
    text = f"SELECT (xsd:double({value}) AS ?d) (xsd:float({value}) AS ?f) {{ }}"
    (row,) = Graph(store="rdfinc").query(text)
    assert [str(each) for each in row] == [expected, expected]


def test_texts_of_every_datatype_are_put_in_order() -> None:
    values = f'VALUES ?x {{ "b" "c"^^<{XSD}token> "a"^^<{XSD}NCName> "d" }}'
    for order in (f"{{ {values} }} ORDER BY ?x", f"{{ {values} }} ORDER BY COALESCE(?x, 1)"):
        found = Graph(store="rdfinc").query(f"SELECT ?x {order}")
        assert [str(row.x) for row in found] == ["a", "b", "c", "d"]
    (row,) = Graph(store="rdfinc").query(f"SELECT (MIN(?x) AS ?a) (MAX(?x) AS ?d) {{ {values} }}")
    assert (str(row.a), str(row.d)) == ("a", "d")


def test_the_end_of_a_day_is_the_next_days_beginning() -> None:
    """Which rdflib does not read."""
    end = f'"2020-02-29T24:00:00Z"^^<{XSD}dateTime>'
    text = f"SELECT (DAY({end}) AS ?d) (MONTH({end}) AS ?m) (HOURS({end}) AS ?h) {{ }}"
    (row,) = Graph(store="rdfinc").query(text)
    assert [int(part) for part in row] == [1, 3, 0]


PLAIN = {  # moments in no zone are ordered another way there, and 0/1.5 is an error
    "numbers": '1 2 -7 1.50 -2.25 0.3 1e0 1.5e0 -2.25E1 "NaN" "a"',
    "texts": '"" "a" "b" "ab" "B" "é😀" "a"@en "b"@en "a"@fr 1 <x:a>',
    "moments": " ".join(term for term in typed("date", "dateTime") if ZONE.search(term)),
}
AGREED = {
    "numbers": """
(?a + ?b)
(?a - ?b)
(?a * ?b)
(?a / ?b)
(?a + ?b * ?c)
(?a < ?b)
(?a >= ?b)
(?a = ?b)
(?a != ?b)
(?a + ?b <= ?c)
ABS(?a)
CEIL(?a)
FLOOR(?a)
ROUND(?b)
-(?a)
isNUMERIC(?b)
COALESCE(?a/?b,?c)
IF(?a<?b,?b,?c)
(?a < ?b && ?b < ?c)
(?a < ?b || !(?b = ?c))
(?a IN (1,?b))
(?a NOT IN (1,1.5))
STR(?a + ?b)
DATATYPE(?a * ?b)
BOUND(?a)
(ABS(?a) + ABS(?b) > 2)
""".strip().split("\n"),
    "texts": """
UCASE(?a)
LCASE(?b)
STRLEN(?a)
CONTAINS(?a,?b)
STRSTARTS(?a,?b)
STRENDS(?a,?b)
STRBEFORE(?a,?b)
STRAFTER(?a,?b)
CONCAT(?a,?b)
CONCAT(?a,?b,?c)
SUBSTR(?a,2)
SUBSTR(?a,1,1)
ENCODE_FOR_URI(?a)
LANG(?a)
DATATYPE(?a)
STR(?a)
LANGMATCHES(LANG(?a),"*")
MD5(STR(?a))
SHA1(STR(?a))
REGEX(?a,"a|B")
REGEX(?a,"^b","i")
REPLACE(?a,"a","xy")
STRLANG(STR(?a),"en")
STRDT(STR(?a),<x:t>)
(?a=?b)
(STR(?a)<STR(?b))
sameTerm(?a,?b)
isIRI(?a)
isLITERAL(?a)
(?a IN ("a",?b))
(STR(?a) NOT IN ("a","b"))
COALESCE(UCASE(?a),"none")
IF(CONTAINS(?a,"a"),?b,STR(?c))
(STRLEN(?a)+STRLEN(?b))
CONTAINS(LCASE(?a),"b")
(STRLEN(?a)>STRLEN(?b)&&isLITERAL(?c))
""".strip().split("\n"),
    "moments": """
(?a < ?b)
(?a >= ?b)
(?a = ?b)
(?a != ?b)
YEAR(?a)
MONTH(?a)
DAY(?a)
(?a < ?b && ?b <= ?c)
(YEAR(?a) = YEAR(?b))
BOUND(?c)
""".strip().split("\n"),
}


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("kind", AGREED)
def test_expressions_are_worth_what_they_are_to_oxigraph(kind: str, seed: int) -> None:
    chance = random.Random(seed)
    columns, some = Columns(chance), list(map(turtle_key, PLAIN[kind].split()))
    columns.rows = [
        {v: chance.choice(some) for v in VARIABLES if chance.random() < 0.9} for _ in range(40)
    ]
    for text in AGREED[kind]:
        found = columns.by_columns(parsed(text), Budget())
        for row, one, other in zip(columns.rows, found, columns.by_oxigraph(text), strict=True):
            assert alike(one, other), f"{text} of {row}: {one!r}, and in Oxigraph {other!r}"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("rdf:nil && true", None),
        ("true && rdf:nil", None),
        ("false && rdf:nil", "false"),
        ("rdf:nil || false", None),
        ("rdf:nil || true", "true"),
        ("?x IN (rdf:nil)", None),
        ("rdf:nil IN (rdf:nil)", "true"),
        ("COALESCE(rdf:nil)", str(RDF.nil)),
        ("1 IN ()", "false"),
        ("COALESCE()", None),
    ],
)
def test_the_empty_list_is_an_iri_as_others(expression: str, expected: str | None) -> None:
    """An IRI has no effective boolean value (SPARQL 1.1, 17.2.2)."""
    text = f"PREFIX rdf: <{RDF}> SELECT ({expression} AS ?value) {{}}"
    graph = KnowledgeBase(profile="none").graph()
    for query in (text, prepareQuery(text)):
        (row,) = graph.query(query)
        assert (None if row.value is None else str(row.value)) == expected


@pytest.mark.parametrize(
    "expression",
    [
        r'STRDT("x", IRI("http://d/\"@en"))',
        'IRI("http://e/a b")',
        'IRI("http://e/a>b")',
        r'IRI("http://e/\\")',
        f'STRDT("x", <{RDF.langString}>)',
        'STRLANG("x", "abcdefghi")',
        'STRLANG("x", "en-abcdefghi")',
    ],
)
def test_what_is_no_term_is_an_error(expression: str) -> None:
    """SPARQL 1.1, 17.4.2.8 to 17.4.2.10; RDF 1.1, 3.3; BCP 47, 2.1."""
    (row,) = KnowledgeBase(profile="none").query(f"SELECT ({expression} AS ?value) {{}}")
    assert row.value is None
