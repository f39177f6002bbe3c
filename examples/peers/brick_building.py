"""A Brick building in a graph of brickschema over rdfinc: no `expand`, and points that come and go.

python examples/peers/brick_building.py        (pip install "rdfinc[peers]")
"""

from __future__ import annotations

import brickschema
from rdflib import Namespace

from rdfinc.plugins import RdfincStore

BRICK, EX = Namespace("https://brickschema.org/schema/Brick#"), Namespace("http://example.org/")
building = brickschema.Graph(store=RdfincStore())
building.parse(
    data="""
    @prefix brick: <https://brickschema.org/schema/Brick#> .
    @prefix owl: <http://www.w3.org/2002/07/owl#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix : <http://example.org/> .
    brick:Air_Temperature_Sensor rdfs:subClassOf brick:Temperature_Sensor .
    brick:Temperature_Sensor rdfs:subClassOf brick:Point .
    brick:isPointOf owl:inverseOf brick:hasPoint .
    :t1 a brick:Air_Temperature_Sensor ; brick:isPointOf :ahu .
    """,
    format="turtle",
)


def points() -> list[str]:
    asked = "SELECT ?x { :ahu brick:hasPoint ?x . ?x a brick:Point } ORDER BY ?x"
    rows = building.query(asked, initNs={"brick": BRICK, "": EX})
    return [str(row.x).removeprefix(str(EX)) for row in rows]


print("points:", points())
building.add((EX.t2, BRICK.isPointOf, EX.ahu))
building.update("INSERT DATA { :t2 a brick:Temperature_Sensor }", initNs={"brick": BRICK, "": EX})
print("with another one:", points())
building.remove((EX.t1, BRICK.isPointOf, EX.ahu))
print("without the first:", points())
