"""What texts of SPARQL are made of, what is refused, where, and with which words."""

from __future__ import annotations

import pytest
from pyparsing import ParseException
from rdflib import Dataset, Graph
from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, URIRef, Variable

from rdfinc import DataSyntaxError, KnowledgeBase
from rdfinc.plugins.sparql.algebra.forbidden import parts_called
from rdfinc.plugins.sparql.algebra.translate import query_of, update_of
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.plugins.sparql.syntax.sparql_error import ForbiddenError, SparqlSyntaxError
from rdfinc.plugins.sparql.syntax.tokens import END, WRONG, places, tokens_of
from thresholds import put

A, P, Q = URIRef("x:a"), URIRef("x:p"), URIRef("x:q")
NAMES = {"": "x:", "ex": "http://e/"}


def triples_of(text: str) -> list[tuple[object, object, object]]:
    """The triples of `SELECT * { text }`."""
    (block,) = parts_called("BGP", query_of(f"SELECT * {{ {text} }}", NAMES).algebra)
    return list(block.triples)


def condition_of(text: str):
    (filter_,) = parts_called("Filter", query_of(f"ASK {{ FILTER({text}) }}", NAMES).algebra)
    return filter_.expr


# -- tokens


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("SELECT * # { \n{?s a :b.c.}", "SELECT * { variable A name . }"),
        ("<a>< <b", "iri < < B"),
        ("1.5.2e3 .5 5.", "decimal double decimal integer ."),
        ("?a-1 ?a - 1", "variable signed integer variable - integer"),
        ("'''a'b''c''' \"\" ''", "long text text"),
        ("_:b.c. x-y.z: x.y a.-:", "label . name X . Y name"),
        (":a\\,b%20c:d ::", "name name"),
        ("'x'@en-GB^^", "text language ^^"),
        ("&&||!= <= >=^", "&& || != <= >= ^"),
        ("variable end", "VARIABLE END"),
        (f"{'a-' * 20}b:c {'a.' * 20}b:c ?x {'é.-' * 99}b:", "name name variable name"),
    ],
)
def test_tokens_are_the_longest(text, kinds):
    found = tokens_of(text, bool)
    assert found.kinds == [*kinds.split(), END]
    assert [text[first:last] for first, last in places(text)][: len(found.texts)] == found.texts


@pytest.mark.parametrize("text", ["'a", '"""a"', "'\\x'", '"a\nb"', "$", "\\", "<a b> ~"])
def test_tokens_end_at_what_is_none(text):
    assert tokens_of(text, bool).kinds[-1] == WRONG


@pytest.mark.parametrize(
    "text",
    [
        "a." * 100_000, "a-" * 100_000, "a." + "b" * 200_000, "1" * 200_000, "1." * 100_000,
        "." * 200_000, "_:a" + "." * 200_000, ":a" + "." * 200_000, '"""' + 'a"' * 100_000,
        "'" + "\\n" * 100_000, "#" * 200_000, " " * 200_000, ":" + "%41" * 60_000, "<" * 200_000,
        "?" * 200_000, '""' * 100_000, ":a" + "\\," * 100_000, "a" + "-" * 200_000,
        "a--" * 100_000, "a." * 100_000 + ":", "aé-" * 100_000, "a:b-" * 100_000,
    ],
    ids=lambda text: f"{text[:4]}…{text[-4:]}",
)  # fmt: skip
def test_long_texts_are_read_in_linear_time(text):
    """A quadratic reader would take minutes for each."""
    assert tokens_of(text, bool).kinds[-1] in (END, WRONG)


# -- terms


