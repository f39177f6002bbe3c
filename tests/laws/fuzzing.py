"""What comes from outside, spoilt at random: documents, terms, rules, queries and updates.

A case is a text and what is done with it. Each runs in a process of its own, with limits of time
and memory, over a knowledge base that holds a few facts. It must end by itself, with an error of
rdfinc if with one, and what raised must have changed nothing.
"""

from __future__ import annotations

import os
import random
import re
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pyparsing import ParseException
from rdflib import Dataset

from rdfinc import KnowledgeBase, RdfincError
from rdfinc.owl.swrl_text import parse_swrl
from rdfinc.plugins.rdflib_store import RdfincStore

SECONDS = 20
MEMORY = 2 << 30
CHECKED = 5_000
"""Statements up to which the tables are checked: that draws all pairs of closures."""
MOST = 4 << 20
"""Characters of a text."""

_TURTLE = """\
@prefix : <urn:x:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@base <http://b/> . # a comment
:p a owl:TransitiveProperty ; :q "text"@en, 'a', \"\"\"long
text\"\"\", 1, 2.5, 1e3, true, "5"^^<http://www.w3.org/2001/XMLSchema#byte> .
:a :p [ :q ( 1 "b" <c> ) ; a :C ] , _:b . _:b :p :a .
:C owl:equivalentClass [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :D ] .
"""
_LINES = """\
<urn:x:a> <urn:x:p> <urn:x:b> .
_:b1 <urn:x:q> "a\\tb\\u00e9"@en-GB .  # a comment
<urn:x:a> <urn:x:q> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .
"""
_XML = """\
<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY x "urn:x:"><!ENTITY y 'y'>]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="urn:x:">
<rdf:Description rdf:about="&x;a"><p rdf:resource="&x;b"/><q xml:lang="en">t &amp; &y;</q>
<p rdf:parseType="Collection"><C rdf:ID="i"/><C rdf:nodeID="n"/></p>
<q rdf:parseType="Literal"><b xmlns="urn:h:">c</b></q><p rdf:parseType="Resource"><q>1</q></p>
</rdf:Description></rdf:RDF>
"""
_JSON = """\
{"@context": {"@vocab": "urn:x:", "q": {"@type": "@id"}, "xs": {"@container": "@list"}},
 "@id": "urn:x:a", "@type": "C", "p": {"@value": "t", "@language": "en"}, "q": "urn:x:b",
 "xs": [1, 2.5, true, null], "@graph": [{"@id": "_:n", "p": [{"@id": "urn:x:c"}]}]}
"""
_RULES = """\
@prefix : <urn:x:> .
@rule grand "of two steps" :
[?x, :r, ?z] :- [?x, :p, ?y], [?y, :p, ?z], FILTER(?x != ?z && STRLEN(STR(?x)) > 2 || false) .
[?x, :n, ?m] :- [?x, :q, ?n], BIND(?n * 2 + 1 AS ?m), NOT [?x, a, :C] .
[?x, :count, ?c] :- AGGREGATE([?x, :p, ?y] ON ?x BIND COUNT(?y) AS ?c) .
[?x, :made, ?k] :- [?x, :p, ?y], BIND(SKOLEM("k", ?x, ?y) AS ?k),
    NOT EXISTS ?z IN ([?y, :q, ?z]) .
"""
_SWRL = (
    "Person(?x) ^ hasAge(?x, ?a) ^ swrlb:greaterThan(?a, 17) ^ swrlb:add(?b, ?a, 1) -> Adult(?x)"
)
_QUERY = """\
PREFIX : <urn:x:> SELECT DISTINCT ?s (COUNT(?o) AS ?n) (GROUP_CONCAT(?o; SEPARATOR=",") AS ?t)
FROM <urn:x:g> { ?s :p|^:q/:p*|!(:p|^:q) ?o . OPTIONAL { ?s :q ?v FILTER(REGEX(?v, "^a.*b?", "i")) }
{ SELECT ?s { ?s ?p ?o } LIMIT 5 } UNION { GRAPH ?g { ?s ?p ?o } MINUS { ?s a :C } }
FILTER NOT EXISTS { ?s :r [ :q ( 1 2 ) ] } BIND(IF(?v > 1, CONCAT(STR(?v), "a"@en), 2e3) AS ?w)
VALUES (?s ?o) { (:a 1) (UNDEF "b"^^:d) } } GROUP BY ?s HAVING (?n > 0) ORDER BY DESC(?n) OFFSET 1
"""
_ASK = "PREFIX : <urn:x:> ASK { ?s ?p ?o FILTER(?o IN (1, 'a', :b) || REPLACE(?o, 'a', 'b') = 1) }"
_CONSTRUCT = "CONSTRUCT { ?s <urn:x:t> [ <urn:x:u> ?o ] } WHERE { ?s ?p ?o } LIMIT 3"
_UPDATE = """\
PREFIX : <urn:x:> INSERT DATA { :a :p 1, "b"@en ; :q [ :p ( :c 2.5 ) ] . GRAPH :g { :a a :C } } ;
DELETE { ?s :p ?o } INSERT { GRAPH :h { ?o :p ?s } } USING :g WHERE { ?s :p ?o FILTER(?o > 0) } ;
DELETE DATA { :a :p 1 } ; CLEAR SILENT GRAPH :g ; COPY DEFAULT TO :h ;
WITH :g DELETE WHERE { ?a ?b ?c }
"""
_TERM = '"a\\u00e9\\"b"^^<http://www.w3.org/2001/XMLSchema#decimal>'

