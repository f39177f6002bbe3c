"""Texts that are looked at as one: the same as one by one, whatever they hold."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from rdfinc import KnowledgeBase
from rdfinc.plugins.sparql.columns.enclosed_texts import EnclosedTexts
from rdfinc.plugins.sparql.expressions.query_functions import FUNCTIONS
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.terms.builtins.values import key_of, keys_of_texts
from rdfinc.terms.expressions.regular import quick_search
from thresholds import put

PIECES = ["a", "A", "ab", "ß", "Σ", "\u0130", " ", ">", "<", "@en", "^^", "x>", "<y", "\U0001f600"]
ODD = ['"', "\\", "\n", "\t", '"\n"', "\x7f", "\ufffe", "\u00a0", "\\n"]


def some_texts(chance: random.Random, pieces: list[str]) -> list[str]:
    return ["".join(chance.choices(pieces, k=chance.randint(0, 4))) for _ in range(12)]


@pytest.mark.parametrize("seed", range(60))
def test_texts_as_one_are_those_one_by_one(seed: int) -> None:
    chance = random.Random(seed)
    pieces = PIECES[: chance.choice([3, 6, 14])]
    texts = some_texts(chance, pieces)
    begin, end = chance.choice(['""', "<>"])
    keys = [f"{begin}{text}{end}".encode() for text in texts]
    found = EnclosedTexts.of(keys)
    assert found is not None
    assert len(found) == len(texts)
    assert found.are_literals == (begin == '"')
    assert found.texts() == texts
    places = np.array(sorted(chance.sample(range(12), 5)))
    assert found.some(places) == [texts[place] for place in places]
    assert found.longest == 1 + max(len(key) for key in keys)
    for part in some_texts(chance, pieces):
        for masked, test in (
            (found.containing(part), str.__contains__),
            (found.beginning(part), str.startswith),
            (found.ending(part), str.endswith),
        ):
            assert masked is None or masked.tolist() == [test(text, part) for text in texts]
            assert masked is not None or not part or set(part) & {"<", ">"}
    for change, of_one in ((bytes.lower, str.lower), (bytes.upper, str.upper)):
        changed = found.changed(change)
        assert changed is None or changed.texts() == list(map(of_one, texts))
        assert (changed is None) != all(map(str.isascii, texts))


@pytest.mark.parametrize(
    "keys",
    [
        [],
        [None],
        [b'"a"', None],
        [b'"a"', b"<a>"],
        [b'"a"', b'"a"@en'],
        [b'"a"@en', b'"a"'],
        [b'"1"^^<x:int>'],
        [b"_:b"],
        [b'"a"', rb'"\n"'],
        [b"<a\n>"],
        [b'"a"', b'_:b"', b'"c"'],
        [b"<a>", b'"1"^^<x:int>', b"<b>"],
        [b"<a>\n<b>\n<c>", b"_:x", b"<d>"],
    ],
)
def test_other_terms_are_looked_at_one_by_one(keys: list[bytes | None]) -> None:
    assert EnclosedTexts.of(keys) is None


@pytest.mark.parametrize("seed", range(20))
def test_keys_of_texts(seed: int) -> None:
    chance = random.Random(seed)
    texts = some_texts(chance, PIECES if seed % 2 else PIECES + ODD)
    assert keys_of_texts(texts) == [key_of(text) for text in texts]
    assert keys_of_texts([]) == []


EXPRESSIONS = [
    'CONTAINS(?t, "{0}")', 'STRSTARTS(?t, "{0}")', 'STRENDS(?t, "{0}")', "LCASE(?t)", "UCASE(?t)",
    'CONTAINS(LCASE(?t), "{0}")', 'STRSTARTS(STR(?s), "x:{0}")', 'STRENDS(UCASE(STR(?s)), "{0}")',
    'REGEX(?t, "{0}")', 'REGEX(?t, "^{0}.*{1}")', 'REGEX(?t, "({0}|{1})b?{1}", "i")', "STR(?s)",
    'STRBEFORE(?t, "{0}")', 'STRAFTER(?t, "{0}")', "SUBSTR(?t, {2}, {3})", "SUBSTR(?t, {2})",
    'CONCAT(?t, "{0}", STR(?s))', "STRLEN(LCASE(?t))", 'CONTAINS(?t, "{0}"@en)', "SUBSTR(?t, 1.5)",
    'SUBSTR(LCASE(?t), {2}, 1)', 'REGEX(LCASE(STR(?s)), "{0}")', 'CONTAINS(STR(?t), ?t)',
    'REGEX(CONCAT(?t, "b"), "{0}")',
]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_functions_of_texts_as_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the functions of one text, which `others` have."""
    chance = random.Random(seed)
    pieces = [*PIECES[:7], "é"] if seed % 3 else [*PIECES, *ODD]
    kb = KnowledgeBase(profile="none")
    texts = [
        text + chance.choice(["", "", "", "@en"][: 3 + seed % 2])
        for text in some_texts(chance, pieces)
    ]
    facts = []
    for number, text in enumerate(texts):
        tagged = text.endswith("@en") and seed % 2
        key = key_of(text[:-3]).decode() + "@en" if tagged else key_of(text).decode()
        facts.append((f"<x:{chance.choice('abA')}{number}>", "<x:p>", key))
    kb.update(insert=facts)
    for template in EXPRESSIONS:
        part = [re.sub(r"\W", "", each) for each in some_texts(chance, pieces[:5])]
        expression = template.format(part[0], part[1], chance.randint(-1, 4), chance.randint(-1, 4))
        text = f"SELECT ?s ?t ({expression} AS ?x) {{ ?s <x:p> ?t }}"
        found = []
        for few in (0, 1 << 60):
            put(monkeypatch, QUERIES, texts_as_one=few)
            found.append(sorted(repr(row) for row in kb.query(text)))
        with_limit = sorted(repr(row) for row in kb.query(text, timeout=60, max_memory=1 << 20))
        assert found[0] == found[1] == with_limit, expression


@pytest.mark.parametrize(
    ("pattern", "flags", "part"),
    [
        ("abc", "", "abc"),
        ("^grad.*1@dep", "", "1@dep"),
        ("a|b", "", ""),
        ("(abc)de", "", "de"),
        ("x?yz", "", "yz"),
        ("ab*", "", "a"),
        ("abc", "i", ""),
        ("(?i)abc", "", ""),
        ("a.c", "q", "a.c"),
        ("", "", ""),
    ],
)
def test_what_each_match_contains(pattern: str, flags: str, part: str) -> None:
    search, _, found = quick_search(pattern, flags)
    assert found == part
    for text in ("", "abc", "ABCDE", "a.c", "grad7.1@dep2", "de"):
        assert not search(text) or part in text


def test_all_functions_with_a_way_for_texts_as_one_are_tested() -> None:
    ways = [name for name, each in FUNCTIONS.items() if each.enclosed is not None]
    assert all(any(f"{name}(" in expression for expression in EXPRESSIONS) for name in ways)