@pytest.mark.parametrize(
    ("written", "term"),
    [
        ("?x", Variable("x")),
        ("$x", Variable("x")),
        ("ex:a.b", URIRef("http://e/a.b")),
        (r":a\,b%20", URIRef("x:a,b%20")),
        ("01", Literal("01", datatype=XSD.integer, normalize=False)),
        ("-1.50", Literal("-1.50", datatype=XSD.decimal, normalize=False)),
        ("+1.E0", Literal("+1.E0", datatype=XSD.double, normalize=False)),
        ("TRUE", Literal(True)),
        ("'a'@en", Literal("a", lang="en")),
        (r"'\t\"\\n'", Literal('\t"\\n')),
        ("'''a\n''b'''", Literal("a\n''b")),
        ("'1'^^xsd:byte", Literal("1", datatype=XSD.byte, normalize=False)),
        ("()", RDF.nil),
    ],
)
def test_terms(written, term):
    ((_, _, found),) = triples_of(f":a :p {written}")
    assert (found, type(found)) == (term, type(term))
    if isinstance(term, Literal):
        assert (str(found), found.datatype, found.language) == (
            str(term), term.datatype, term.language
        )  # fmt: skip


def test_names_are_resolved_where_they_stand():
    text = "BASE <http://b/c/> PREFIX : <../d#> BASE <e/> SELECT * { <f> :g <#h>, <a:b> , <//i> }"
    (block,) = parts_called("BGP", query_of(text, {}).algebra)
    places = ["http://b/c/e/f", "http://b/d#g", "http://b/c/e/#h", "a:b", "http://i"]
    assert {str(term) for triple in block.triples for term in triple} == set(places)


@pytest.mark.parametrize(
    ("base", "relative", "iri"),
    [
        ("ex://h/a/b#f", "c", "ex://h/a/c"),
        ("ex://h/a/b#f", "#g", "ex://h/a/b#g"),
        ("ex://h/a/b?q#f", "", "ex://h/a/b?q"),
        ("ex://h/a/b", "../../d", "ex://h/d"),
        ("http://h/a/b", "//i/j", "http://i/j"),
        ("http://h/a/b", "?q", "http://h/a/b?q"),
        ("urn:x:a", "#g", "urn:x:a#g"),
        ("no base", "c", "c"),
        (None, "c", "c"),
    ],
)
def test_relative_names_are_resolved_as_rfc_3986_says(base, relative, iri):
    assert Declared({}, base).absolutize(URIRef(relative)) == URIRef(iri)


def test_a_prefix_has_its_meaning_from_its_declaration_on():
    text = (
        "PREFIX : <a:> INSERT DATA { :s :p :o } ; PREFIX : <b:> INSERT DATA { :s :p rdfs:label };"
        "BASE <http://c/> INSERT DATA { <s> :p 1 }"
    )
    first, second, third = update_of(text, {"": "z:"}).algebra
    assert [str(term) for term in first.triples[0]] == ["a:s", "a:p", "a:o"]
    assert [str(term)[:7] for term in second.triples[0]] == ["b:s", "b:p", "http://"]
    assert [str(term) for term in third.triples[0]] == ["http://c/s", "b:p", "1"]
    assert dict(first.prologue.namespaces())[""] == "a:"
    assert str(first.prologue.namespace_manager.store.namespace("")) == "a:"


# -- triples


def test_short_forms_of_triples():
    found = triples_of(":a :p ?x, ?y ; ;:q [ :p 1 ; ] ; . (2 ?z) :p [] . [ :q () ]")
    subject, nodes = found[0][0], {}

    def named(term):
        is_node = isinstance(term, BNode)
        return f"_{nodes.setdefault(term, len(nodes))}" if is_node else str(term).split("#")[-1]

    assert subject == A
    assert [" ".join(map(named, triple)) for triple in found] == [
        "x:a x:p x", "x:a x:p y", "x:a x:q _0", "_0 x:p 1",
        "_1 first 2", "_1 rest _2", "_2 first z", "_2 rest nil", "_1 x:p _3", "_4 x:q nil",
    ]  # fmt: skip


