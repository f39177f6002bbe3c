"""The pages, read as HTML: what they show, where their links lead, and that data stay data."""

from __future__ import annotations

import json
import threading
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

import rdfinc
from over_http.asking import Client
from over_http.places import EX, client, places
from over_http.reading_html import Element, parsed
from over_http.serving import serving

PAGES = ["/", "/resource", "/why", "/violations", "/rules", "/statistics", "/changes"]


def seen(asked: Client, path: str, status: int = 200) -> Element:
    got = asked.ask("GET", path)
    assert got.status_code == status, got.text
    assert got.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = got.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    return parsed(got.text)


def links(page: Element) -> dict[str, str]:
    """The links of the content, by their text."""
    (main,) = page.all("main")
    return {link.text: link.attributes["href"] for link in main.all("a")}


@pytest.mark.parametrize("path", PAGES)
def test_each_page_can_be_used_without_a_mouse_and_without_script(path: str) -> None:
    page = seen(client(update=True), path)
    (html,) = page.all("html")
    assert html.attributes["lang"] == "en"
    assert [script.attributes for script in page.all("script")] == [
        {"src": "/script.js", "defer": ""}
    ]
    assert not any(name.startswith("on") for each in page.all("body") for name in each.attributes)
    assert len(list(page.all("h1"))) == len(list(page.all("main"))) == 1
    current = [a.attributes["href"] for a in page.all("a") if "aria-current" in a.attributes]
    assert current == [path]
    labelled = {label.attributes["for"] for label in page.all("label")}
    fields = [*page.all("input"), *page.all("textarea")]
    assert {each.attributes["id"] for each in fields} <= labelled
    assert {b.attributes["type"] for b in page.all("button")} <= {"submit"}


def test_all_that_pages_load_comes_from_the_server() -> None:
    asked = client()
    page = seen(asked, "/")
    for place in [link.attributes["href"] for link in page.all("link")] + ["/script.js"]:
        assert asked.ask("GET", place).status_code == 200


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_yasgui_and_what_it_loads_come_from_the_server(coding: str) -> None:
    asked = client()
    page = seen(asked, "/yasgui")
    (place,) = (each for each in page.all("div") if each.attributes.get("id") == "yasgui")
    assert json.loads(place.attributes["data-prefixes"])[""] == EX
    named = [each.attributes.get("href") or each.attributes["src"]
             for each in (*page.all("link"), *page.all("script"))]  # fmt: skip
    assert len(named) == 5
    for file in named:
        got = asked.ask("GET", file, {"Accept-Encoding": coding})
        assert got.status_code == 200 and got.text.strip()
        packed = coding == "gzip" and file.endswith("yasgui.min.js")
        assert got.headers.get("content-encoding") == ("gzip" if packed else None)


def test_an_answer_is_a_table_of_links() -> None:
    asked = client()
    query = "SELECT ?x { ?x :locatedIn :europe } ORDER BY ?x"
    page = seen(asked, f"/?{urlencode({'query': query})}")
    assert [cell.text for cell in page.all("td")] == [":france", ":louvre", ":paris"]
    assert next(page.all("textarea")).text.strip() == query
    seen(asked, links(page)[":louvre"])
    assert "yes" in seen(asked, f"/?{urlencode({'query': 'ASK {}'})}").text
    graph = seen(asked, f"/?{urlencode({'query': 'CONSTRUCT WHERE { :louvre ?p ?o }'})}")
    assert len(list(graph.all("tr"))) == 5


def test_a_mistake_stands_above_the_editor_with_its_place() -> None:
    page = seen(client(), f"/?{urlencode({'query': 'SELECT * {'})}", 400)
    (told,) = [p.text for p in page.all("p") if p.attributes.get("class") == "refused"]
    assert told == "line 1, column 11: Expected a pattern or '}', found end of text"
    assert next(page.all("textarea")).text.strip() == "SELECT * {"


