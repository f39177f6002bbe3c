"""Knowledge bases of a few triples in Turtle, and what they show in short."""

from __future__ import annotations

from rdfinc import KnowledgeBase

OWL, XSD = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2001/XMLSchema#"
PREFIXES = """
@prefix : <http://e/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
SPELLED = {
    "http://e/": ":",
    OWL: "owl:",
    XSD: "xsd:",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs:",
}


def loaded(turtle: str, **options: object) -> KnowledgeBase:
    kb = KnowledgeBase(**options)
    kb.load((PREFIXES + turtle).encode(), format="turtle")
    kb._check()
    return kb


def short(term) -> str:
    text = term.n3()
    for namespace, prefix in SPELLED.items():
        text = text.replace(f"<{namespace}", prefix).replace(">", "") if namespace in text else text
    return text


def derived(kb: KnowledgeBase) -> set[str]:
    return {" ".join(map(short, fact)) for fact in kb.derived}


def contradicted(kb: KnowledgeBase) -> list[str]:
    return [violation.rule for violation in kb.violations()]
