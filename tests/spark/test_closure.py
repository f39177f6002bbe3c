"""What follows on Spark is what a knowledge base derives."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import click
import pyarrow.parquet as pq
import pyoxigraph as ox
import pytest
from msgspec.structs import replace
from pyspark.sql import SparkSession

import rdfinc
import thresholds
from laws.names import TYPE, Fact
from laws.random_bodies import assuming
from laws.random_facts import above, data, numbers
from laws.random_owl import Ontologist
from laws.random_rules import random_rule
from rdfinc import DataSyntaxError, KnowledgeBase, UnsupportedError
from rdfinc.cli import app
from rdfinc.datalog.model import Aggregate, Atom, BodyItem, Literal, NotExists, Rule, Skolem, Var
from rdfinc.durable import verify
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.loading import CLOSURE
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.plugins.spark.closure import stated_change
from rdfinc.plugins.spark.closure.materialise import materialise
from rdfinc.plugins.spark.closure.stated_change import change, extend, retract
from rdfinc.plugins.spark.folders import into_folder
from rdfinc.plugins.spark.load.layout import FACTS
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.remote_folder import RemoteFolder

OWN = "<http://example.org/"


def texts(kb: KnowledgeBase) -> set[tuple[str, ...]]:
    return {tuple(term.n3() for term in fact) for fact in kb}


def bulk(folder: Path, name: str, *texts: str) -> Path:
    """A bulk load of some Turtle documents."""
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"{name}{number}.ttl")
        files[-1].write_text(text)
    into_folder(files, folder / name, strict=True, engine="local", say=lambda text: None)
    return folder / name


def read(folder: Path) -> set[tuple[str, ...]]:
    kb = KnowledgeBase(profile="none")
    kb.load(folder)
    return texts(kb)


def of_its_own(number: int, rules: Sequence[Rule]) -> list[Rule]:
    """The rules about terms that no others speak of."""

    def term(value):
        return value if isinstance(value, Var) else named(number, value)

    def item(value: BodyItem) -> BodyItem:
        if isinstance(value, Literal):
            return replace(value, atom=value.atom.map(term))
        if isinstance(value, NotExists | Aggregate):
            return replace(value, body=tuple(map(item, value.body)))
        return value

    return [
        replace(rule, head=rule.head and rule.head.map(term), body=tuple(map(item, rule.body)))
        for rule in rules
    ]


def named(number: int, text: str) -> str:
    return text.replace(OWN, f"{OWN}{number}/")


def program(seed: int) -> tuple[list[Rule], list[Fact]]:
    """A random program; one of a hundred derives more than a few facts."""
    rnd = Random(seed)
    rules: list[Rule] = []
    while len(rules) < 4:
        rule = random_rule(rnd, rules, make=assuming if len(rules) % 2 else None)
        if not speaks_of_any(rule) and rule.head is not None:
            rules.append(rule)
    return rules, [fact for _ in range(12) for make in MAKERS for fact in make(rnd)]


SEEDS = 139, 252
MAKERS = (data, data, numbers, above)


def locally(profile: str, rules: Iterable[Rule], facts: Iterable[Fact]) -> KnowledgeBase:
    kb = KnowledgeBase(profile=profile)
    kb.update(insert=facts)
    kb.add_rules(rules)
    return kb


def speaks_of_any(item: Rule | BodyItem) -> bool:
    """Whether a predicate or class is a variable somewhere."""
    if isinstance(item, Rule):
        head = item.head is not None and _is_open(item.head)
        return head or any(map(speaks_of_any, item.body))
    if isinstance(item, Literal):
        return _is_open(item.atom)
    return isinstance(item, NotExists | Aggregate) and any(map(speaks_of_any, item.body))


def _is_open(atom: Atom) -> bool:
    p, o = atom.predicate, atom.object
    return isinstance(p, Var) or (p == TYPE and isinstance(o, Var))


def there_and_back() -> tuple[list[Rule], list[Fact]]:
    """Rules of two shapes, which find what is there in one round."""
    a, b, c, one, two = (f"{OWN}there/{name}>" for name in "abcde")
    x, y = Var("x"), Var("y")
    rules = [Rule(Atom(x, h, y), (Literal(Atom(x, p, y)),)) for h, p in ((a, b), (b, a))]
    rules += [Rule(Atom(y, h, x), (Literal(Atom(x, p, y)),)) for h, p in ((c, b), (b, c))]
    return rules, [(one, a, two), (two, c, one)]


def two_at_once() -> tuple[list[Rule], list[Fact]]:
    """Rules that go in a circle and find two facts in one round, of which another needs both."""
    a, b, c, d, *nodes = (f"{OWN}twice/{name}>" for name in "abcdefghi")
    x, y, z = Var("x"), Var("y"), Var("z")
    copies = [Rule(Atom(x, h, y), (Literal(Atom(x, p, y)),)) for h in (b, c) for p in (a, d)]
    join = Rule(Atom(x, d, z), (Literal(Atom(x, b, y)), Literal(Atom(y, c, z))))
    return [*copies, join], [(s, a, o) for s, o in pairwise(nodes)]


def test_random_programs(spark: SparkSession, tmp_path: Path) -> None:
    """Several in one, since each round of Spark takes its time, however little there is to do."""
    chosen = [*map(program, SEEDS), there_and_back(), two_at_once()]
    rules = [rule for n, (own, _) in enumerate(chosen) for rule in of_its_own(n, own)]
    facts = {tuple(named(n, t) for t in fact) for n, (_, own) in enumerate(chosen) for fact in own}
    kb = locally("none", rules, facts)
    assert all(len(locally("none", *own).derived) > 15 for own in chosen[: len(SEEDS)])
    folder = bulk(tmp_path, "data", "".join(f"{s} {p} {o} .\n" for s, p, o in sorted(facts)))
    manifest = materialise(spark, folder, tmp_path / "closure", profile="none", rules=rules)
    found, expected = read(tmp_path / "closure"), texts(kb)
    assert manifest.facts == len(found), "each once"
    assert found - expected == set() and expected - found == set()


AXIOMS = """@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:p a owl:TransitiveProperty . :r owl:inverseOf :p . :a :p :b . :b :p :c . :c :p :d . :d :p :e .
:q a owl:TransitiveProperty , owl:SymmetricProperty . :x :q :y . :z :q :y . :m :q :n .
:A rdfs:subClassOf :B . :B rdfs:subClassOf [ owl:unionOf ( :C :D ) ] . :a a :A .
:sub rdfs:subPropertyOf rdfs:subClassOf . :B :sub :E .
:f a owl:FunctionalProperty . :a :f :a1 , :a2 . :a1 :knows :k .
:deep owl:propertyChainAxiom ( :q :q :q ) . :Often owl:intersectionOf ( :A :B :A ) .
"""
BATCH = """@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:e :p :f . :y :q _:x . :E rdfs:subClassOf :F . :a a :B . :A :sub :G .
"""
RULES = """@prefix : <http://e/> .
[?x, :tag, ?v] :- [?x, :p, ?y], BIND(CONCAT(STR(?x), STR(?y)) AS ?v) .
[?x, :less, ?y] :- [?x, :p, ?y], FILTER(STR(?x) < STR(?y)) .
[?n, :of, ?x] :- [?x, :f, ?y], BIND(SKOLEM("node", ?x) AS ?n) .
"""


class Killed(BaseException):
    pass


def killed_and_again(
    rounds: int, made: Path | RemoteFolder, run: Callable[[Callable[[str], None]], object]
) -> None:
    """Runs something that is killed after some rounds, and once more: no round is done twice."""
    said: list[str] = []

    def until_killed(text: str) -> None:
        said.append(text)
        if sum(": " in each for each in said) == rounds:
            raise Killed

    with pytest.raises(Killed):
        run(until_killed)
    assert not made.exists()
    again: list[str] = []
    run(again.append)
    assert not {each for each in said if ": " in each} & set(again)


def test_a_killed_run_goes_on(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    """With --long a batch comes in, by a run that is killed as well."""
    thresholds.put(monkeypatch, LISTS, long_list=2)
    folder = bulk(tmp_path, "data", AXIOMS)
    closure = tmp_path / "closure"
    killed_and_again(
        3, closure, lambda say: materialise(spark, folder, closure, rules=RULES, say=say)
    )
    kb = KnowledgeBase()
    kb.load(folder)
    kb.add_rules(RULES)
    assert nodeless(read(closure)) == nodeless(texts(kb))
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == set()
    if pytestconfig.getoption("--long"):
        batch, closed, closure = bulk(tmp_path, "batch", BATCH), closure, tmp_path / "extended"
        killed_and_again(2, closure, lambda say: extend(spark, closed, batch, closure, say=say))
        kb.load(batch)
        assert nodeless(read(closure)) == nodeless(texts(kb))
    facts = spark.read.parquet(str(closure / FACTS))
    assert facts.where("NOT derived").count() == len(kb.explicit)
    assert facts.where("derived").count() == len(kb.derived)


def nodeless(facts: set[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The facts without the names of blank nodes."""
    return sorted(tuple("_" if t.startswith("_:") else t for t in fact) for fact in facts)