def test_a_resource_shows_what_is_stated_and_what_follows_apart() -> None:
    page = seen(client(), f"/resource?{urlencode({'term': ':louvre'})}")
    tables = dict(zip([h.text for h in page.all("h2")], page.all("table"), strict=True))
    assert set(tables) == {"Stated of it", "Derived of it"}
    stated = {cell.text for cell in tables["Stated of it"].all("td")}
    derived = {cell.text for cell in tables["Derived of it"].all("td")}
    assert ":paris" in stated and ":europe" not in stated
    assert ":europe" in derived and ":paris" not in derived
    assert '"Louvre"@fr' in page.text
    paris = seen(client(), f"/resource?{urlencode({'term': f'<{EX}paris>'})}")
    assert '"Louvre"@fr' in paris.text  # beside what it is stated of
    unknown = seen(client(), f"/resource?{urlencode({'term': ':nowhere'})}")
    assert "Nothing is known of it." in unknown.text
    seen(client(), f"/resource?{urlencode({'term': 'no term'})}", 400)


def test_a_proof_opens_step_by_step_down_to_what_is_stated() -> None:
    asked = client()
    page = seen(asked, f"/why?{urlencode({'s': ':louvre', 'p': ':locatedIn', 'o': ':france'})}")
    first, second = page.all("details")
    assert "open" in first.attributes and "open" not in second.attributes
    assert next(first.all("summary")).text == ":louvre :locatedIn :france by prp-trp"
    leaves = [div.text for div in page.all("div") if div.attributes.get("class") == "leaf"]
    assert ":louvre :locatedIn :paris stated" in leaves
    rule = next(first.all("summary")).content[-1]
    assert isinstance(rule, Element)
    (to_rule,) = [a.attributes["href"] for a in rule.all("a")]
    path, _, name = to_rule.partition("#")
    assert name in {div.attributes.get("id") for div in seen(asked, path).all("div")}


def test_what_is_not_there_is_told_what_it_lacks() -> None:
    asked = client()
    page = seen(asked, f"/why?{urlencode({'s': ':louvre', 'p': ':locatedIn', 'o': ':asia'})}")
    assert "does not follow" in page.text
    assert "is missing" in page.text
    links_there = [a.attributes["href"] for a in page.all("a") if a.text == "why"]
    seen(asked, links_there[0])
    odd = seen(asked, f"/why?{urlencode({'s': ':x', 'p': '<a:none>', 'o': ':y'})}")
    assert "no rule comes near to it" in odd.text


def test_contradictions_lead_to_what_is_to_be_mended() -> None:
    kb = places()
    kb.load(b"""@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        :City owl:disjointWith :Sight . :paris a :Sight .""", format="turtle")  # fmt: skip
    asked = client(kb)
    page = seen(asked, "/violations")
    assert "1 in all" in page.text and "cax-dw" in page.text
    to_why = [a.attributes["href"] for a in page.all("a") if a.text == "why"]
    assert any("prp-dom" in seen(asked, each).text for each in to_why)
    kb.update(delete=[(f"<{EX}paris>", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
                       f"<{EX}Sight>")])  # fmt: skip
    assert "There is none." in seen(asked, "/violations").text


def test_rules_and_statistics() -> None:
    kb = places()
    kb.add_rules('@rule has "what is in it" .\n[?y, :has, ?x] :- [?x, :locatedIn, ?y] .')
    asked = client(kb)
    rules = seen(asked, "/rules")
    assert "[?y, :has, ?x] :- [?x, :locatedIn, ?y]" in rules.text
    assert {"has", "prp-trp"} <= {div.attributes.get("id") for div in rules.all("div")}
    assert ":locatedIn" in links(seen(asked, "/statistics"))


def test_what_the_editor_changes() -> None:
    kb = places()
    sent = {"query": "INSERT DATA { :mona :locatedIn :louvre }"}
    assert client(kb).ask("POST", "/change", data=sent).status_code == 403
    asked = client(kb, update=True)
    assert "Done." in asked.ask("POST", "/change", data=sent).text
    assert (f"<{EX}mona>", f"<{EX}locatedIn>", f"<{EX}europe>") in kb
    assert asked.ask("POST", "/change", data={"query": "INSERT"}).status_code == 400
    assert asked.ask("POST", "/change", {"Origin": "http://evil"}, data=sent).status_code == 403


