"""The generator against the published data profile of LUBM, and its promises."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache

import pyoxigraph
import pytest

from rdfinc import university

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SEEDS = (university.SEED, 0, 1)


def name(local: str) -> str:
    return f"<{university.NAMESPACE}{local}>"


class Data:
    """One university, indexed; people belong to a department by their IRIs."""

    def __init__(self, seed: int) -> None:
        self.classes: dict[str, set[str]] = defaultdict(set)
        self.forward: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for subject, predicate, value in university.triples(1, seed):
            if predicate == TYPE:
                self.classes[value].add(subject)
            else:
                self.forward[predicate][subject].append(value)
        self.departments = sorted(self.classes[name("Department")])

    def of(self, local: str, department: str) -> set[str]:
        return {x for x in self.classes[name(local)] if x.startswith(f"{department[:-1]}/")}

    def values(self, local: str, of: Iterable[str]) -> list[list[str]]:
        return [self.forward[name(local)][subject] for subject in of]

    def faculty(self, department: str) -> set[str]:
        return set().union(*(self.of(rank, department) for rank in university.RANKS))


@cache
def data(seed: int) -> Data:
    return Data(seed)


@pytest.fixture(params=SEEDS)
def one(request: pytest.FixtureRequest) -> Data:
    return data(request.param)


def within(counts: Iterable[int], bounds: tuple[float, float]) -> bool:
    return all(bounds[0] <= count <= bounds[1] for count in counts)


def test_a_university_has_15_to_25_departments_each_part_of_it(one: Data) -> None:
    assert 15 <= len(one.departments) <= 25
    assert one.values("partOf", one.departments) == [["<http://university0.example.org/>"]] * len(
        one.departments
    )


def test_numbers_of_faculty_by_rank(one: Data) -> None:
    for rank, bounds in [
        ("FullProfessor", (7, 10)),
        ("AssociateProfessor", (10, 14)),
        ("AssistantProfessor", (8, 11)),
        ("Lecturer", (5, 7)),
    ]:
        assert within((len(one.of(rank, d)) for d in one.departments), bounds), rank


def test_ratio_of_students_to_faculty(one: Data) -> None:
    for department in one.departments:
        faculty = len(one.faculty(department))
        assert 8 <= len(one.of("Undergraduate", department)) / faculty <= 14
        assert 3 <= len(one.of("Graduate", department)) / faculty <= 4


def test_every_department_is_led_by_one_of_its_full_professors(one: Data) -> None:
    led = {head: places for head, places in one.forward[name("leads")].items() if places}
    assert sorted(place for places in led.values() for place in places) == one.departments
    for head, (department,) in led.items():
        assert head in one.of("FullProfessor", department)


def test_everyone_teaches_courses_of_their_own(one: Data) -> None:
    for department in one.departments:
        taught: list[str] = []
        for courses in one.values("teaches", one.faculty(department)):
            graduate = sum(c in one.classes[name("GraduateCourse")] for c in courses)
            assert 1 <= graduate <= 2
            assert 1 <= len(courses) - graduate <= 2
            taught += courses
        assert len(taught) == len(set(taught))
        assert set(taught) == one.of("Course", department) | one.of("GraduateCourse", department)


def test_students_take_different_courses_of_their_level(one: Data) -> None:
    for kind, level, bounds in [
        ("Undergraduate", "Course", (2, 4)),
        ("Graduate", "GraduateCourse", (1, 3)),
    ]:
        for department in one.departments:
            taken = one.values("takes", one.of(kind, department))
            assert within(map(len, taken), bounds)
            assert all(len(set(courses)) == len(courses) for courses in taken)
            assert {c for courses in taken for c in courses} <= one.of(level, department)


def test_publications_by_rank_and_shared_ones(one: Data) -> None:
    published: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    for publication, authors in one.forward[name("writtenBy")].items():
        owner, *others = authors
        assert publication.startswith(f"{owner[:-1]}/")
        assert len(set(authors)) == len(authors)
        published[owner] += 1
        shared.update(others)
    for rank, (_, bounds) in university.RANKS.items():
        assert within((published[x] for x in one.classes[name(rank)]), bounds), rank
    assert set(shared) <= one.classes[name("Graduate")]
    assert within(shared.values(), (0, 5))
    assert len(set(shared.values())) == 5


def test_assistants_are_different_graduates(one: Data) -> None:
    for department in one.departments:
        graduates = one.of("Graduate", department)
        teaching = one.of("TeachingAssistant", department)
        research = one.of("ResearchAssistant", department)
        assert teaching | research <= graduates
        assert not teaching & research
        assert 1 / 5 <= len(teaching) / len(graduates) <= 1 / 4
        assert 1 / 4 <= len(research) / len(graduates) <= 1 / 3
        assisted = [course for (course,) in one.values("assists", teaching)]
        assert len(assisted) == len(set(assisted))
        assert set(assisted) <= one.of("Course", department)


def test_advisers_are_professors_of_the_department(one: Data) -> None:
    undergraduates = one.classes[name("Undergraduate")]
    advised = 0
    for department in one.departments:
        professors = one.faculty(department) - one.of("Lecturer", department)
        of_graduates = one.values("advisedBy", one.of("Graduate", department))
        assert all(len(advisers) == 1 for advisers in of_graduates)
        of_others = one.values("advisedBy", one.of("Undergraduate", department))
        advised += sum(map(len, of_others))
        assert {a for advisers in of_graduates + of_others for a in advisers} <= professors
    assert 0.17 <= advised / len(undergraduates) <= 0.23


def test_degrees_come_from_universities_that_are_declared(one: Data) -> None:
    faculty = set().union(*(one.faculty(d) for d in one.departments))
    for degree, holders in [
        ("bachelorFrom", faculty | one.classes[name("Graduate")]),
        ("masterFrom", faculty),
        ("doctorateFrom", faculty),
    ]:
        from_where = one.values(degree, holders)
        assert all(len(places) == 1 for places in from_where)
        assert {p for places in from_where for p in places} <= one.classes[name("University")]


def test_everybody_can_be_reached(one: Data) -> None:
    people = set().union(*(one.faculty(d) for d in one.departments))
    people |= one.classes[name("Graduate")] | one.classes[name("Undergraduate")]
    for local in ("name", "email", "telephone"):
        assert within(map(len, one.values(local, people)), (1, 1))
    emails = [email for (email,) in one.values("email", people)]
    assert len(set(emails)) == len(emails)


def test_research_groups(one: Data) -> None:
    for department in one.departments:
        groups = one.of("ResearchGroup", department)
        assert 10 <= len(groups) <= 20
        assert one.values("partOf", groups) == [[department]] * len(groups)


def test_the_default_seed_gives_a_first_university_as_large_as_lubm_1() -> None:
    published = {  # LUBM(1), seed 0, as its own generator makes it
        "departments": 15,
        "triples": 100_543,
        "takes": 21_489,
        "writtenBy": 10_634,
        "advisedBy": 3_101,
        "teaches": 1_627,
        "assists": 407,
        "Undergraduate": 5_916,
        "Graduate": 1_874,
        "Publication": 5_999,
        "ResearchGroup": 224,
        "University": 979,
    }
    one = data(university.SEED)
    ours = {
        "departments": len(one.departments),
        "triples": sum(map(len, one.classes.values()))
        + sum(len(v) for by_subject in one.forward.values() for v in by_subject.values()),
    }
    for local in published.keys() - ours.keys():
        statements = one.forward.get(name(local), {})
        ours[local] = sum(map(len, statements.values())) or len(one.classes[name(local)])
    assert ours["departments"] == published["departments"]
    assert {k: ours[k] / n for k, n in published.items()} == pytest.approx(
        dict.fromkeys(published, 1), rel=0.1
    )


def test_valid_n_triples_each_statement_once() -> None:
    text = b"".join(university.blocks(2))
    quads = set(pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_TRIPLES))
    assert len(quads) == text.count(b"\n")


def test_all_three_forms_say_the_same() -> None:
    lines = list(university.lines(1, departments=1))
    assert lines == b"".join(university.blocks(1, departments=1)).splitlines()
    assert [f"{s} {p} {o} .".encode() for s, p, o in university.triples(1, departments=1)] == lines


def test_the_first_universities_do_not_depend_on_how_many_follow() -> None:
    one, three = list(university.blocks(1)), list(university.blocks(3))
    assert three[: len(one)] == one


def test_each_university_by_itself_is_the_same_statements() -> None:
    together = set(university.lines(3, departments=1))
    for_itself = [b"".join(university.blocks(n + 1, departments=1, first=n)) for n in range(3)]
    assert set(b"".join(for_itself).splitlines()) == together
    assert sum(len(text.splitlines()) for text in for_itself) > len(together)


def test_seeds_differ_and_one_seed_is_the_same_in_every_process() -> None:
    here = b"".join(university.blocks(1, seed=5, departments=1))
    assert here != b"".join(university.blocks(1, seed=6, departments=1))
    program = (
        "import sys; from rdfinc.university import blocks\n"
        "sys.stdout.buffer.write(b''.join(blocks(1, seed=5, departments=1)))"
    )
    for hash_seed in ("0", "1"):
        there = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        )
        assert there.stdout == here


def test_departments_limits_the_size() -> None:
    limited = list(university.blocks(2, departments=3))
    assert len(limited) == 2 * (1 + 3)