PLACES = """@prefix : <http://e/> . :Place :under :Thing .
:a :in :b . :b :in :c . :c :in :b . :b :in :d . :x :in _:y . _:y :in :d .
"""
TIES = """@prefix : <http://e/> .
[?x, :in, ?z] :- [?x, :in, ?y], [?y, :in, ?z] .
[?x, a, :Place] :- [?x, :in, ?y] .
[?x, a, ?d] :- [?x, a, ?c], [?c, :under, ?d] .
[?x, :tied, ?y] :- [?x, :friend, ?y] .
[?y, :tied, ?x] :- [?x, :tied, ?y] .
"""
FRIENDS = "@prefix : <http://e/> . :a :friend :b . :c :friend :d . :d :friend :c ."
GONE = """@prefix : <http://e/> .
:a :friend :b . :c :friend :d . :b :in :c . :x :in _:f1_y . :a a :Thing . :no :in :f .
"""
COMES = "@prefix : <http://e/> . :b :in :c . :c :friend :x . :q :in :a ."
SCHEMA = "@prefix : <http://e/> . :Place :under :Thing . :c :in :b ."
PEOPLE = """@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:head a owl:FunctionalProperty . :number a owl:InverseFunctionalProperty .
:a :head :k , :l . :k :number 7 . :l :number 007 , 08 . :m :number 8 .
"""
LITERALS = """@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
:five owl:sameAs 5 . :six owl:sameAs 6 .
:kind owl:propertyChainAxiom ( :size rdf:type ) . :x :size 4 .
"""
RETIRED = "@prefix : <http://e/> . :a :head :l . :l :number 08 . :x :size 4 ."
NAME = (
    "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . :seven owl:sameAs 7 ."
)
SAME, DIFFERENT = (
    f"<http://www.w3.org/2002/07/owl#{name}>" for name in ("sameAs", "differentFrom")
)