def test_a_label_names_one_node():
    (one, two) = triples_of("_:n :p _:m . _:m :q _:n")
    assert (one[0], one[2]) == (two[2], two[0]) == (BNode("n"), BNode("m"))


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("a", f"<{RDF.type}>"),
        ("^:p*", "^(<x:p>*)"),
        ("(:p/:q)+|^a?", f"(((<x:p>/<x:q>)+)|^(<{RDF.type}>?))"),
        ("!(:p|^:q)/!^a/!()", f"!(<x:p>|^<x:q>)/!(^<{RDF.type}>)/!()"),
    ],
)
def test_paths(path, shown):
    ((_, found, _),) = triples_of(f":a {path} ?x")
    assert found.n3().replace("(", "").replace(")", "") == shown.replace("(", "").replace(")", "")


# -- expressions


def drawn(node) -> str:
    """An expression with brackets around every operator."""
    if isinstance(node, list):
        return " ".join(map(drawn, node))
    if not hasattr(node, "name"):
        return str(node)
    parts = {name: part for name, part in dict.items(node) if part not in ("", False)}
    return f"{node.name.replace('Expression', '')}({' '.join(map(drawn, parts.values()))})"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 * 3 - 4", "Additive(1 + - Multiplicative(2 * 3) 4)"),
        ("1 -2*3", "Additive(1 - Multiplicative(2 * 3))"),
        ("?a+-1", "Additive(a + -1)"),
        ("-?a -1", "Additive(UnaryMinus(a) - 1)"),
        ("!?a || ?b && ?c = 1 || true", "ConditionalOr(UnaryNot(a) "
            "ConditionalAnd(b Relational(c = 1)) true)"),
        ("(?a || ?b) && ?c", "ConditionalAnd(ConditionalOr(a b) c)"),
        ("?a + 1 NOT IN (1, ?b + 2)", "Relational(Additive(a + 1) NOT IN 1 Additive(b + 2))"),
        ("?a in ()", "Relational(a IN )"),
        ("substr(?a, 1)", "Builtin_SUBSTR(a 1)"),
        ("SAMETERM(?a, ?b)", "Builtin_sameTerm(a b)"),
        ("bnode() = UUID()", "Relational(Builtin_BNODE() = Builtin_UUID())"),
        (":f(?a, 1) > :f()", "Relational(Function(x:f a 1) > Function(x:f ))"),
        ("COALESCE(1) = CONCAT()", "Relational(Builtin_COALESCE(1) = Builtin_CONCAT())"),
    ],
)  # fmt: skip
def test_operators_bind_as_they_should(text, tree):
    assert drawn(condition_of(text)) == tree


def test_a_function_without_arguments_is_called_with_none():
    from rdflib.plugins.sparql.operators import register_custom_function, unregister_custom_function

    def seven() -> Literal:
        return Literal(7)

    register_custom_function(URIRef("x:seven"), seven)
    try:
        (row,) = Graph(store="rdfinc").query("SELECT (<x:seven>() AS ?n) {}")
    finally:
        unregister_custom_function(URIRef("x:seven"), seven)
    assert row.n == Literal(7)


