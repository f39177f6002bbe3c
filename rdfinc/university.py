"""A synthetic university data set with the published shape of the LUBM benchmark.

Vocabulary and queries are our own: `ontologies/university.ttl` and `ontologies/university/*.rq`.
Shape and cardinalities follow the data profile of Guo, Pan, Heflin, *LUBM: A benchmark for OWL
knowledge base systems* (Journal of Web Semantics 3, 2005): they are the constants below.

The data are a function of (seed, number of the university) alone: the first n universities are
the same however many follow, on every machine and Python version (only `Random.random` is drawn
from, which Python promises to keep), and no statement occurs twice.
A university has 15 to 25 departments of some 6 700 triples each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from random import Random

NAMESPACE = "http://example.org/university#"

Range = tuple[int, int]  # both ends belong to it

DEPARTMENTS: Range = (15, 25)  # of a university
RANKS: dict[str, tuple[Range, Range]] = {  # rank: its people in a department, their publications
    "FullProfessor": ((7, 10), (15, 20)),
    "AssociateProfessor": ((10, 14), (10, 18)),
    "AssistantProfessor": ((8, 11), (5, 10)),
    "Lecturer": ((5, 7), (0, 5)),
}
COURSES: Range = (1, 2)  # that a faculty member teaches, and as many graduate courses
UNDERGRADUATES: Range = (8, 14)  # for each faculty member
GRADUATES: Range = (3, 4)  # for each faculty member
RESEARCH_GROUPS: Range = (10, 20)  # of a department
TAKEN_BY_UNDERGRADUATE: Range = (2, 4)
TAKEN_BY_GRADUATE: Range = (1, 3)
SHARED_PUBLICATIONS: Range = (0, 5)  # that a graduate writes with professors
TEACHING_ASSISTANTS: Range = (5, 4)  # one in 5 to one in 4 graduates, each for another course
RESEARCH_ASSISTANTS: Range = (4, 3)  # one in 4 to one in 3 graduates, none a teaching assistant
ADVISED_UNDERGRADUATES = 1 / 5
ALMA_MATERS = 1000  # degrees come from universities 0 to 999
RESEARCH_TOPICS = 30

SEED = 18  # its first university is as large as LUBM(1): 15 departments, 99 988 triples (100 543)

_TYPE = " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "


def ontology() -> str:
    """The ontology, as Turtle."""
    return files("rdfinc.ontologies").joinpath("university.ttl").read_text("utf-8")


def queries() -> dict[str, str]:
    """The 14 queries by name, `q01` to `q14`."""
    folder = files("rdfinc.ontologies").joinpath("university")
    names = [f"q{number:02}" for number in range(1, 15)]
    return {name: folder.joinpath(f"{name}.rq").read_text("utf-8") for name in names}


def blocks(
    universities: int = 1, seed: int = SEED, departments: int | None = None, *, first: int = 0
) -> Iterator[bytes]:
    """The data as N-Triples, one block of whole lines (about 1 MB) for each department.

    `departments` is the most a university gets; None leaves the published 15 to 25. The `first`
    universities are left out; what others state of one that these mention stands here as well.
    """
    declared: set[int] = set()
    for number in range(first, universities):
        random = Random(seed * 1_000_003 + number).random
        count = _between(random, DEPARTMENTS)
        yield _university(number, declared).encode()
        for department in range(count if departments is None else min(count, departments)):
            yield _Department(random, number, department, declared).text().encode()


def lines(
    universities: int = 1, seed: int = SEED, departments: int | None = None
) -> Iterator[bytes]:
    """The data as single N-Triples lines, without line ends."""
    for block in blocks(universities, seed, departments):
        yield from block.splitlines()


def triples(
    universities: int = 1, seed: int = SEED, departments: int | None = None
) -> Iterator[tuple[str, str, str]]:
    """The data as tuples of N-Triples terms, as `KnowledgeBase.update` takes them."""
    for line in lines(universities, seed, departments):
        subject, predicate, rest = line.decode().split(" ", 2)
        yield subject, predicate, rest[:-2]


def _between(random: Callable[[], float], bounds: Range) -> int:
    low, high = bounds
    return low + int(random() * (high - low + 1))


def _distinct(random: Callable[[], float], count: int, below: int) -> list[int]:
    """`count` different numbers below `below`; by rejection, quick while some remain undrawn."""
    chosen: dict[int, None] = {}
    while len(chosen) < count:
        chosen[int(random() * below)] = None
    return list(chosen)


def _property(name: str) -> str:
    return f" <{NAMESPACE}{name}> "


def _is_a(name: str) -> str:
    return f"{_TYPE}<{NAMESPACE}{name}> .\n"


def _university_iri(number: int) -> str:
    return f"<http://university{number}.example.org/>"


def _university(number: int, declared: set[int]) -> str:
    iri = _university_iri(number)
    name = f'{iri}{_NAME}"University{number}" .\n'
    return name + _declare_university(number, declared)


def _declare_university(number: int, declared: set[int]) -> str:
    """The university's type, the first time it is spoken of."""
    if number in declared:
        return ""
    declared.add(number)
    return _university_iri(number) + _A_UNIVERSITY