def stated(*texts: str) -> set[str]:
    """The statements of some Turtle documents; the nodes of the first file have these labels."""
    return {
        f"{fact} .".replace("_:f1_", "_:")
        for text in texts
        for fact in ox.parse(text, ox.RdfFormat.TURTLE)
    }


def closed_by(statements: set[str], rules: object, folder: Path, **options: str) -> KnowledgeBase:
    """The oracle: a new knowledge base."""
    file = folder / "oracle.nt"
    file.write_text("\n".join(sorted(statements)))
    kb = KnowledgeBase(**options)
    kb.load(file)
    kb.add_rules(rules)
    return kb


def same(folder: Path, kb: KnowledgeBase) -> None:
    """A closure on Spark has the facts of a knowledge base, and tells which of them are stated."""
    assert nodeless(read(folder)) == nodeless(texts(kb))
    told = [pq.read_table(f, columns=["derived"]) for f in (folder / FACTS).rglob("*.parquet")]
    derived = sum(sum(table.column(0).to_pylist()) for table in told)
    assert derived == len(kb.derived)


def goes_on(folder: Path, place: Path) -> None:
    """A closure on Spark goes on as a knowledge base without being derived again, and is right
    whatever comes and goes there."""
    shutil.copytree(folder, place)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KnowledgeBase, "_noted", lambda *_: pytest.fail("derived"))
        kb = rdfinc.open(place)
    rnd, pool = Random(0), sorted(tuple(term.n3() for term in fact) for fact in kb.explicit)
    assert verify(place, deep=True) == []
    with kb:
        for _ in range(6):
            kb.update(insert=rnd.sample(pool, 3), delete=rnd.sample(pool, 6))
            kb.checkpoint()
            assert verify(place, deep=True) == []