# -- refusals


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("", 1, "Expected SELECT, CONSTRUCT, ASK or DESCRIBE"),
        ("SELECT { ?s ?p ?o }", 8, r"Expected '\*', a variable or"),
        ("SELECT * ?x { }", 10, "Expected WHERE or '{'"),
        ("SELECT * { ?s ?p ?o ", 21, "Expected a pattern or '}'"),
        ("SELECT * { ?s ?p }", 18, "Expected an object"),
        ("SELECT * { ?s ?p ?o ?q }", 21, "Expected '.', ';', ',' or '}'"),
        ("SELECT * { ?s A ?o }", 15, "Expected an IRI"),
        ("SELECT * { ?s 'p' ?o }", 15, "Expected a property, a path or a variable"),
        ("SELECT * { ?s ?p ?o . . }", 23, "Expected a pattern or '}'"),
        ("SELECT * { [] }", 15, "Expected a property"),
        ("SELECT * { ?s ?p 'a }", 18, "a text that begins here has no end"),
        ("SELECT * { ?s ?p 'a\\x' }", 18, "has no end, or a wrong escape"),
        ("ASK { FILTER(?a<2&&?b>1) }", 16, "an operator < has a space behind it"),
        ("ASK { FILTER(?a = 1 = 2) }", 21, "Expected an operator or '\\)'"),
        ("ASK { FILTER(!!?a) }", 15, "Expected an expression"),
        ("ASK { FILTER ?a }", 14, "Expected '\\(' or a function"),
        ("ASK { FILTER(_:a) }", 14, "Expected an expression"),
        ("ASK { FILTER(:f) }", None, None),
        ("ASK { FILTER :f }", 17, "Expected '\\('"),
        ("ASK { FILTER(STR(?a, ?b)) }", 14, "STR takes 1 argument, not 2"),
        ("ASK { FILTER(REGEX(?a)) }", 14, "REGEX takes 2 or 3 arguments, not 1"),
        ("ASK { FILTER(BOUND(1)) }", 20, "Expected a variable"),
        ("ASK { FILTER(COUNT(*) > 1) }", 14, "COUNT is an aggregate"),
        ("ASK { BIND(SUM(?a) AS ?b) }", 12, "SUM is an aggregate"),
        ("SELECT (SUM(COUNT(?a)) AS ?n) {}", 13, "COUNT is an aggregate"),
        ("SELECT (MAX(?a) AS ?n) {} GROUP BY (MIN(?b))", 37, "MIN is an aggregate"),
        ("SELECT * {} HAVING EXISTS { FILTER(MIN(?b) = 1) }", 36, "MIN is an aggregate"),
        ("SELECT * {} ORDER BY", 21, "Expected a variable, '\\(' or a function"),
        ("SELECT * {} ORDER BY ASC ?a", 26, "Expected '\\('"),
        ("SELECT * {} LIMIT -1", 19, "Expected a whole number"),
        ("SELECT * {} LIMIT 1 LIMIT 2", 21, "Expected the end"),
        ("SELECT * {} LIMIT 1 ORDER BY ?a", 21, "Expected the end"),
        ("CONSTRUCT { ?s :p+ ?o } {}", 18, "Expected an object"),
        ("CONSTRUCT WHERE { ?s ?p ?o FILTER(true) }", 28, "Expected '}'"),
        ("DESCRIBE", 9, r"Expected '\*', a variable or an IRI"),
        ("PREFIX a:b <x:> ASK {}", 8, "Expected a prefix with a colon"),
        ("PREFIX <x:> ASK {}", 8, "Expected a prefix with a colon"),
        ("ASK { ?s un:known ?o }", 10, "Unknown namespace prefix : un"),
        ("ASK { VALUES ?x { ?y } }", 19, "Expected an IRI or a literal"),
        ("ASK {} {}", 8, "Expected the end"),
        ("ASK {} VALUES (?x ?x) { }", 19, r"VALUES names \?x twice"),
        ("ASK { SELECT * {} . }", 19, "Expected '}'"),
    ],
)
def test_a_refusal_has_a_place_and_says_what_could_stand_there(text, column, reason):
    if reason is None:
        query_of(text, NAMES)
        return
    with pytest.raises(SparqlSyntaxError, match=reason) as refused:
        query_of(text, NAMES)
    assert refused.value.column == column


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("SELECT * {}", 1, "Expected an operation, as INSERT DATA"),
        ("INSERT DATA { :a :p ?x }", 21, r"\?x in INSERT DATA, which takes no variables"),
        ("INSERT DATA { GRAPH ?g { } }", 21, "no variables"),
        ("DELETE DATA { :a :p 1 GRAPH ?g { } }", 29, "no variables"),
        ("DELETE DATA { :a :p () , [] }", 26, "a blank node in DELETE DATA"),
        ("DELETE { :a :p _:b } WHERE { }", 16, "a blank node in DELETE names"),
        ("DELETE WHERE { :a :p (1) }", 22, "a blank node in DELETE WHERE"),
        ("INSERT { } WHERE { _:b :p 1 { _:b :p 2 } }", 31, "_:b stands in two"),
        ("INSERT { } WHERE { :a :p ?o BIND(1 AS ?o) }", 39, "BIND: "),
        ("CLEAR ALL ; INSERT { } WHERE { :a :p ?o BIND(1 AS ?o) }", 51, "BIND: "),
        ("INSERT DATA { :a :p/:q 1 }", 20, "Expected an object"),
        ("INSERT DATA { GRAPH :g { GRAPH :h { } } }", 26, "Expected '}'"),
        ("INSERT DATA { :a :p 1 :b :p 2 }", 23, "Expected '.', ';', ',', GRAPH or '}'"),
        ("DELETE { :a :p 1 }", 19, "Expected WHERE"),
        ("WITH :g WHERE {}", 9, "Expected DELETE or INSERT"),
        ("CLEAR :g", 7, "Expected GRAPH or DEFAULT or NAMED or ALL"),
        ("COPY :g :h", 9, "Expected TO"),
        ("CREATE :g", 8, "Expected GRAPH"),
        ("CLEAR ALL CLEAR ALL", 11, "Expected ';' or the end"),
        (
            "INSERT DATA { _:b :p 1 } ; INSERT DATA { :a :p _:b }",
            48,
            "_:b stands in another",
        ),
    ],
)
def test_an_update_is_refused_with_its_place(text, column, reason):
    with pytest.raises(SparqlSyntaxError, match=reason) as refused:
        update_of(text, NAMES)
    assert refused.value.column == column


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        (r"SELECT ?\u0061 { <\u0061> } # \\\\", 27, "Expected a property"),
        (r"SELECT \u{ }", 8, "Expected"),
        (r"ASK { ?s ?p '\\\\u0061' ?q }", 25, "Expected"),
        (r"ASK { ?s ?p '\U0001F600' \u003Fq }", 26, "Expected"),
        (r"ASK { ?s ?p '\u00e9' , '\uD83D' }", 25, "uD83D is no character"),
        ("ASK { ?s ?p 'a' , '\ud83d' }", 20, "a surrogate is no character"),
    ],
)
def test_places_are_those_of_the_text_as_it_was_written(text, column, reason):
    with pytest.raises(ParseException) as refused:
        Graph(store="rdfinc").query(text)
    assert reason in str(refused.value)
    assert refused.value.column == column
    with pytest.raises(DataSyntaxError) as told:
        KnowledgeBase().query(text)
    assert str(told.value).split("\n")[-1] == " " * (column + 3) + "^"
    assert "\ud83d" not in str(told.value)