_A_COURSE = _is_a("Course")
_A_DEPARTMENT = _is_a("Department")
_A_GRADUATE = _is_a("Graduate")
_A_GRADUATE_COURSE = _is_a("GraduateCourse")
_A_PUBLICATION = _is_a("Publication")
_A_RESEARCH_ASSISTANT = _is_a("ResearchAssistant")
_A_RESEARCH_GROUP = _is_a("ResearchGroup")
_A_TEACHING_ASSISTANT = _is_a("TeachingAssistant")
_A_UNDERGRADUATE = _is_a("Undergraduate")
_A_UNIVERSITY = _is_a("University")
_ADVISED_BY = _property("advisedBy")
_ASSISTS = _property("assists")
_BACHELOR_FROM = _property("bachelorFrom")
_DEGREES = (_BACHELOR_FROM, _property("masterFrom"), _property("doctorateFrom"))
_EMAIL = _property("email")
_INTEREST = _property("researchInterest")
_LEADS = _property("leads")
_MEMBER_OF = _property("memberOf")
_NAME = _property("name")
_PART_OF = _property("partOf")
_TAKES = _property("takes")
_TEACHES = _property("teaches")
_TELEPHONE = _property("telephone")
_WORKS_FOR = _property("worksFor")
_WRITTEN_BY = _property("writtenBy")


