"""The 14 answers by definition: set comprehensions over the stated triples, no reasoner.

Valid as long as the stated classes are complete: properties may be removed, types may not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from rdfinc import university

Answers = dict[str, set[tuple[str, ...]]]
Pairs = set[tuple[str, str]]

_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_UNIVERSITY = "<http://university0.example.org/>"
_DEPARTMENT = "<http://university0.example.org/department0>"
_PROFESSORS = ("FullProfessor", "AssociateProfessor", "AssistantProfessor")


def _of_department(local: str) -> str:
    return f"{_DEPARTMENT[:-1]}/{local}>"


class _Data:
    def __init__(self, triples: Iterable[tuple[str, str, str]]) -> None:
        self._members: dict[str, set[str]] = defaultdict(set)
        self._pairs: dict[str, Pairs] = defaultdict(set)
        self._values: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for subject, predicate, value in triples:
            if predicate == _TYPE:
                self._members[value].add(subject)
            else:
                self._pairs[predicate].add((subject, value))
                self._values[predicate][subject].add(value)

    def a(self, *classes: str) -> set[str]:
        return set().union(*(self._members[f"<{university.NAMESPACE}{c}>"] for c in classes))

    def __call__(self, *properties: str) -> Pairs:
        return set().union(*(self._pairs[f"<{university.NAMESPACE}{p}>"] for p in properties))

    def values(self, subject: str, property: str) -> set[str]:
        return self._values[f"<{university.NAMESPACE}{property}>"][subject]


def answers(triples: Iterable[tuple[str, str, str]]) -> Answers:
    """What q01 … q14 answer over the closure of `triples` under the university ontology."""
    data = _Data(triples)
    professors = data.a(*_PROFESSORS)
    faculty = professors | data.a("Lecturer")
    courses = data.a("Course", "GraduateCourse")
    takes, works_for = data("takes"), data("worksFor", "leads")
    members = works_for | data("memberOf")
    people = faculty | data.a("Undergraduate", "Graduate")
    students = data.a("Undergraduate") | {x for x, y in takes if x in people and y in courses}
    departments = data.a("Department")
    chairs = {x for x, y in data("leads") if y in departments}
    part_of = _transitive(data("partOf"))
    degrees = data("bachelorFrom", "masterFrom", "doctorateFrom")
    in_graduate_course = {x for x, y in takes if y == _of_department("graduateCourse0")}
    return {
        "q01": {(x,) for x in in_graduate_course & data.a("Graduate")},
        "q02": {
            (x, y, z)
            for x, y in data("bachelorFrom")
            for z in data.values(x, "memberOf")
            if x in data.a("Graduate") and (z, y) in part_of
        },
        "q03": {(x,) for x, y in data("writtenBy") if y == _of_department("assistantProfessor0")},
        "q04": {
            (x, name, email, telephone)
            for x, place in works_for
            if place == _DEPARTMENT and x in professors
            for name in data.values(x, "name")
            for email in data.values(x, "email")
            for telephone in data.values(x, "telephone")
        },
        "q05": {(x,) for x, y in members if y == _DEPARTMENT},
        "q06": {(x,) for x in students},
        "q07": {
            (x, y)
            for x, y in takes
            if x in students and y in data.values(_of_department("associateProfessor0"), "teaches")
        },
        "q08": {
            (x, y, email)
            for x, y in members
            if x in students and y in departments and (y, _UNIVERSITY) in part_of
            for email in data.values(x, "email")
        },
        "q09": {
            (x, y, z)
            for x, y in data("advisedBy")
            for z in data.values(y, "teaches")
            if (x, z) in takes
        },
        "q10": {(x,) for x in in_graduate_course & students},
        "q11": {(x,) for x in data.a("ResearchGroup") if (x, _UNIVERSITY) in part_of},
        "q12": {
            (x, y)
            for x, y in works_for
            if x in chairs and y in departments and (y, _UNIVERSITY) in part_of
        },
        "q13": {(x,) for x, y in degrees if y == _UNIVERSITY},
        "q14": {(x,) for x in data.a("Undergraduate")},
    }


def _transitive(pairs: Pairs) -> Pairs:
    closure = set(pairs)
    while True:
        longer = {(x, z) for x, y in closure for y2, z in pairs if y == y2} - closure
        if not longer:
            return closure
        closure |= longer
