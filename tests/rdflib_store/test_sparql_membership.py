"""IN, and chains of comparisons, over columns of terms of every kind."""

from __future__ import annotations

import random

import pytest
from rdflib.plugins.sparql.sparql import SPARQLError
from rdflib_store.row_by_row import FAULTS, equal

from rdfinc import KnowledgeBase
from rdfinc.plugins.sparql.expressions import comparisons, membership, term_operators

XSD = "http://www.w3.org/2001/XMLSchema#"
PLAIN = '"a@en"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#PlainLiteral>'
TYPED = [
    ("0.1", "float"), ("NaN", "double"), ("NaN", "float"), ("1", "boolean"), ("x", "integer"),
    ("2020-01-01", "date"), ("2020-01-01Z", "date"), ("2020-01-01T00:00:00Z", "dateTime"),
    ("2020-01-01T01:00:00+01:00", "dateTime"), ("2020-01-01T00:00:00", "dateTime"),
    ("P1Y", "duration"), ("P12M", "duration"), ("a", "string"), ("a b", "token"),
    ("a", "token"),
]  # fmt: skip
TERMS = [
    "<x:a>", "<x:b>", '"a"', '"b"', '""', '"a"@en', '"b"@en', "1", "1.0", "2", "1e0", "2.5", "0.1",
    "1e-1", "true", "false", '"y"^^<x:t>', '"z"^^<x:t>', "12345678901234567890",
    "1.2345678901234567890e19", "9007199254740993", "9007199254740992.0",
    PLAIN,
    *(f'"{text}"^^<{XSD}{name}>' for text, name in TYPED),
]  # fmt: skip


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    kb = KnowledgeBase("none")
    lines = (f"<x:s{i}> <x:p> {term} ." for i, term in enumerate([*TERMS, "_:k"]))
    kb.load("\n".join(lines).encode(), format="turtle")
    return kb


def told(kb: KnowledgeBase, condition: str) -> dict[str, str]:
    """For each subject whether a condition about its object ?o, or the unbound ?u, holds."""
    pattern = "?s <x:p> ?o OPTIONAL { ?s <x:q> ?u }"
    outcomes: dict[str, str] = {
        str(row.s): "error" for row in kb.query(f"SELECT ?s {{ {pattern} }}")
    }
    for outcome, test in (("true", condition), ("false", f"!({condition})")):
        found = kb.query(f"SELECT ?s {{ {pattern} FILTER({test}) }}")
        outcomes.update((str(row.s), outcome) for row in found)
    return outcomes


def one_by_one(kb: KnowledgeBase, listed: list[str]) -> dict[str, str]:
    (values,) = kb.query(f"SELECT {' '.join(f'({t} AS ?v{i})' for i, t in enumerate(listed))} {{}}")
    rows = kb.query("SELECT ?s ?o { ?s <x:p> ?o }")
    return {str(row.s): _outcome(row.o, values) for row in rows}


def _outcome(term: object, values: object) -> str:
    outcome = "false"
    for value in values:
        try:
            if equal(term, value):
                return "true"
        except (SPARQLError, *FAULTS):
            outcome = "error"
    return outcome


@pytest.mark.parametrize("seed", range(40))
def test_terms_are_in_a_list_as_one_by_one(kb, seed):
    chance = random.Random(seed)
    listed = chance.sample(TERMS, chance.randint(1, 7))
    expected = one_by_one(kb, listed)
    assert told(kb, f"?o IN ({', '.join(listed)})") == expected
    turned = {"true": "false", "false": "true", "error": "error"}
    negated = {s: turned[outcome] for s, outcome in expected.items()}
    assert told(kb, f"?o NOT IN ({', '.join(listed)})") == negated
    sides = (chance.choice([f"?o = {term}", f"{term} = ?o"]) for term in listed)
    assert told(kb, " || ".join(sides)) == expected
    sides = (chance.choice([f"?o != {t}", f"{t} != ?o", f"!(?o = {t})"]) for t in listed)
    assert told(kb, " && ".join(sides)) == negated


@pytest.mark.parametrize("listed", ['"a"', '"a"@en', '"a", "b", <x:a>', '"y"^^<x:t>', PLAIN])
def test_texts_of_other_datatypes_are_in_a_list_of_texts(kb, listed):
    assert told(kb, f"?o IN ({listed})") == one_by_one(kb, listed.split(", "))


@pytest.mark.parametrize(
    "operator, of_chain", [("&&", "?o != {}"), ("&&", "!({} = ?o)"), ("||", "?o = {}")]
)
def test_a_chain_is_looked_up_at_once(monkeypatch, kb, operator, of_chain):
    looked_at: list[int] = []
    original = term_operators.membership

    def counting(column, listed, *others):
        looked_at.append(len(listed))
        return original(column, listed, *others)

    def refused(*_: object) -> None:
        raise AssertionError("terms are compared with one of the chain")

    monkeypatch.setattr(term_operators, "membership", counting)
    monkeypatch.setattr(comparisons, "compared", refused)
    nested = f"({of_chain.format(7)} {operator} {of_chain.format(8)})"
    chain = [nested, *(of_chain.format(f"<x:n{i}>") for i in range(10))]
    text = f" {operator} ".join(["BOUND(?o)", *chain] if operator == "&&" else chain)
    list(kb.query(f"SELECT ?s {{ ?s <x:p> ?o FILTER({text}) }}"))
    assert looked_at == [12]


def test_what_is_unbound_is_in_no_list(kb):
    assert set(told(kb, "?u IN (1, 2)").values()) == {"error"}
    assert set(told(kb, "?o IN ()").values()) == {"false"}


def test_terms_that_ids_tell_apart_are_not_compared(monkeypatch, kb):
    compared: list[int] = []
    original = membership.membership

    def counted(column, listed, terms, compare):
        def counting(places):
            compared.append(len(places))
            return compare(places)

        return original(column, listed, terms, counting)

    monkeypatch.setattr("rdfinc.plugins.sparql.expressions.term_operators.membership", counted)
    assert told(kb, '?o IN (<x:a>, "b", 2, 2.5, "a"@en)')["x:s0"] == "true"
    inexact = 20  # of dates, numbers that no double holds, booleans, texts with a datatype
    assert compared and max(compared) <= inexact