HOSTILE = [
    '"</textarea></script><script>alert(1)</script>"',
    '"\'\\"><img src=x onerror=alert(1)>"',
    "<javascript:alert(1)>",
    "<http://example.org/%22onmouseover=alert(1)%22>",
    "<http://example.org/'onmouseover='alert(1)>",
    '"\\u202Ereversed"',
    '"&lt;b&gt;&amp;"@en',
]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_data_hold_is_shown_and_never_obeyed(hostile: str) -> None:
    kb = places()
    kb.load(b"<http://example.org/p> a <http://www.w3.org/2002/07/owl#SymmetricProperty> .",
            format="ttl")  # fmt: skip
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    kb.update(insert=[(f"<{EX}s>", f"<{EX}p>", hostile), (f"<{EX}s>", label, '"<i>"')])
    asked = client(kb, update=True)
    for path in (
        f"/?{urlencode({'query': 'SELECT * { ?s ?p ?o }'})}",
        f"/?{urlencode({'query': f'ASK {{ ?s ?p {hostile} }}'})}",
        f"/resource?{urlencode({'term': hostile})}",
        f"/resource?{urlencode({'term': ':s'})}",
        f"/why?{urlencode({'s': ':s', 'p': ':p', 'o': hostile})}",
        f"/why?{urlencode({'s': ':other', 'p': ':p', 'o': hostile})}",
        "/statistics",
    ):
        page = seen(asked, path)
        assert [s.attributes.get("src") for s in page.all("script")] == ["/script.js"]
        assert not list(page.all("img")) and not list(page.all("i")) and not list(page.all("b"))
        for element in everything(page):
            assert not any(name.startswith("on") for name in element.attributes)
            for place in (element.attributes.get("href", "/"), element.attributes.get("src", "/")):
                assert place.startswith(("/", "#", EX)), place


def everything(element: Element) -> list[Element]:
    inside = [each for each in element.content if isinstance(each, Element)]
    return [element, *(found for each in inside for found in everything(each))]


def test_an_iri_that_only_a_function_makes() -> None:
    text = 'SELECT (IRI("http://x.org/<script>alert(1)</script>") AS ?x) {}'
    page = seen(client(), f"/?{urlencode({'query': text})}")
    assert len(list(page.all("script"))) == 1


def test_a_deep_proof_is_one_page() -> None:
    kb = rdfinc.KnowledgeBase(profile="none")
    kb.add_rules("[?x, <a:r>, ?z] :- [?x, <a:r>, ?y], [?y, <a:s>, ?z] .")
    kb.update(insert=[("<a:0>", "<a:r>", "<a:0>")])
    kb.update(insert=[(f"<a:{i}>", "<a:s>", f"<a:{i + 1}>") for i in range(300)])
    page = seen(client(kb), f"/why?{urlencode({'s': '<a:0>', 'p': '<a:r>', 'o': '<a:300>'})}")
    assert "as shown elsewhere" in page.text


def test_changes_are_told_as_they_come() -> None:
    kb = places()
    with serving(kb, update=True) as address:
        stream = urlopen(f"{address}/changes/stream", timeout=20)
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert stream.readline() == b": listening\n"
        kb.update(insert=[(f"<{EX}mona>", f"<{EX}locatedIn>", f"<{EX}louvre>")])
        told = next(line for line in stream if line.startswith(b"data: "))
        change: dict[str, Any] = json.loads(told.removeprefix(b"data: "))
        assert change["told"] == "4 came, 0 went"
        assert {fact["text"] for fact in change["facts"]} >= {":mona :locatedIn :europe"}
        with urlopen(f"{address}{change['facts'][0]['why']}", timeout=20) as why:
            assert b"It is there." in why.read()
    assert stream.read().startswith(b"\n")  # the end of the server ends it


def test_listeners_are_bounded_and_may_leave() -> None:
    with serving(places(), listeners=1) as address:
        with urlopen(f"{address}/changes/stream", timeout=20) as stream:
            assert stream.readline()
            with pytest.raises(OSError, match="503"):
                urlopen(f"{address}/changes/stream", timeout=20)
        left = threading.Event()
        while not left.wait(0.05):
            try:
                urlopen(f"{address}/changes/stream", timeout=20).close()
                left.set()
            except OSError:
                continue


def test_names_are_told_to_who_completes_them() -> None:
    kb = places()
    kb.update(insert=[(f"<{EX}Town>", "rdf:type", "owl:Class"), (":louvre", "rdf:type", ":Museum")])
    got = client(kb).ask("GET", "/names")
    assert got.headers["Content-Type"] == "application/json"
    assert {"owl:", "rdfs:label", ":capitalOf", ":Town", ":Museum"} <= set(got.json())
    assert not {":paris", ":louvre"} & set(got.json())