class _Department:
    """One department while its statements are drawn and written, in a fixed order."""

    def __init__(
        self, random: Callable[[], float], university: int, number: int, declared: set[int]
    ) -> None:
        self._random = random
        self._university = university
        self._name = f"Department{number}"
        self._host = f"department{number}.university{university}.example.org"
        self._base = f"http://university{university}.example.org/department{number}"
        self._declared = declared
        self._faculty: dict[str, list[str]] = {rank: [] for rank in RANKS}
        self._professors: list[str] = []
        self._publications: list[str] = []  # of professors
        self._courses: list[str] = []
        self._graduate_courses: list[str] = []
        self._text: list[str] = []

    def text(self) -> str:
        self._itself()
        for rank, (people, publications) in RANKS.items():
            for number in range(_between(self._random, people)):
                self._faculty_member(rank, number, publications)
        self._chair()
        self._research_groups()
        self._undergraduates()
        self._graduates()
        return "".join(self._text)

    def _itself(self) -> None:
        iri = f"<{self._base}>"
        self._text.append(
            f'{iri}{_A_DEPARTMENT}{iri}{_NAME}"{self._name}" .\n'
            f"{iri}{_PART_OF}{_university_iri(self._university)} .\n"
        )

    def _research_groups(self) -> None:
        for number in range(_between(self._random, RESEARCH_GROUPS)):
            iri = f"<{self._base}/researchGroup{number}>"
            self._text.append(f"{iri}{_A_RESEARCH_GROUP}{iri}{_PART_OF}<{self._base}> .\n")

    def _person(self, kind: str, number: int) -> str:
        """What every person has; returns the person."""
        local = f"{kind[0].lower()}{kind[1:]}{number}"
        iri = f"<{self._base}/{local}>"
        self._text.append(
            f'{iri}{_NAME}"{kind}{number}" .\n'
            f'{iri}{_EMAIL}"{local}@{self._host}" .\n'
            f'{iri}{_TELEPHONE}"555-{100 + int(self._random() * 100):04}" .\n'
        )
        return iri

    def _faculty_member(self, rank: str, number: int, publications: Range) -> None:
        iri = self._person(rank, number)
        self._faculty[rank].append(iri)
        self._text.append(f"{iri}{_is_a(rank)}{iri}{_WORKS_FOR}<{self._base}> .\n")
        for degree in _DEGREES:
            self._degree(iri, degree)
        self._teaching(iri)
        written = self._written(iri, publications)
        if rank != "Lecturer":
            topic = int(self._random() * RESEARCH_TOPICS)
            self._text.append(f'{iri}{_INTEREST}"Research{topic}" .\n')
            self._professors.append(iri)
            self._publications += written

    def _degree(self, iri: str, degree: str) -> None:
        university = int(self._random() * ALMA_MATERS)
        self._text.append(f"{iri}{degree}{_university_iri(university)} .\n")
        self._text.append(_declare_university(university, self._declared))

    def _teaching(self, iri: str) -> None:
        for _ in range(_between(self._random, COURSES)):
            self._course(iri, "Course", _A_COURSE, self._courses)
        for _ in range(_between(self._random, COURSES)):
            self._course(iri, "GraduateCourse", _A_GRADUATE_COURSE, self._graduate_courses)

    def _course(self, teacher: str, kind: str, is_a: str, courses: list[str]) -> None:
        """A course of its own: no two people teach the same."""
        number = len(courses)
        course = f"<{self._base}/{kind[0].lower()}{kind[1:]}{number}>"
        courses.append(course)
        self._text.append(
            f'{course}{is_a}{course}{_NAME}"{kind}{number}" .\n{teacher}{_TEACHES}{course} .\n'
        )

    def _written(self, author: str, publications: Range) -> list[str]:
        count = _between(self._random, publications)
        written = [f"{author[:-1]}/publication{number}>" for number in range(count)]
        for number, iri in enumerate(written):
            self._text.append(
                f'{iri}{_A_PUBLICATION}{iri}{_NAME}"Publication{number}" .\n'
                f"{iri}{_WRITTEN_BY}{author} .\n"
            )
        return written

    def _chair(self) -> None:
        full_professors = self._faculty["FullProfessor"]
        chair = full_professors[int(self._random() * len(full_professors))]
        self._text.append(f"{chair}{_LEADS}<{self._base}> .\n")

    def _undergraduates(self) -> None:
        for number in range(self._per_faculty_member(UNDERGRADUATES)):
            iri = self._student("Undergraduate", number, _A_UNDERGRADUATE)
            self._takes(iri, self._courses, TAKEN_BY_UNDERGRADUATE)
            if self._random() < ADVISED_UNDERGRADUATES:
                self._adviser(iri)

    def _graduates(self) -> None:
        count = self._per_faculty_member(GRADUATES)
        graduates = [self._student("Graduate", number, _A_GRADUATE) for number in range(count)]
        for iri in graduates:
            self._degree(iri, _BACHELOR_FROM)
            self._takes(iri, self._graduate_courses, TAKEN_BY_GRADUATE)
            self._adviser(iri)
            self._shared_publications(iri)
        self._assistants(graduates)

    def _per_faculty_member(self, ratio: Range) -> int:
        low, high = ratio
        faculty = sum(map(len, self._faculty.values()))
        return _between(self._random, (low * faculty, high * faculty))

    def _student(self, kind: str, number: int, is_a: str) -> str:
        iri = self._person(kind, number)
        self._text.append(f"{iri}{is_a}{iri}{_MEMBER_OF}<{self._base}> .\n")
        return iri

    def _takes(self, iri: str, courses: list[str], taken: Range) -> None:
        for number in _distinct(self._random, _between(self._random, taken), len(courses)):
            self._text.append(f"{iri}{_TAKES}{courses[number]} .\n")

    def _adviser(self, iri: str) -> None:
        professor = self._professors[int(self._random() * len(self._professors))]
        self._text.append(f"{iri}{_ADVISED_BY}{professor} .\n")

    def _shared_publications(self, iri: str) -> None:
        count = _between(self._random, SHARED_PUBLICATIONS)
        for number in _distinct(self._random, count, len(self._publications)):
            self._text.append(f"{self._publications[number]}{_WRITTEN_BY}{iri} .\n")

    def _assistants(self, graduates: list[str]) -> None:
        """Teaching and research assistants: different graduates, each one's course its own."""
        teaching = self._one_in(TEACHING_ASSISTANTS, len(graduates))
        research = self._one_in(RESEARCH_ASSISTANTS, len(graduates))
        drawn = _distinct(self._random, teaching + research, len(graduates))
        courses = _distinct(self._random, teaching, len(self._courses))
        for number, course in zip(drawn[:teaching], courses, strict=True):
            iri = graduates[number]
            self._text.append(
                f"{iri}{_A_TEACHING_ASSISTANT}{iri}{_ASSISTS}{self._courses[course]} .\n"
            )
        for number in drawn[teaching:]:
            self._text.append(graduates[number] + _A_RESEARCH_ASSISTANT)

    def _one_in(self, share: Range, count: int) -> int:
        rarest, commonest = share
        return _between(self._random, (-(-count // rarest), count // commonest))
