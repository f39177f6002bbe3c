"""Regular expressions and computed values that would take for ever, or all memory."""

from __future__ import annotations

import random
import re

import pytest
from rdflib import Graph, Literal

from rdfinc import BudgetExceededError, KnowledgeBase
from rdfinc.terms.expressions import regular
from rdfinc.terms.expressions.regular import search, search_all, substitute

TEXT = "a" * 60 + "!"


def answer(expression: str) -> str | None:
    (row,) = KnowledgeBase(profile="none").query(f"SELECT ({expression} AS ?x) {{}}", timeout=5)
    return None if row.x is None else str(row.x)


@pytest.mark.parametrize(
    "pattern",
    ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(a*)*b", "^(a?){60}a{61}$", "(.*a){20}$", "a*a*a*a*a*b"],
)
def test_regular_expressions_end(pattern: str) -> None:
    assert answer(f'REGEX("{TEXT}", "{pattern}")') == "false"
    replaced = None if re.match(pattern, "") else TEXT
    assert answer(f'REPLACE("{TEXT}", "{pattern}", "x")') == replaced


@pytest.mark.parametrize("pattern", ["", "x*", "b?", "^", "$", "a*?", "(?:)", "b|", r"\\s*$"])
def test_what_matches_an_empty_text_is_not_replaced(pattern: str) -> None:
    """err:FORX0003 of Functions and Operators 3.1, 5.6.4, whatever the text is."""
    for text in ("", "abc", "a" * 100_000):
        assert answer(f'REPLACE("{text}", "{pattern}", "-")') is None
    assert answer('REPLACE("abc", "", "-", "q")') is None
    assert answer('REPLACE("a.c ", " +$", "")') == "a.c"


def test_what_stands_around_is_looked_at_where_that_ends() -> None:
    """XPath has no such patterns, rdflib has."""
    assert answer('REGEX("abc", "a(?=b)(?!bd)")') == "true"
    assert answer('REPLACE("abcabd", "a(?!bc)|(?<=b)c", "-")') == "ab--bd"
    with pytest.raises(BudgetExceededError, match="may take for ever"):
        answer(f'REGEX("{TEXT}", "(?=(a|aa)+$)")')


def test_one_that_cannot_be_told_to_end_is_an_error() -> None:
    with pytest.raises(BudgetExceededError, match=r"the regular expression '\^\(\(a\+\)\+\).*"):
        answer(rf'REGEX("{TEXT}", "^((a+)+)\\1$")')


def test_references_back_are_followed_where_that_ends() -> None:
    assert answer(r'REGEX("abcabc", "^(abc)\\1$")') == "true"
    assert answer(r'REGEX("abcabd", "^(abc)\\1$")') == "false"


@pytest.mark.parametrize("seed", range(20))
def test_both_engines_find_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    pieces = ["a", "b", ".", "[ab]", "(a|bc)", "(b)", "a*", "b+?", "(ab)?", "c{1,2}", "^", "|"]
    pieces += ["$", "[$^]", "\\$", "[a-c-[b]]"]
    for _ in range(30):
        pattern = "".join(chance.choices(pieces, k=chance.randint(1, 5)))
        text = "".join(chance.choices("abcA$\n", k=chance.randint(0, 12)))
        flags = chance.choice(["", "i", "m", "s"])
        monkeypatch.setattr(regular, "_is_quick", lambda *_: False)
        found = _answers(pattern, text, flags)
        monkeypatch.setattr(regular, "_is_quick", lambda *_: True)
        assert found == _answers(pattern, text, flags), (pattern, text, flags)


def _answers(pattern: str, text: str, flags: str) -> tuple[bool, str]:
    has_empty = re.match(pattern, "") is not None
    replaced = "" if has_empty else substitute(pattern, r"<\$x$0>", text, flags)
    return search(pattern, text, flags), replaced


