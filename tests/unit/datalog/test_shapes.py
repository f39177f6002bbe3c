"""Rules of one shape are read once: as if each were read by itself."""

from __future__ import annotations

import random

import pytest

from laws.random_rules import random_rule
from rdfinc.datalog.rule_thresholds import RULES
from rdfinc.datalog.syntax.rule_shapes import StatementShape
from rdfinc.datalog.syntax.rule_text import parse_named
from rdfinc.datalog.syntax.rule_tokens import spans
from rdfinc.errors import RuleError
from thresholds import put

PIECES = """\
@prefix : <urn:x:> . @prefix q: <urn:q.x:> .
@prefix : <urn:y:> .
@base <http://b.org/c/> .
@base<http://b.org/d/>.
BASE<http://b.org/e/>
PREFIX q: <urn:r:>
@rule prp.x "a. b" .
@rule .
:A[?x] :- :B[?x] .
:C[?x] :- :D[?x] .
q:C[?x]:-:D[?x].
<e>[?x, ?y] :- <f>[?y, ?x], <http://e/g>[?x, :a] .
<d>[?x, ?y] :- <b>[?y, ?x], <http://e/h>[?x, q:a] .
[?x, a, :A] :- [?x, :p, "5"^^xsd:int], [?x, :q, "t"@en] .
[?x, a, :B] :- [?x, :q, "5"^^xsd:byte], [?x, :q, "t"@en] .
[?x, a, :B] :- [?x, :q, "5"^^ xsd:int], [?x, :r, "t"@en] .
:A[?x], :B[?x] :- :p[?x, ?y], NOT :q[?x, ?y] .
:A[?x], :C[?x] :- :q[?x, ?y], NOT :p[?x, ?y] .
:A[?x] :- :p[?x, ?y], FILTER(?y = :a || xsd:integer(?y)<3 && ?y>1) .
:B[?x] :- :q[?x, ?y], FILTER(?y = :a || xsd:integer(?y)<3 && ?y>1) .
:B[?x] :- :q[?x, ?y], FILTER(?y = :b || xsd:integer(?y)<3 && ?y>1) .
:B[?x] :- :q[?x, ?y], NOT EXISTS ?z IN (:p[?y, ?z]) . # a comment.
:A[?x] :- :p[?x, ?y], NOT EXISTS ?z IN (:p[?y, ?z]) .
:A[?x] :- :p[?x, ?y], NOT EXISTS ?z IN :p[?y, ?z] .
:A[?x] :- :p[?x, ?y], NOT EXISTS ?z IN :q[?y, ?z], NOT EXISTS ?z IN [?z, :q, :b] .
:B[?x] :- :q[?x, ?y], NOT EXISTS ?z IN :p[?y, ?z], NOT EXISTS ?z IN [?z, :p, :a] .
false :- :A[?x], :B[?x] .
false :- :B[?x], :A[?x] .
""".splitlines()
FAULTS = [
    ":A[?x] :- none:B[?x] .", "<e f>[?x] :- :B[?x] .", ":A[?x] : - :B[?x] .", ":A[?x] .", ":A[?x",
    ":A[?x] :- _:b[?x] .", ":A[?x] :- :B[?x", "?x[?x] :- :B[?x] .", ":A:[?x] :- :B[?x] .",
    "[?x, a, :A] :- [?x, :p, \"5\"^^q:none], [?x, :q, \"t\"@en] .", ":A[?x] :- :-B[?x] .",
]  # fmt: skip


def read(text: str, monkeypatch: pytest.MonkeyPatch, many: int) -> object:
    put(monkeypatch, RULES, many_rules=many)
    try:
        return [(name, told, rule, rule.name) for name, told, rule in parse_named(text)]
    except RuleError as error:
        return str(error)


@pytest.mark.parametrize("seed", range(200))
def test_texts_of_pieces(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    pieces = [PIECES[0], *chance.choices(PIECES, k=chance.randint(1, 40))]
    if chance.random() < 0.3:
        pieces.insert(chance.randrange(len(pieces)), chance.choice(FAULTS))
    text = "\n".join(pieces)
    assert read(text, monkeypatch, 0) == read(text, monkeypatch, 1000)


def test_names_that_come_again_are_in_force_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(f'@rule {name} "{name}" . <x:A>[?x] :- <x:B>[?x] .' for name in "ababab")
    found = read(text, monkeypatch, 0)
    assert found == read(text, monkeypatch, 1000)
    assert [rule.name for _, _, rule, _ in found] == list("ababab")


def test_random_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    rules = [random_rule(chance, []) for _ in range(300)]
    text = "\n".join(map(str, rules))
    found = read(text, monkeypatch, 0)
    assert found == read(text, monkeypatch, 1000) and len(found) == 300


def test_what_two_rules_of_one_shape_may_differ_in() -> None:
    text = "\n".join(PIECES)
    shapes = [StatementShape.of(text, span).text for span in spans(text)]
    lines = [line.split(" #")[0] for line in PIECES[8:]]
    of = dict(zip(lines, shapes[-len(lines) :], strict=True))
    assert of[lines[0]] == of[lines[1]] != of[lines[2]], "spaces beside `:-` do count"
    assert of[lines[5]] != of[lines[6]], "a datatype counts"
    assert of[lines[10]] == of[lines[11]] != of[lines[12]], "an IRI in brackets counts"


def test_a_mark_in_a_text_is_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "@prefix : <urn:x:> .\n" + ':A[?x] :- [?x, :p, "\0"] .\n' * 2
    assert read(text, monkeypatch, 0) == read(text, monkeypatch, 1000)


def test_an_iri_like_that_of_a_place_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "<x:a>[?x] :- <x:b>[?x], NOT (<urn:rdfinc:place:0>[?x], <x:c>[?x]) .\n" * 3
    assert read(text, monkeypatch, 0) == read(text, monkeypatch, 1000)