def test_places_in_short_and_long_updates():
    graph = Graph(store="rdfinc")
    for statements in (r"<x:\u0061> <x:p> ", r"<x:\u0061> <x:p> 1 ." + r" <x:a> <x:p> 1 ." * 999):
        with pytest.raises(ParseException) as refused:
            graph.update(f"INSERT DATA {{ {statements} }} ;; CLEAR")
        assert refused.value.column > len(statements)


def test_a_request_is_a_text():
    graph = Graph(store="rdfinc")
    for ask in (graph.query, graph.update):
        for what in (None, 3, b"ASK {}"):
            with pytest.raises(TypeError, match="is a text in SPARQL, or a prepared one"):
                ask(what)


@pytest.mark.parametrize("text", ["", " # nothing\n", "PREFIX : <x:>", "CLEAR ALL ;", ""])
def test_an_update_may_have_no_operation(text):
    assert len(update_of(text, {}).algebra) == ("CLEAR" in text)


def test_a_knowledge_base_shows_the_place():
    with pytest.raises(DataSyntaxError) as refused:
        KnowledgeBase().query("SELECT * {\n  ?s ?p ?o ?q\n}")
    shown = str(refused.value)
    assert "line 2" in shown
    assert "Expected '.', ';', ',' or '}', found '?q'" in shown
    assert "  ?s ?p ?o ?q\n               ^" in shown