@pytest.fixture(params=["driver", "driver with questions", "tasks"])
def worked_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who works a change out; in the driver, tasks do nothing of it, or find the facts that it asks
    for."""
    way: str = request.param
    if way == "tasks":
        thresholds.put(monkeypatch, SPARK, facts_around=0, asked_here=0, few_rows=1)
    else:
        thresholds.put(monkeypatch, SPARK, asked_here=0 if "questions" in way else 1 << 30)
        for name in "Doubts", "Evaluation":
            monkeypatch.delattr(stated_change, name)
    return way


def test_what_goes_takes_along_what_has_no_other_ground(
    spark: SparkSession, tmp_path: Path, worked_out: str, pytestconfig: pytest.Config
) -> None:
    """Two ties support each other, and both go; what has another ground stays. With --long, tasks
    derive all anew, too, where schema goes."""
    closure, less, both = (tmp_path / name for name in ("closure", "less", "both"))
    data = bulk(tmp_path, "data", PLACES, FRIENDS)
    materialise(spark, data, closure, profile="none", rules=TIES)
    gone, comes, schema = (
        bulk(tmp_path, name, text)
        for name, text in (("gone", GONE), ("comes", COMES), ("schema", SCHEMA))
    )
    said: list[str] = []
    retract(spark, closure, gone, less, say=said.append)
    assert any(text.endswith("facts doubted") for text in said)
    left = stated(PLACES, FRIENDS) - stated(GONE)
    assert len(left) == len(stated(PLACES, FRIENDS)) - 4
    same(less, closed_by(left, TIES, tmp_path, profile="none"))
    goes_on(less, tmp_path / "going on with less")
    if worked_out == "tasks" and not pytestconfig.getoption("--long"):
        return

    change(spark, less, both, insert=comes, delete=schema)
    left = (left - stated(SCHEMA)) | stated(COMES)
    same(both, closed_by(left, TIES, tmp_path, profile="none"))
    goes_on(both, tmp_path / "going on with both")


def test_a_closure_by_rules_of_another_version_is_derived_anew(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Facts that nobody sees may be missing there."""
    closure, less = tmp_path / "closure", tmp_path / "less"
    materialise(spark, bulk(tmp_path, "data", PLACES, FRIENDS), closure, profile="none", rules=TIES)
    about = json.loads((closure / CLOSURE).read_text())
    (closure / CLOSURE).write_text(json.dumps(about | {"version": "another"}))
    said: list[str] = []
    retract(spark, closure, bulk(tmp_path, "gone", GONE), less, say=said.append)
    assert not any(text.endswith("facts doubted") for text in said)
    same(less, closed_by(stated(PLACES, FRIENDS) - stated(GONE), TIES, tmp_path, profile="none"))
    assert json.loads((less / CLOSURE).read_text()) == about


