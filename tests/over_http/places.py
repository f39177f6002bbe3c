"""A few places, as the README has them."""

from __future__ import annotations

from typing import Any

import pytest

import rdfinc
from over_http.asking import Client

pytest.importorskip("fastapi")

PLACES = b"""
@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:locatedIn a owl:TransitiveProperty .
:capitalOf rdfs:subPropertyOf :locatedIn ; rdfs:domain :City .
:louvre :locatedIn :paris ; rdfs:label "Louvre"@fr .
:paris :capitalOf :france .
:france :locatedIn :europe .
"""
EX = "http://example.org/"


def places() -> rdfinc.KnowledgeBase:
    kb = rdfinc.KnowledgeBase()
    kb.load(PLACES, format="turtle")
    return kb


def client(kb: rdfinc.KnowledgeBase | None = None, **settings: Any) -> Client:
    """A client of an application for a knowledge base, that of the places if none is given."""
    from rdfinc.plugins.server import Settings, app

    return Client(app(places() if kb is None else kb, Settings(**settings)))