# -- depth and width


NESTED = {
    "groups": ("{ ", " }", "SELECT * {0}"),
    "brackets": ("(", ")", "ASK {{ FILTER({0}) }}"),
    "nodes": ("[ :p ", " ]", "ASK {{ :a :p {0} }}"),
    "lists": ("( ", " )", "ASK {{ :a :p {0} }}"),
    "calls": ("STR(", ")", "ASK {{ FILTER({0}) }}"),
    "paths": ("(", ")", "ASK {{ :a {0} ?x }}"),
    "sub-selects": ("{ SELECT * ", " }", "SELECT * {0}"),
}
INNERMOST = {"groups": "{}", "paths": ":p", "sub-selects": "{}"}


@pytest.mark.parametrize("name", NESTED)
def test_brackets_in_each_other_are_read_up_to_a_depth(monkeypatch, name):
    put(monkeypatch, QUERIES, deepest_nesting=20)
    begin, end, text = NESTED[name]

    def nested(depth: int) -> str:
        return text.format(begin * depth + INNERMOST.get(name, "1") + end * depth)

    query_of(nested(17), NAMES)
    for depth in (21, 100_000):
        with pytest.raises(ForbiddenError, match="nested too deeply"):
            query_of(nested(depth), NAMES)


@pytest.mark.parametrize("name", NESTED)
def test_the_deepest_texts_are_answered(name):
    begin, end, text = NESTED[name]
    depth = QUERIES.deepest_nesting - 3
    nested = text.format(begin * depth + INNERMOST.get(name, "1") + end * depth)
    graph = Graph(store="rdfinc")
    graph.bind("", "x:")
    list(graph.query(nested))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (f"SELECT * {{ {' UNION '.join(['{ ?s :p ?o }'] * 5000)} }}", 5000),
        (f"SELECT * {{ ?s :p ?o FILTER({' + '.join(['?o'] * 5000)} = 5000) }}", 1),
        (f"SELECT * {{ ?s :p ?o FILTER({' || '.join(['?o = 2'] * 5000)} || ?o = 1) }}", 1),
        (f"SELECT * {{ ?s :p {', '.join(['?o'] * 300)} }}", 1),
        (f"SELECT * {{ ?s :p ?o {' '.join(['FILTER(?o = 1)'] * 5000)} }}", 1),
        (f"SELECT * {{ ?s {'|'.join(['(:p)'] * 5000)} ?o }}", 5000),
        (f"SELECT * {{ ?s {'/'.join([':p', '^:p'] * 1500)} ?o }}", 1),
        (f"SELECT * {{ {' '.join(f'?s :p ?o{i} .' for i in range(2000))} }}", 1),
        (f"SELECT * {{ {' '.join(f'?s{i} :p ?o{i} .' for i in range(1200))} }}", 1),
        (f"SELECT * {{ {' '.join(':a :p 1 .' for i in range(2000))} ?s :p ?o }}", 1),
    ],
    ids=[
        "unions",
        "sums",
        "disjunctions",
        "objects",
        "filters",
        "paths",
        "steps",
        "star",
        "apart",
        "ground",
    ],
)
def test_wide_texts_are_answered(text, rows):
    graph = Graph(store="rdfinc")
    graph.bind("", "x:")
    graph.add((A, P, Literal(1)))
    assert len(graph.query(text)) == rows


