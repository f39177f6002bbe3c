"""A process that forks one in which an interrupt from the keyboard breaks off the import of a
module, for each few modules that a call needs for the first time; then the call is made again.

Prints what went wrong, and in the last line how many imports were broken off.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

from rdfinc import KnowledgeBase
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.terms.whole_imports import PACKAGES as FOREIGN

PACKAGES = ("rdfinc", *FOREIGN)
SOME = 60
"""Of so many modules one."""

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
FACT = ("<urn:a>", TYPE, "<urn:A>")
QUERY = "SELECT ?x (1 + 1 AS ?y) { ?x a <urn:A> FILTER(?x != <urn:b>) }"
OF_DATES = 'SELECT ("2001-02-03"^^xsd:date - "2001-02-01"^^xsd:date AS ?days) {}'
RULE = "[?x, a, <urn:B>] :- [?x, a, <urn:A>], FILTER(?x != <urn:b>) ."


def shown() -> object:
    kb = KnowledgeBase(profile="none")
    kb.update(insert=[FACT])
    return [[str(term) for term in triple] for triple in kb]


def asked() -> object:
    kb = KnowledgeBase(profile="none")
    kb.update(insert=[FACT])
    return [[str(term) for term in row] for row in kb.query(QUERY)]


def asked_of_rdflib() -> object:
    """By a function that rdflib alone has."""
    return [[str(term) for term in row] for row in KnowledgeBase().query(OF_DATES)]


def asked_of_a_graph() -> object:
    from rdflib import Graph

    graph = Graph(store="rdfinc")
    graph.update("INSERT DATA { <urn:a> a <urn:A> }")
    return [[str(term) for term in row] for row in graph.query(QUERY)]


def ruled() -> object:
    return str(parse_rules(RULE))


class At:
    """Sends an interrupt when so many modules of the packages have begun."""

    def __init__(self, module: int) -> None:
        self.left = module

    def __call__(self, frame: Any, event: str, argument: Any) -> None:
        if event != "call" or frame.f_code.co_name != "<module>":
            return
        if frame.f_globals.get("__name__", "").partition(".")[0] in PACKAGES:
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGINT)


def outcome(act: Callable[[], object]) -> str:
    try:
        return f"gave {act()}"
    except BaseException as error:
        return f"raised {''.join(traceback.format_exception(error))}"


def broken_off(act: Callable[[], object], module: int) -> tuple[bool, str]:
    """Whether there were so many modules, and what the call gives then."""
    at = At(module)
    sys.setprofile(at)
    try:
        act()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return at.left <= 0, outcome(act)


def in_a_child(report: Callable[[], tuple[bool, str]]) -> tuple[bool, str]:
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        there, told = report()
        os.write(write, f"{int(there)}{told}".encode()[-4000:])
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text.startswith("1"), text[1:]


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    count = 0
    for act in (shown, asked, asked_of_rdflib, ruled):
        count += tried(act)
    import rdflib  # noqa: F401  whose own import is not ours

    print(count + tried(asked_of_a_graph))


def tried(act: Callable[[], object]) -> int:
    """How many imports were broken off."""
    _, expected = in_a_child(lambda: (True, outcome(act)))
    module, count, there = 1, 0, True
    while there:
        there, told = in_a_child(partial(broken_off, act, module))
        if told != expected:
            print(f"{act.__name__}, module {module}: {told}; not: {expected}")
        count += there
        module += SOME
    return count


if __name__ == "__main__":
    main()