XPATH = {
    r'REGEX("abc\n", "c$")': "false",
    r'REGEX("abc\n", "(b|c)+$")': "false",
    r'REGEX("abc\nd", "c$", "m")': "true",
    r'REGEX("a$", "[$]$")': "true",
    r'REPLACE("abc\n", "c$", "!")': "abc\n",
    r'REGEX("\u00C9a", "^\\p{Lu}")': "true",
    r'REGEX("\u00E9a", "^\\p{Lu}")': "false",
    'REGEX("b", "^[a-z-[aeiou]]$")': "true",
    'REGEX("e", "^[a-z-[aeiou]]$")': "false",
    'REGEX("-[b]", "^-[[]b]$")': "true",
    r'REGEX("a", "\\i")': None,
    r'REPLACE("abc", "b", "\\n")': None,
    r'REPLACE("abc", "b", "\\g<0>")': None,
    'REPLACE("abc", "b", "$")': None,
    'REPLACE("abc", "b", "[$0]")': "a[b]c",
    'REPLACE("abc", "(a)", "$12")': "a2bc",
    'REPLACE("abc", "(b)", "$1$2")': "abc",
    'REPLACE("abc", "(b)", "[$10]")': "a[b0]c",
    'REPLACE("a(b", "\\\\(([b])", "$1$2-")': "ab-",
    r'REPLACE("abc", "(b)|(x)", "$2\\$\\\\")': r"a$\c",
    'REPLACE("a.c", ".", "$1", "q")': "a$1c",
}
"""XPath 3.1, Functions and Operators, 5.6.1 and 5.6.4."""


@pytest.mark.parametrize("call", XPATH)
def test_they_are_those_of_xpath(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(call) == XPATH[call]
    monkeypatch.setattr(regular, "_is_quick", lambda *_: False)
    assert answer(call) == XPATH[call]


@pytest.mark.parametrize("pattern", ["(a|b)+c$", "b.?", r"(\w+ )*end", r"\p{Lu}", "^a*$"])
def test_many_texts_are_searched_as_one_by_one(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, checks = random.Random(1), []
    texts = ["".join(chance.choices('abcA \n"\\end', k=chance.randint(0, 40))) for _ in range(300)]
    monkeypatch.setattr(regular, "TEXTS_AT_ONCE", 100)
    found = search_all(pattern, texts, "", lambda: checks.append(1))
    assert found == [search(pattern, text, "") for text in texts]
    assert any(found)
    assert not all(found)
    assert len(checks) >= 3


def test_terms_of_other_kinds_are_none_that_match() -> None:
    """Where most are texts, which are searched together."""
    graph = KnowledgeBase(profile="none").graph()
    graph.update(
        """INSERT DATA { <u:a> <u:p> "ab1.2", "ab"@en, 12.5, <u:ab>, _:b, "x1.2.3"@de, "ab1" }"""
    )
    rows = graph.query(r"""SELECT ?o { ?s ?p ?o FILTER(REGEX(?o, "[0-9]+(\\.[0-9]+)+")) }""")
    assert {str(row.o) for row in rows} == {"ab1.2", "x1.2.3"}
    rows = graph.query(r"""SELECT ?o { ?s ?p ?o FILTER(!REGEX(?o, "[0-9]+(\\.[0-9]+)+")) }""")
    assert {str(row.o) for row in rows} == {"ab", "ab1"}


def test_most_are_left_to_re(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular, "_linear", lambda *_: pytest.fail("it is quick"))
    for pattern in ("plain", "^Tom.*", "[0-9]+-[0-9]+", "(cat|dog)s?$", "a?b?c?q"):
        assert search(pattern, "some text of usual length", "i") is False


def test_a_wrong_pattern_is_no_value() -> None:
    assert answer('REGEX("a", "(")') is None
    with pytest.raises(re.error):
        search("(", "a", "")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('REGEX("a.b", "a.b", "q")', "true"),
        ('REGEX("axb", "a.b", "q")', "false"),
        ('REGEX("xA.Bx", "a.b", "iq")', "true"),
        ('REGEX("a b", "a b", "xq")', "true"),
        ('REGEX("(", "(", "q")', "true"),
        ('REPLACE("a.b.c", ".", "$1\\\\", "q")', "a$1\\b$1\\c"),
        ('REGEX("a", "a", "z")', None),
        ('REPLACE("a", "a", "b", "qz")', None),
    ],
)
def test_a_pattern_may_be_a_text_and_flags_are_known(call: str, expected: str | None) -> None:
    assert answer(call) == expected


