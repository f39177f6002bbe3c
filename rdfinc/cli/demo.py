"""The story that `rdfinc demo` tells, each update beside deriving everything again."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import asdict

from rdfinc import university
from rdfinc.cli import arguments as shared
from rdfinc.cli.console import put
from rdfinc.cli.output import as_json, duration, table
from rdfinc.cli.peer_comparison import HEADER, PeerComparison, derived_again
from rdfinc.cli.progress import working
from rdfinc.datalog.model import RDF_TYPE
from rdfinc.datalog.printing import term_text
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.extensions import extension
from rdfinc.knowledge_base.streams.delta import Facts

Triple = tuple[str, str, str]
Pattern = tuple[str | None, str | None, str | None]

UNIVERSITY = "http://university0.example.org/"
DEPARTMENT = f"<{UNIVERSITY}department0>"
GRADUATE = f"<{UNIVERSITY}department0/graduate3>"
QUERIES = ("q02", "q05", "q06", "q09", "q12", "q13")
DRAWN = 500
SHOWN = 4


def _class(local: str) -> str:
    return f"<{university.NAMESPACE}{local}>"


_property = _class
SUBCLASS = f"<{PREFIXES['rdfs']}subClassOf>"
INVERSE = f"<{PREFIXES['owl']}inverseOf>"


class Answer(Struct, frozen=True):
    """A query of the benchmark, what it asks for, how many rows came, and the time it took."""

    query: str
    asks: str
    rows: int
    seconds: float


class Demo:
    """Tells the story once, line by line through `say`; `record` is what it measured."""

    def __init__(self, universities: int, say: Callable[[str], None]) -> None:
        self._universities, self._say = universities, say
        self._kb = KnowledgeBase()
        self._loading: dict[str, Any] = {}
        self._answers: list[Answer] = []
        self._comparisons: list[PeerComparison] = []

    def tell(self) -> None:
        start = time.perf_counter()
        self._load()
        self._ask()
        self._delete_one()
        self._delete_support()
        self._add_axiom()
        self._add_axiom_and_take_it_back()
        self._change_many_one_by_one()
        self._sum_up(start)

    def record(self) -> dict[str, Any]:
        """Everything measured, for JSON; times are in seconds."""
        return {
            "universities": self._universities,
            "loading": self._loading,
            "queries": [asdict(answer) for answer in self._answers],
            "updates": [asdict(comparison) for comparison in self._comparisons],
        }

    # -- the chapters

    def _load(self) -> None:
        count = self._universities
        self._title(f"1. Load {count} made-up universit{'y' if count == 1 else 'ies'}")
        with tempfile.TemporaryDirectory() as folder:
            ontology, data = Path(folder, "university.ttl"), Path(folder, "universities.nt")
            ontology.write_text(university.ontology(), "utf-8")
            with working("making data"), data.open("wb") as out:
                out.writelines(university.blocks(count))
            with working("reading and deriving what follows"):
                report = self._kb.load(ontology, data)
        derived, reasoning = len(self._kb.derived), report.delta.report.seconds
        self._loading = {
            "triples": report.triples,
            "derived": derived,
            "seconds": report.seconds,
            "reasoning_seconds": reasoning,
        }
        self._bind_prefixes()
        self._say(f"{report.triples:,} triples stated; {derived:,} more facts follow by OWL 2 RL")
        self._say(f"{duration(report.seconds)}, of which {duration(reasoning)} for reasoning")

    def _bind_prefixes(self) -> None:
        self._kb.bind("rdf", PREFIXES["rdf"])
        self._kb.bind("u0", UNIVERSITY)
        self._kb.bind("dep0", f"{UNIVERSITY}department0/")

    def _ask(self) -> None:
        self._title("2. Ask in SPARQL for what nobody stated")
        sparql = extension("sparql")
        for query in QUERIES:
            text = university.queries()[query]
            start = time.perf_counter()
            rows = len(sparql(self._kb, text))
            self._answers.append(Answer(query, _asks(text), rows, time.perf_counter() - start))
        lines = [[a.query, a.asks, f"{a.rows:,}", duration(a.seconds)] for a in self._answers]
        self._table([["", "query", "rows", "time"], *lines])

    def _delete_one(self) -> None:
        self._title("3. Delete one triple: the head of department 0 steps down")
        [(chair, leads, department)] = self._stated((None, _property("leads"), DEPARTMENT))
        is_chair = chair, RDF_TYPE, _class("Chair")
        self._why(is_chair)
        self._update("head steps down", delete=[(chair, leads, department)])
        self._why(is_chair)
        self._why((chair, RDF_TYPE, _class("Employee")))

    def _delete_support(self) -> None:
        self._title("4. Delete several: a graduate drops all courses")
        is_student = GRADUATE, RDF_TYPE, _class("Student")
        taken = self._stated((GRADUATE, _property("takes"), None))
        self._update("graduate drops courses", delete=taken)
        self._why(is_student)

    def _add_axiom(self) -> None:
        self._title("5. Change the schema: every graduate is a student, courses or not")
        axiom = _class("Graduate"), SUBCLASS, _class("Student")
        self._update("graduates become students", insert=[axiom])
        self._why((GRADUATE, RDF_TYPE, _class("Student")))

    def _add_axiom_and_take_it_back(self) -> None:
        self._title("6. Change the schema: an axiom that reaches far, and take it back")
        axiom = _property("advises"), INVERSE, _property("advisedBy")
        self._update("advises: inverse of advisedBy", insert=[axiom])
        self._update("the same axiom taken back", delete=[axiom])

    def _change_many_one_by_one(self) -> None:
        self._title(f"7. Delete {DRAWN} triples drawn at random and put them back, one by one")
        stated = list(self._kb.explicit)
        drawn = random.Random(1).sample(stated, DRAWN)
        with working(f"{2 * DRAWN} updates"):
            deletions = sorted(self._timed(delete=[fact]) for fact in drawn)
            insertions = sorted(self._timed(insert=[fact]) for fact in drawn)
        again, same = self._again()
        rows = [["", "median", "slowest in 20", "slowest"]]
        for what, runs in (("one deletion", deletions), ("one insertion", insertions)):
            late = runs[len(runs) * 19 // 20]
            rows.append([what, duration(median(runs)), duration(late), duration(runs[-1])])
            self._comparisons.append(
                PeerComparison(f"{what}, median", None, None, median(runs), again, same)
            )
        self._table(rows)

    def _sum_up(self, start: float) -> None:
        self._title("Each update beside deriving everything again")
        self._table([HEADER, *(comparison.row() for comparison in self._comparisons)])
        same = all(comparison.same for comparison in self._comparisons)
        verdict = "always the same" if same else "NOT THE SAME, which is a bug: please report it"
        self._say(f"\nThe facts of both ways, compared one by one: {verdict}.")
        self._say(f"All of this took {duration(time.perf_counter() - start)}.")

    # -- what they are told with

    def _title(self, text: str) -> None:
        self._say(f"\n{text}\n{'─' * len(text)}")

    def _table(self, rows: Iterable[Iterable[str]]) -> None:
        for line in table(rows):
            self._say(line)

    def _update(
        self, what: str, insert: Sequence[Triple] = (), delete: Sequence[Triple] = ()
    ) -> None:
        """One update, what it changed, and the comparison."""
        self._facts("insert ", insert)
        self._facts("delete ", delete)
        start = time.perf_counter()
        delta = self._kb.update(insert=insert, delete=delete)
        seconds = time.perf_counter() - start
        added, removed = len(delta.added), len(delta.removed)
        self._say(f"{added:,} facts came, {removed:,} went")
        self._facts("     + ", delta.added)
        self._facts("     - ", delta.removed)
        again, same = self._again()
        self._say(f"{duration(seconds)}; deriving everything again takes {duration(again)}")
        self._comparisons.append(PeerComparison(what, added, removed, seconds, again, same))

    def _timed(self, insert: Sequence[Any] = (), delete: Sequence[Any] = ()) -> float:
        start = time.perf_counter()
        self._kb.update(insert=insert, delete=delete)
        return time.perf_counter() - start

    def _again(self) -> tuple[float, bool]:
        with working("deriving everything again, to compare"):
            return derived_again(self._kb)

    def _why(self, fact: Triple) -> None:
        """A proof of the fact, or that there is none."""
        proof = self._kb.explain(fact)
        if proof is None:
            self._say(f"now no proof is left of\n  {self._text(fact)}")
            return
        self._say("because")
        for line in str(proof).splitlines():
            self._say(f"  {line}")

    def _facts(self, sign: str, facts: Facts | Iterable[Triple]) -> None:
        listed = list(facts)
        for fact in listed[:SHOWN]:
            self._say(f"{sign}{self._text(fact)}")
        if len(listed) > SHOWN:
            self._say(f"{sign}… and {len(listed) - SHOWN:,} more")

    def _text(self, fact: Iterable[Any]) -> str:
        terms = (term if type(term) is str else term.n3() for term in fact)
        return " ".join(term_text(term, self._kb.namespaces) for term in terms)

    def _stated(self, pattern: Pattern) -> list[Triple]:
        return [(s.n3(), p.n3(), o.n3()) for s, p, o in self._kb.explicit.triples(pattern)]


def _asks(query: str) -> str:
    """What a query asks for: its leading comment up to the first colon or full stop."""
    comment = " ".join(line.lstrip("# ") for line in query.splitlines() if line.startswith("#"))
    return comment.partition(".")[0].partition(":")[0]


@click.command()
@shared.number("--universities", 1, "Size of the data: some 100 000 triples each.")
@shared.json
def demo(universities: int, json: bool) -> None:
    """Show what rdfinc does: derive, ask, delete, explain, change the schema; under a minute."""
    story = Demo(universities, say=_silent if json else put)
    story.tell()
    if json:
        put(as_json(story.record()))


def _silent(text: str) -> None:
    pass