GROUPS = r"\{…\}, GRAPH, SERVICE, VALUES or sub-selects"


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("OPTIONAL { ?s :q ?x%d }", "OPTIONAL, 1,100 in all"),
        ("BIND(1 AS ?x%d)", r"BIND or \(… AS \?name\), 1,100 in all"),
        ("MINUS { ?s :q %d }", "MINUS"),
        ("{ ?s :p ?x%d }", GROUPS),
        ("GRAPH ?g%d { ?s :p ?o }", GROUPS),
        ("{ SELECT ?o { ?s :p ?o } LIMIT %d }", GROUPS),
    ],
)
def test_chains_longer_than_the_stack_is_deep_are_refused(part, name):
    dataset = Dataset(store="rdfinc")
    dataset.bind("", "x:")
    dataset.add((A, P, Literal(1)))
    where = "{ ?s :p ?o . " + " ".join(part % i for i in range(1100)) + " }"
    for text in (f"SELECT * {where}", f"ASK {where}", f"CONSTRUCT {{ ?s :p ?o }} {where}"):
        with pytest.raises(DataSyntaxError, match=f"too long a chain of {name}"):
            list(dataset.query(text))
    with pytest.raises(DataSyntaxError, match=f"too long a chain of {name}"):
        dataset.update(f"DELETE {{ ?s :p ?o }} INSERT {{ ?s :q ?o }} WHERE {where}")
    assert len(dataset) == 1


def test_too_many_names_of_select_are_told_as_such():
    shown = " ".join(f"(?s AS ?x{i})" for i in range(1100))
    with pytest.raises(DataSyntaxError, match=r"too long a chain of BIND or \(… AS \?name\)"):
        list(KnowledgeBase().query(f"SELECT {shown} {{ ?s <x:p> ?o }}"))


def test_a_chain_is_refused_by_a_watch():
    where = "{ ?s <x:p> ?o . " + " ".join(f"OPTIONAL {{ ?s <x:q> ?x{i} }}" for i in range(1100))
    with pytest.raises(DataSyntaxError, match="too long a chain of OPTIONAL"):
        KnowledgeBase().watch(f"SELECT * {where} }}", print)


def test_maintenance_is_not_told_as_a_chain(monkeypatch):
    def deep(*change: object) -> None:
        raise RecursionError

    graph = Graph(store="rdfinc")
    monkeypatch.setattr(graph.store, "change", deep)
    with pytest.raises(RecursionError):
        graph.update("INSERT DATA { <x:a> <x:p> 1 }")


def test_an_error_shows_the_place_in_a_line_with_tabs_or_a_long_one():
    kb = KnowledgeBase()
    with pytest.raises(DataSyntaxError) as refused:
        kb.query("SELECT * {\n\t\t?s ?p ?o ?q }")
    assert "\t\t?s ?p ?o ?q }\n    \t\t         ^" in str(refused.value)
    with pytest.raises(DataSyntaxError) as refused:
        kb.query("SELECT * { " + "?s ?p ?o . " * 1000 + " ?s ?p ?o ?q . " + "?s ?p ?o ." * 1000)
    assert max(map(len, str(refused.value).split("\n"))) < 250


def test_a_label_is_one_of_one_operation_in_short_and_long_requests():
    twice = "INSERT DATA { _:b :p 1 } ; INSERT DATA { _:b :p 2 }"
    for request in (twice, f"{twice} # {'long ' * 1000}"):
        graph = Graph(store="rdfinc")
        graph.bind("", "x:")
        with pytest.raises(ParseException, match="_:b stands in another INSERT DATA"):
            graph.update(request)
        graph.update(request.replace("_:b", "_:c", 1))
        assert len(graph) == 2


def test_words_are_in_any_case():
    text = "select distinct ?n where { values ?n { 1 2 1 3 } } order by desc(?n) limit 2 offset 1"
    assert [int(row.n) for row in Graph(store="rdfinc").query(text)] == [2, 1]


def test_keys_of_groups_stand_in_templates():
    graph = Graph(store="rdfinc")
    graph.bind("", "x:")
    graph.update("PREFIX : <x:> INSERT DATA { :a :p 1, 2 . :b :p 1 }")
    made = graph.query(
        "CONSTRUCT { ?k :q :a } { ?s :p ?o } GROUP BY (IRI(CONCAT(STR(?s), STR(?o))) AS ?k)"
    )
    assert {str(s) for s, _, _ in made} == {"x:a1", "x:a2", "x:b1"}