def test_names_and_values_come_and_go(
    spark: SparkSession, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Two are one by the value of a number, and literals are of datatypes; with --long, a name is
    one of another person again, and the last triple of a property goes."""
    closure, less = tmp_path / "closure", tmp_path / "less"
    materialise(spark, bulk(tmp_path, "data", PEOPLE, LITERALS), closure)
    assert ("<http://e/k>", SAME, "<http://e/l>") in read(closure)
    known = stated(PEOPLE, LITERALS)
    same(closure, closed_by(known, (), tmp_path))
    goes_on(closure, tmp_path / "going on")
    if pytestconfig.getoption("--long"):
        retract(spark, closure, bulk(tmp_path, "gone", RETIRED), less)
        same(less, closed_by(known - stated(RETIRED), (), tmp_path))


BAGS = """@prefix : <http://e/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:bag rdf:_1 :x ; rdf:_2 :y , 5 . rdfs:member rdfs:range :Member . :Member rdfs:subClassOf :Thing .
:p rdfs:domain :C ; rdfs:range :D . :x :p :y .
"""
NO_MORE = "@prefix : <http://e/> . :bag <http://www.w3.org/1999/02/22-rdf-syntax-ns#_1> :x ."


def test_members_of_containers_come_and_go(spark: SparkSession, tmp_path: Path) -> None:
    closure, less = tmp_path / "closure", tmp_path / "less"
    materialise(spark, bulk(tmp_path, "data", BAGS), closure, profile="rdfs")
    same(closure, closed_by(stated(BAGS), (), tmp_path, profile="rdfs"))
    assert ("<http://e/x>", TYPE, "<http://e/Member>") in read(closure)
    retract(spark, closure, bulk(tmp_path, "gone", NO_MORE), less)
    same(less, closed_by(stated(BAGS) - stated(NO_MORE), (), tmp_path, profile="rdfs"))
    goes_on(less, tmp_path / "going on")


def test_names_become_too_many(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    """What follows from few literals with names goes when a batch brings more, and none goes."""
    if not pytestconfig.getoption("--long"):
        pytest.skip("minutes: --long only")
    thresholds.put(monkeypatch, KNOWLEDGE, differing_names=2)
    closure, more = tmp_path / "closure", tmp_path / "more"
    materialise(spark, bulk(tmp_path, "data", LITERALS), closure)
    assert any(p == DIFFERENT for _, p, _ in read(closure))
    extend(spark, closure, bulk(tmp_path, "names", NAME), more)
    assert not any(p == DIFFERENT for _, p, _ in read(more))
    same(more, closed_by(stated(LITERALS, NAME), (), tmp_path))


def ontology(seed: int) -> list[frozenset[Fact]]:
    """A random ontology, axiom by axiom and fact by fact, with names for all nodes."""
    ontologist = Ontologist(Random(seed))
    makers = [ontologist.axiom] * 6 + [ontologist.fact] * 8
    parts = [make() for make in makers]
    return [frozenset(tuple(map(_named_node, fact)) for fact in part) for part in parts]


def _named_node(term: str) -> str:
    return f"{OWN}{term[2:]}>" if term.startswith("_:") else term


def test_random_ontologies_go_and_come(
    spark: SparkSession, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Ontologies of all constructs, with literals of equal values; axioms and facts change."""
    first, count = pytestconfig.getoption("--long") or pytest.skip("minutes a seed: --long only")
    for seed in range(first, first + count):
        rnd, pool, place = Random(seed), ontology(seed), tmp_path / str(seed)
        place.mkdir()
        known = rnd.sample(pool, len(pool) * 4 // 5)
        closure, said = place / "closure", statements(known)
        materialise(spark, bulk(place, "data", "\n".join(sorted(said))), closure)
        same(closure, closed_by(said, (), place))
        goes_on(closure, place / "going on")
        for step in range(2):
            gone, come = rnd.sample(known, 3), rnd.sample(pool, 3)
            going, coming = (
                bulk(place, f"{name}{step}-", "\n".join(sorted(statements(batch))))
                for name, batch in (("going", gone), ("coming", come))
            )
            made = place / f"closure{step}"
            change(spark, closure, made, insert=coming, delete=going)
            said, closure = (said - statements(gone)) | statements(come), made
            same(closure, closed_by(said, (), place))
            goes_on(closure, place / f"going on {step}")


def statements(parts: Iterable[frozenset[Fact]]) -> set[str]:
    return lines(fact for part in parts for fact in part)


def positive_program(seed: int) -> tuple[list[Rule], list[Fact]]:
    """A random program without negation, and facts, about terms that no others speak of."""
    rnd = Random(seed)
    rules: list[Rule] = []
    while len(rules) < 4:
        rule = random_rule(rnd, rules)
        if not speaks_of_any(rule) and not any(isinstance(item, Skolem) for item in rule.body):
            rules.append(rule)
    facts = [fact for _ in range(12) for make in MAKERS for fact in make(rnd)]
    return of_its_own(seed, rules), [tuple(named(seed, t) for t in fact) for fact in facts]


POSITIVE = 50, 101, 216, 246
"""Programs that derive much: closures, values, facts that support each other."""


def lines(facts: Iterable[Fact]) -> set[str]:
    return {f"{s} {p} {o} ." for s, p, o in facts}


@pytest.mark.parametrize("around", [SPARK.facts_around, 0])
def test_random_batches_go_and_come(
    spark: SparkSession,
    tmp_path: Path,
    pytestconfig: pytest.Config,
    monkeypatch: pytest.MonkeyPatch,
    around: int,
) -> None:
    """One change of a program, in the driver as far as it can tell, and by tasks; with --long
    several programs in one, and change after change."""
    thresholds.put(monkeypatch, SPARK, facts_around=around)
    is_long = pytestconfig.getoption("--long")
    first, count = is_long or (0, 1)
    rnd = Random(first)
    programs = [positive_program(seed) for seed in (POSITIVE if is_long else POSITIVE[:1])]
    rules = [rule for own, _ in programs for rule in own]
    pool = sorted(lines(fact for _, own in programs for fact in own))
    known, closure = set(rnd.sample(pool, len(pool) * 4 // 5)), tmp_path / "closure"
    folder = bulk(tmp_path, "data", "\n".join(sorted(known)))
    materialise(spark, folder, closure, profile="none", rules=rules)
    for step in range(count):
        gone, come = rnd.sample(pool, len(pool) // 5), rnd.sample(pool, len(pool) // 8)
        going, coming = (
            bulk(tmp_path, f"{name}{step}-", "\n".join(batch))
            for name, batch in (("going", gone), ("coming", come))
        )
        said: list[str] = []
        made = tmp_path / f"closure{step}"
        change(spark, closure, made, insert=coming, delete=going, say=said.append)
        assert any(text.endswith("facts doubted") for text in said)
        known, closure = (known - set(gone)) | set(come), made
        same(closure, closed_by(known, rules, tmp_path, profile="none"))
        goes_on(closure, tmp_path / f"going on {step}")


def test_on_the_command_line(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "rules.dlog"
    rules.write_text("<http://e/q>[?x, ?y] :- <http://e/p>[?y, ?x] .")
    folder = bulk(tmp_path, "data", "<http://e/a> <http://e/p> <http://e/b> .")
    closure = tmp_path / "c"
    command = ["materialise", str(folder), str(rules), "-o", str(closure), "--engine", "spark"]
    app.run([*command, "--profile", "none"])
    assert re.match(rf"2 facts of \d+ terms: {closure}, in ", capsys.readouterr().out)
    assert ("<http://e/b>", "<http://e/q>", "<http://e/a>") in read(closure)
    with pytest.raises(click.BadParameter, match="together with the others"):
        app.run([*command, str(tmp_path / "data0.ttl")])
    assert {path.name for path in tmp_path.iterdir()} == {"data", "data0.ttl", "rules.dlog", "c"}


def test_facts_among_rules_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    folder = bulk(tmp_path, "data", "<http://e/a> <http://e/p> <http://e/b> .")
    rules = "[<http://e/c>, <http://e/p>, <http://e/d>] ."
    with pytest.raises(UnsupportedError, match=r"<http://e/c> <http://e/p> <http://e/d>.*the da"):
        materialise(spark, folder, tmp_path / "closure", rules=rules)
    assert {path.name for path in tmp_path.iterdir()} == {"data", "data0.ttl"}


def test_folders_that_are_no_loads_or_closures_are_refused(
    spark: SparkSession, tmp_path: Path
) -> None:
    folder = bulk(tmp_path, "data", "<http://e/a> <http://e/p> <http://e/b> .")
    with pytest.raises(DataSyntaxError, match="no bulk load"):
        materialise(spark, tmp_path, tmp_path / "closure")
    with pytest.raises(FileExistsError, match="name a new folder"):
        materialise(spark, folder, folder)
    with pytest.raises(DataSyntaxError, match="no closure made on Spark"):
        extend(spark, folder, folder, tmp_path / "closure")
    assert {path.name for path in tmp_path.iterdir()} == {"data", "data0.ttl"}