KINDS: dict[str, tuple[str, ...]] = {
    "turtle": (_TURTLE,),
    "trig": (_TURTLE, f"<urn:x:g> {{ {_LINES} }}"),
    "n3": (_TURTLE, "{ ?x <urn:x:p> ?y } => { ?y <urn:x:p> ?x } ."),
    "nt": (_LINES,),
    "nq": (_LINES, "<urn:x:a> <urn:x:p> <urn:x:b> <urn:x:g> .\n"),
    "xml": (_XML,),
    "json-ld": (_JSON,),
    "rules": (_RULES,),
    "swrl": (_SWRL,),
    "query": (_QUERY, _ASK, _CONSTRUCT),
    "update": (_UPDATE,),
    "term": (_TERM,),
}


@dataclass(frozen=True)
class Case:
    kind: str
    text: str


def cases(seed: int) -> Iterator[Case]:
    """Texts without end, spoilt more or less."""
    chance = random.Random(seed)
    while True:
        kind = chance.choice(list(KINDS))
        text = chance.choice(KINDS[kind])
        for _ in range(chance.choice((1, 1, 2, 3, 6))):
            text = chance.choice(_SPOIL)(chance, text)[:MOST]
        yield Case(kind, text)


# -- what is done to a text

_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")
_ODD = ["\0", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "\u202e", "\ufeff", "𝒳"]
_TELLING = (
    *"(){}[]<>\"'\\.;,#@^|&!?:*/+-=%_$",
    "<<(",
    ")>>",
    '"""',
    "\\u12",
    "<!--",
    "]]>",
    "&#0;",
)


def _span(chance: random.Random, tokens: list[str]) -> tuple[int, int]:
    start = chance.randrange(len(tokens) + 1)
    return start, min(len(tokens), start + chance.choice((1, 1, 2, 5, 20)))


def _dropped(chance: random.Random, text: str) -> str:
    tokens = _TOKEN.findall(text)
    start, end = _span(chance, tokens)
    return "".join(tokens[:start] + tokens[end:])


def _repeated(chance: random.Random, text: str) -> str:
    tokens = _TOKEN.findall(text)
    start, end = _span(chance, tokens)
    times = chance.choice((2, 3, 10, 300, 3000))
    return "".join(tokens[:start] + tokens[start:end] * times + tokens[end:])


def _swapped(chance: random.Random, text: str) -> str:
    tokens = _TOKEN.findall(text)
    if tokens:
        i, j = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens)


def _mixed(chance: random.Random, text: str) -> str:
    """With a part of another text."""
    other = _TOKEN.findall(chance.choice([each for some in KINDS.values() for each in some]))
    start, end = _span(chance, other)
    tokens = _TOKEN.findall(text)
    at = chance.randrange(len(tokens) + 1)
    return "".join(tokens[:at] + other[start:end] + tokens[at:])


