"""Schemas of every shape at two sizes: loading, memory, and one axiom, fact or rule out and in.

    python examples/benchmarks/schemas.py
    python examples/benchmarks/schemas.py --share 1 --only "tree of classes" "hasKey lists"

`--share` is that of the sizes meant (a hundred thousand classes, five thousand members of a list);
the smaller size of each row is a quarter of the larger. Times are of the processor, in a process
of its own for each row, which is stopped after `--limit` seconds. "out" and "in" are `kb.update` of
one stated triple, over the triples drawn at random: the median and the longest, with the predicate
whose triple took it. `growth` is the larger time of loading divided by the smaller: four is linear.
`reasonable` is that package's whole run over the same triples, where it is installed; ontologies
given as files (`--files`) are measured alike.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from measure import at_least_one, duration

import rdfinc
from rdfinc.terms.io.convert import statement_keys

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
TYPE, SUB_CLASS, SUB_PROPERTY = f"<{RDF}type>", f"<{RDFS}subClassOf>", f"<{RDFS}subPropertyOf>"
VOCABULARIES = (f"<{RDF}", f"<{RDFS}", f"<{OWL}")
INSTANCES, DRAWN = 200, 60

Triple = tuple[str, str, str]
Triples = Iterator[Triple]


def owl(name: str) -> str:
    return f"<{OWL}{name}>"


def node(kind: str, number: int) -> str:
    return f"<http://example.org/{kind}{number}>"


def classes(numbers: Sequence[int]) -> Triples:
    for number in numbers:
        yield node("C", number), TYPE, owl("Class")


def instances(size: int) -> Triples:
    """Some individuals of classes all over the schema."""
    for number in range(INSTANCES):
        yield node("i", number), TYPE, node("C", number * size // INSTANCES)


def links(size: int) -> Triples:
    """Some links by properties all over the schema."""
    for number in range(INSTANCES):
        yield node("i", number), node("p", number * size // INSTANCES), node("i", number + 1)


def listed(name: str, members: Sequence[str]) -> Triples:
    cells = [f"_:{name}c{number}" for number in range(len(members))]
    for cell, member, rest in zip(cells, members, [*cells[1:], f"<{RDF}nil>"], strict=True):
        yield cell, f"<{RDF}first>", member
        yield cell, f"<{RDF}rest>", rest


def tree(size: int) -> Triples:
    yield from classes(range(size))
    for number in range(1, size):
        yield node("C", number), SUB_CLASS, node("C", (number - 1) // 8)
    yield from instances(size)


def layered(size: int) -> Triples:
    """Classes in forty layers; some have a second parent beside the one above them."""
    chance, width = random.Random(size), max(1, size // 40)
    yield from classes(range(size))
    for number in range(width, size):
        yield node("C", number), SUB_CLASS, node("C", number - width)
        if chance.random() < 0.3:
            yield node("C", number), SUB_CLASS, node("C", number - width + 1)
    yield from instances(size)


def class_chain(size: int) -> Triples:
    for number in range(size - 1):
        yield node("C", number), SUB_CLASS, node("C", number + 1)
    yield node("i", 0), TYPE, node("C", 0)
    yield from ((node("i", n), TYPE, node("C", size - 9 + n % 8)) for n in range(1, INSTANCES))


def property_chain(size: int) -> Triples:
    for number in range(size - 1):
        yield node("p", number), SUB_PROPERTY, node("p", number + 1)
    yield node("i", 0), node("p", 0), node("i", 1)
    yield from (
        (node("i", n), node("p", size - 9 + n % 8), node("i", n + 1)) for n in range(1, INSTANCES)
    )


def some_values(size: int) -> Triples:
    for number in range(size):
        restriction = f"_:r{number}"
        yield node("C", number), owl("equivalentClass"), restriction
        yield restriction, TYPE, owl("Restriction")
        yield restriction, owl("onProperty"), node("p", number % 50)
        yield restriction, owl("someValuesFrom"), node("D", number // 4)
    for number in range(INSTANCES):
        yield node("i", number), node("p", number % 50), node("j", number)
        yield node("j", number), TYPE, node("D", number * size // 4 // INSTANCES)


def has_values(size: int) -> Triples:
    for number in range(size):
        restriction = f"_:r{number}"
        yield node("C", number), SUB_CLASS, restriction
        yield restriction, owl("onProperty"), node("p", number % 50)
        yield restriction, owl("hasValue"), node("v", number)
    yield from instances(size)


def intersections(size: int) -> Triples:
    """Brick's shape: a class is those of another one that have a tag."""
    for number in range(1, size):
        both, tag = f"_:b{number}", f"_:t{number}"
        yield node("C", number), owl("equivalentClass"), both
        yield both, owl("intersectionOf"), f"_:m{number}c0"
        yield from listed(f"m{number}", (node("C", (number - 1) // 8), tag))
        yield tag, owl("onProperty"), node("p", 0)
        yield tag, owl("hasValue"), node("T", number % (size // 10 + 1))
    for number in range(INSTANCES):
        yield node("i", number), TYPE, node("C", 0)
        yield node("i", number), node("p", 0), node("T", number)


def properties(size: int) -> Triples:
    for number in range(size):
        p, kind = node("p", number), number % 8
        yield p, TYPE, owl("ObjectProperty")
        yield p, f"<{RDFS}domain>", node("C", number % 100)
        yield p, f"<{RDFS}range>", node("C", number % 77)
        yield p, SUB_PROPERTY, node("p", number // 10)
        if kind == 1:
            yield p, owl("inverseOf"), node("q", number)
        elif kind == 2:
            yield p, owl("propertyChainAxiom"), f"_:k{number}c0"
            yield from listed(f"k{number}", (node("p", number + 1), node("p", number + 3)))
        elif kind == 3:
            yield p, TYPE, owl("TransitiveProperty")
        elif kind == 4:
            yield p, TYPE, owl("SymmetricProperty")
    yield from links(size)


def pairwise_disjoint(size: int) -> Triples:
    for one in range(size):
        for other in range(one):
            yield node("C", one), owl("disjointWith"), node("C", other)
    yield from instances(size)


def long_list(kind: str, axiom: Callable[[str], Triples], facts: Callable[[int], Triples]) -> Any:
    """One axiom whose list has as many members as the size says."""

    def made(size: int) -> Triples:
        yield from axiom("_:listc0")
        yield from listed("list", [node(kind, number) for number in range(size)])
        yield from facts(size)

    return made


def all_disjoint(cell: str) -> Triples:
    yield "_:all", TYPE, owl("AllDisjointClasses")
    yield "_:all", owl("members"), cell


def key(cell: str) -> Triples:
    yield node("C", 0), owl("hasKey"), cell


def keyed(size: int) -> Triples:
    """Individuals of which each but the first has all values of a key."""
    for person in range(5):
        yield node("i", person), TYPE, node("C", 0)
        yield from (
            (node("i", person), node("p", number), node("v", number + person // 2))
            for number in range(size if person else size - 1)
        )


def all_links(size: int) -> Triples:
    """A path along all properties, in order."""
    for number in range(size):
        yield node("i", number), node("p", number), node("i", number + 1)


def class_axiom(name: str) -> Callable[[str], Triples]:
    def made(cell: str) -> Triples:
        yield node("L", 0), owl(name), cell

    return made


def many_types(size: int) -> Triples:
    """An individual of all classes, and one of all but the last."""
    for number in range(size):
        yield node("i", 0), TYPE, node("C", number)
    for number in range(size - 1):
        yield node("i", 1), TYPE, node("C", number)


def one_of(size: int) -> Triples:
    yield node("L", 0), SUB_CLASS, node("C", 1)
    yield from ((node("i", n), node("p", 0), node("i", n + 1)) for n in range(INSTANCES))


def no_axioms(size: int) -> Triples:
    yield from links(min(size, 1000))


def alike_rules(size: int) -> Iterator[str]:
    for n in range(size):
        first, second = node("p", n % 1000), node("p", n % 7)
        yield f"[?x, {node('r', n)}, ?z] :- [?x, {first}, ?y], [?y, {second}, ?z] ."


def different_rules(size: int) -> Iterator[str]:
    """Rules of which no two have one shape: bodies are paths and stars of several lengths."""
    chance = random.Random(size)
    for n in range(size):
        body, names = [], ["?x"]
        for length in range(1 + n % 6):
            start, end = chance.choice(names), f"?y{length}"
            names.append(end)
            ends = (start, end) if chance.random() < 0.5 else (end, start)
            body.append(f"[{ends[0]}, {node('p', chance.randrange(1000))}, {ends[1]}]")
        yield f"[?x, {node('r', n)}, {chance.choice(names[1:])}] :- {', '.join(body)} ."


def no_rules(size: int) -> Iterator[str]:
    yield from ()


@dataclass(frozen=True)
class Shape:
    """A schema of a given size: its triples, its rules, and the size that is meant."""

    size: int
    triples: Callable[[int], Triples]
    rules: Callable[[int], Iterator[str]] = no_rules


SHAPES = {
    "tree of classes": Shape(100_000, tree),
    "classes in 40 layers": Shape(100_000, layered),
    "chain of classes": Shape(10_000, class_chain),
    "chain of properties": Shape(10_000, property_chain),
    "someValuesFrom": Shape(100_000, some_values),
    "hasValue": Shape(100_000, has_values),
    "intersections": Shape(100_000, intersections),
    "properties": Shape(20_000, properties),
    "disjoint in pairs": Shape(2_000, pairwise_disjoint),
    "AllDisjointClasses": Shape(2_000, long_list("C", all_disjoint, instances)),
    "long intersectionOf": Shape(5_000, long_list("C", class_axiom("intersectionOf"), many_types)),
    "long unionOf": Shape(5_000, long_list("C", class_axiom("unionOf"), instances)),
    "long oneOf": Shape(5_000, long_list("i", class_axiom("oneOf"), one_of)),
    "long propertyChainAxiom": Shape(
        5_000, long_list("p", class_axiom("propertyChainAxiom"), all_links)
    ),
    "long hasKey": Shape(5_000, long_list("p", key, keyed)),
    "rules of one shape": Shape(50_000, no_axioms, alike_rules),
    "rules of different shapes": Shape(2_000, no_axioms, different_rules),
}


def text_of(triples: Triples) -> str:
    return "".join(f"{s} {p} {o} .\n" for s, p, o in triples)


# -- one row, in a process of its own


@dataclass(frozen=True)
class Change:
    """The seconds that one change took, out and in, and what it was about."""

    out: float
    back: float
    about: str


def cost(action: Callable[[], Any]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def turned(kb: rdfinc.KnowledgeBase, triple: Triple) -> Change:
    """One triple out and in again."""
    out = cost(lambda: kb.update(delete=[triple]))
    back = cost(lambda: kb.update(insert=[triple]))
    return Change(out, back, triple[1].rpartition("#")[2].rstrip(">"))


def drawn(triples: list[Triple], deadline: float, kb: rdfinc.KnowledgeBase) -> list[Change]:
    """Some triples out and in, as far as time allows."""
    chance = random.Random(0)
    chosen = chance.sample(triples, min(DRAWN, len(triples)))
    changes: list[Change] = []
    for triple in chosen:
        changes.append(turned(kb, triple))
        if time.process_time() > deadline:
            break
    return changes


def stated_triples(kb: rdfinc.KnowledgeBase) -> list[Triple]:
    """What is stated, in order, as terms of N-Triples: `n3()` writes long literals as Turtle."""
    facts = (statement_keys(fact) for fact in kb.explicit)
    return sorted((s.decode(), p.decode(), o.decode()) for s, p, o, *_ in facts)


def resident() -> int:
    with Path("/proc/self/status").open() as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def measured(file: str, rules: str, limit: float) -> dict[str, Any]:
    """What loading a file and changing it costs."""
    rdfinc.KnowledgeBase().load(io.BytesIO(), format="ntriples")  # imports are not counted
    before = resident()
    kb = rdfinc.KnowledgeBase()
    loading = cost(lambda: kb.load(file))
    if rules:
        loading += cost(lambda: kb.add_rules(rules))
    row: dict[str, Any] = {
        "load": loading,
        "bytes": resident() - before,
        "stated": len(kb.explicit),
        "facts": len(kb),
    }
    stated = stated_triples(kb)
    schema = [fact for fact in stated if is_axiom(fact)]
    facts = [fact for fact in stated if not is_axiom(fact)]
    for name, triples in (("axiom", schema), ("fact", facts)):
        changes = drawn(triples, time.process_time() + limit / 4, kb)  # type: ignore[arg-type]
        row[name] = [(change.out, change.back, change.about) for change in changes]
    rule = f"[?x, {node('new', 0)}, ?y] :- [?x, {node('p', 0)}, ?y] ."
    row["rule"] = [(cost(lambda: kb.add_rules(rule)), cost(lambda: kb.remove_rules(rule)), "rule")]
    return row


def is_axiom(fact: Sequence[str]) -> bool:
    _, p, o = fact
    return p.startswith(VOCABULARIES) and (p != TYPE or o.startswith(VOCABULARIES))


def peer(file: str) -> float | None:
    """The seconds of reasonable's whole run; None where it is not installed."""
    try:
        from reasonable import PyReasoner
    except ImportError:
        return None

    def run() -> None:
        reasoner = PyReasoner()
        reasoner.load_file(turtle)
        reasoner.reason()

    turtle = f"{file}.ttl"
    Path(turtle).write_bytes(Path(file).read_bytes())

    return cost(run)


# -- all rows


def in_a_process(kind: str, limit: float, *arguments: str) -> dict[str, Any] | str:
    """What a row's process tells, or why it told nothing."""
    command = [sys.executable, __file__, "--row", kind, str(limit), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=3 * limit, check=False
        )
    except subprocess.TimeoutExpired:
        return f"over {limit:.0f} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["killed"])[-1][:60]
    told = json.loads(done.stdout.splitlines()[-1])
    return told if isinstance(told, dict) else {"seconds": told}


def shown(changes: list[tuple[float, float, str]]) -> str:
    """Medians out and in, and the longest with what it was about."""
    if not changes:
        return "-"
    out, back, _ = zip(*changes, strict=True)
    longest = max(changes, key=lambda change: max(change[:2]))
    return (
        f"{duration(median(out))} / {duration(median(back))}"
        f" ({duration(max(longest[:2]))} {longest[2]})"
    )


def row(name: str, file: Path, rules: str, limit: float) -> float | None:
    """Prints a line; returns the seconds of loading."""
    size = f"{name:34}"
    ours = in_a_process("ours", limit, str(file), rules)
    if isinstance(ours, str):
        print(f"{size} {ours}", flush=True)
        return None
    theirs = "" if rules else in_a_process("reasonable", limit, str(file))
    if isinstance(theirs, dict):
        theirs = duration(theirs["seconds"]) if theirs["seconds"] is not None else "-"
    print(
        f"{size} {ours['stated']:>9,} {ours['facts']:>11,} {duration(ours['load']):>9}"
        f" {ours['bytes'] / 1e6:>6.0f} MB  axiom {shown(ours['axiom'])}  fact {shown(ours['fact'])}"
        f"  rule {shown(ours['rule'])}  reasonable {theirs}",
        flush=True,
    )
    return float(ours["load"])


def rows(name: str, shape: Shape, share: float, limit: float, folder: Path) -> None:
    times: list[float | None] = []
    for size in (max(8, int(shape.size * share / 4)), max(32, int(shape.size * share))):
        file, rules = folder / "schema.nt", folder / "rules.dlog"
        file.write_text(text_of(shape.triples(size)), encoding="utf-8")
        rules.write_text("\n".join(shape.rules(size)), encoding="utf-8")
        times.append(
            row(f"{name}, {size:,}", file, "" if shape.rules is no_rules else str(rules), limit)
        )
    for less, more in pairwise(times):
        if less and more:
            print(f"{'':34} growth {more / less:.1f}", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--share", type=float, default=0.1, help="of the sizes meant (0.1)")
    parser.add_argument("--only", nargs="+", choices=SHAPES, help="shapes, all by default")
    parser.add_argument("--files", nargs="+", help="ontologies instead of shapes")
    parser.add_argument("--limit", type=at_least_one, default=20, help="seconds a row (20)")
    return parser.parse_args()


def main() -> None:
    if sys.argv[1:2] == ["--row"]:
        kind, limit, file, *rules = sys.argv[2:]
        if kind == "reasonable":
            print(json.dumps(peer(file)))
        else:
            text = Path(rules[0]).read_text(encoding="utf-8") if rules and rules[0] else ""
            print(json.dumps(measured(file, text, float(limit))))
        return
    args = arguments()
    for file in args.files or ():
        row(Path(file).name, Path(file), "", args.limit)
    with tempfile.TemporaryDirectory() as folder:
        for name in args.only or (SHAPES if not args.files else ()):
            rows(name, SHAPES[name], args.share, args.limit, Path(folder))


if __name__ == "__main__":
    main()
