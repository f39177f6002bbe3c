"""A stream of measurements that come and are taken back, with answers that are watched.

python examples/sensor_stream.py

A room is hot while a sensor in it measures more than 28 degrees, and a floor is alarmed while two
of its rooms are. Each measurement replaces the sensor's last one, so what followed from that goes,
but for what follows otherwise. `kb.watch` tells which answers came and went; `kb.stream` keeps the
closure right, and looks ahead at what the next step will take back.
"""

from __future__ import annotations

from collections.abc import Iterator

from rdfinc import KnowledgeBase

BUILDING = b"""
@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:in a owl:TransitiveProperty .
:s1 :in :kitchen . :s2 :in :kitchen . :s3 :in :hall . :s4 :in :attic .
:kitchen :in :ground . :hall :in :ground . :attic :in :top .
:ground a :Floor . :top a :Floor . :kitchen a :Room . :hall a :Room . :attic a :Room .
"""
RULES = """
@prefix : <http://example.org/> .
[?r, a, :HotRoom] :- [?r, a, :Room], [?s, :in, ?r], [?s, :measures, ?t], FILTER(?t > 28) .
[?f, :hotRooms, ?n] :- AGGREGATE([?f, a, :Floor], [?r, :in, ?f], [?r, a, :HotRoom]
    ON ?f BIND COUNT(?r) AS ?n) .
[?f, a, :Alarmed] :- [?f, :hotRooms, ?n], FILTER(?n >= 2) .
"""
MEASURED = [("s1", 21), ("s3", 22), ("s1", 30), ("s2", 31), ("s3", 29), ("s1", 24), ("s2", 25)]

Facts = list[tuple[str, str, object]]


def measurements() -> Iterator[tuple[Facts, Facts]]:
    """What each measurement takes back, and what it says."""
    last: dict[str, int] = {}
    for sensor, degrees in MEASURED:
        old = [(f":{sensor}", ":measures", last[sensor])] if sensor in last else []
        yield old, [(f":{sensor}", ":measures", degrees)]
        last[sensor] = degrees


kb = KnowledgeBase()
kb.load(BUILDING, format="turtle")
kb.add_rules(RULES)


def tell(added: list, removed: list) -> None:
    for what, rows in (("began", added), ("ended", removed)):
        for row in rows:
            print(f"  {what}: {short(row.x)} is a {short(row.c)}")


def short(iri: str) -> str:
    return iri.rpartition("/")[2]


kb.watch("SELECT ?x ?c { VALUES ?c { :HotRoom :Alarmed } ?x a ?c }", tell)
for (sensor, degrees), delta in zip(MEASURED, kb.stream(measurements()), strict=True):
    print(f"{sensor} measures {degrees}: {len(delta.added)} came, {len(delta.removed)} went")
print("why the ground floor was not alarmed in the end:")
print(kb.why_not((":ground", "a", ":Alarmed")))