def _marked(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice((*_TELLING, *_ODD)) + text[at:]


def _cut(chance: random.Random, text: str) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _numbered(chance: random.Random, text: str) -> str:
    """With a number that is out of all bounds."""
    odd = chance.choice(
        ("9" * 5000, "-0", "1e999999999", "1e-400", "0." + "0" * 999 + "1", "99999")
    )
    return re.sub(r"\d+", lambda found: odd if chance.random() < 0.3 else found[0], text)


def _nested(chance: random.Random, text: str) -> str:
    """With brackets within each other, closed or not."""
    opens, closes = chance.choice(
        (("(", ")"), ("{", "}"), ("[ <urn:x:p> ", "]"), ("<a>", "</a>"), ('{"a":', "}"), ("!", ""))
    )
    tokens, depth = _TOKEN.findall(text), chance.choice((3, 100, 2000, 50_000))
    start, end = _span(chance, tokens)
    inner = "".join(tokens[start:end])
    closing = closes * (depth if chance.random() < 0.7 else depth // 2)
    return "".join([*tokens[:start], opens * depth, inner, closing, *tokens[end:]])


_SPOIL = (_dropped, _repeated, _swapped, _mixed, _marked, _cut, _numbered, _nested)


# -- what is done with it

Act = Callable[[KnowledgeBase, str], object]


def _query(kb: KnowledgeBase, text: str) -> object:
    return list(kb.query(text, timeout=5, max_memory=500_000_000))


def _load(format: str) -> Act:
    def load(kb: KnowledgeBase, text: str) -> object:
        data = text.encode("utf-8", "surrogatepass")
        return kb.load(data, format=format, base="urn:b:", strict=len(data) % 4 != 0)

    return load


def _swrl(kb: KnowledgeBase, text: str) -> object:
    return kb.add_rules(parse_swrl(text, {"": "urn:x:"}))


def _update(kb: KnowledgeBase, text: str) -> object:
    """An update by way of rdflib, whose errors of syntax stay what they are."""
    try:
        return Dataset(store=RdfincStore(kb=kb)).update(text)
    except ParseException:
        return None


ACTS: dict[str, Act] = {
    "rules": lambda kb, text: kb.add_rules(text),
    "swrl": _swrl,
    "query": _query,
    "update": _update,
    "term": lambda kb, text: kb.update(insert=[("<urn:x:a>", "<urn:x:p>", text)]),
}


def few_facts() -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.load(_TURTLE.encode(), format="turtle")
    kb.load(_LINES.encode(), format="nt")
    return kb


def perform(case: Case, kb: KnowledgeBase) -> str:
    """What is wrong with the outcome; empty if nothing is."""
    before = set(kb.explicit)
    try:
        ACTS.get(case.kind, _load(case.kind))(kb, case.text)
    except RdfincError as error:
        message = str(error)
        if max(map(len, message.split("\n"))) > 2000 or message.count("\n") > 30:
            return f"an error of {len(message)} characters"
        if case.kind != "update" and set(kb.explicit) != before:
            return f"half changed by {type(error).__name__}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]!r}"
    if len(kb.explicit) < CHECKED:
        kb._engine._check()
    return ""


# -- in a process of its own


def judged(case: Case, kb: KnowledgeBase, seconds: int = SECONDS) -> str:
    """What is wrong with a case; empty if nothing is. Looked at from outside, where the knowledge
    base stays what it is."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _perform_within(case, kb, seconds, write)
    os.close(write)
    try:
        return _told(child, read, seconds)
    finally:
        os.close(read)


def _perform_within(case: Case, kb: KnowledgeBase, seconds: int, write: int) -> None:
    """Ends the process."""
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.write(write, (perform(case, kb) or "fine").encode(errors="replace"))
        status = 0
    except BaseException:
        os.write(write, traceback.format_exc()[-4000:].encode(errors="replace"))
    finally:
        os._exit(status)


def _told(child: int, read: int, seconds: int) -> str:
    end, parts = time.monotonic() + 3 * seconds, []
    while select.select([read], [], [], max(0, end - time.monotonic()))[0]:
        part = os.read(read, 65536)
        if not part:
            break
        parts.append(part)
    else:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return f"ended by {name}"
    told = b"".join(parts).decode(errors="replace")
    return "" if told == "fine" else told or "ended without a word"