def test_rules_have_regular_expressions_that_end() -> None:
    kb = KnowledgeBase(profile="none")
    kb.add_rules('[?x, <urn:q>, ?y] :- [?x, <urn:p>, ?y], FILTER(!REGEX(?y, "^(a+)+$")) .')
    kb.update(insert=[("<urn:a>", "<urn:p>", f'"{TEXT}"')])
    assert len(kb) == 2


def test_memory_for_computed_values_is_counted() -> None:
    doubled = "".join(f" BIND(CONCAT(?x{i}, ?x{i}) AS ?x{i + 1})" for i in range(25))
    query = f'SELECT (STRLEN(?x25) AS ?n) {{ BIND("aaaaaaaa" AS ?x0) {doubled} }}'
    with pytest.raises(BudgetExceededError, match=r"max_memory=1,000,000 is exceeded"):
        list(KnowledgeBase(profile="none").query(query, max_memory=1_000_000))


def test_texts_have_a_greatest_length() -> None:
    text = '"' + "a" * 1024 + '"'
    for _ in range(4):
        text = f"CONCAT({', '.join([text] * 2)})"
    assert answer(f"STRLEN({text})") == str(1024 * 16)
    doubled = "".join(f" BIND(CONCAT(?x{i}, ?x{i}) AS ?x{i + 1})" for i in range(18))
    (row,) = Graph("rdfinc").query(
        f'SELECT ?n {{ BIND("{"a" * 1024}" AS ?x0) {doubled} BIND(STRLEN(?x18) AS ?n) }}'
    )
    assert row.n is None


def test_an_integer_of_many_digits_is_unknown() -> None:
    long = Literal("1" * 200_001, datatype="http://www.w3.org/2001/XMLSchema#integer")
    kb = KnowledgeBase()
    kb.update(insert=[("<urn:a>", "<urn:p>", long.n3())])
    assert not kb.violations()
    (row,) = kb.query("SELECT (?n + 1 AS ?m) (IF(?n, 1, 2) AS ?t) { <urn:a> <urn:p> ?n }")
    assert row.m is None and row.t is None


TOO_LONG = {
    "matches": """STRLEN(REPLACE("{a}", "a", "{b}"))""",
    "groups": """STRLEN(REPLACE("{a}", "^(a+)$", "{groups}"))""",
    "parts": """STRLEN(CONCAT("{a}"{more}))""",
}


@pytest.mark.parametrize("expression", TOO_LONG.values(), ids=TOO_LONG)
def test_texts_that_would_be_too_long_are_not_made(expression: str) -> None:
    """Of these ten gigabytes no memory is taken."""
    size = 100_000
    given = {"a": "a" * size, "b": "b" * size, "groups": "$1" * size, "more": ', "x"' + ", ?a" * 99}
    long = f"BIND(REPLACE('a', 'a', '{'b' * 10**6}') AS ?a)"
    text = f"SELECT ({expression.format(**given)} AS ?x) {{ {long} }}"
    (row,) = KnowledgeBase(profile="none").query(text, timeout=60)
    assert row.x is None


def test_groups_that_would_be_too_long_have_no_value() -> None:
    kb = KnowledgeBase(profile="none")
    rows = " ".join(f"({number})" for number in range(100))
    text = f"""SELECT (STRLEN(GROUP_CONCAT(?text)) AS ?x) (COUNT(*) AS ?count) {{
        VALUES (?number) {{ {rows} }} BIND("{"a" * 10**6}" AS ?text) }}"""
    (row,) = kb.query(text)
    assert row.x is None
    assert row["count"].toPython() == 100


def test_rules_make_no_text_that_is_too_long() -> None:
    kb = KnowledgeBase()
    kb.update(insert=[("<u:a>", "<u:p>", Literal("a" * 80_000))])
    kb.add_rules(
        "[?x, <u:q>, ?z] :- [?x, <u:p>, ?k],"
        " BIND(swrlb:stringLength(swrlb:replace(?k, 'a', ?k)) AS ?z) ."
    )
    assert len(kb) == 1
