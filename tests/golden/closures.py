"""How the golden tests read their files, and the two ways to a closure that they compare."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox
from naive import contradictions, naive

from rdfinc import KnowledgeBase
from rdfinc.owl.lists import list_changes
from rdfinc.owl.rules import fixed_rules, list_rules
from rdfinc.owl.vocabulary import AUXILIARY, Vocabulary
from rdfinc.terms.dictionary import Dictionary

Triple = tuple[str, str, str]


class Closure(NamedTuple):
    """Facts without hidden ones, and how often each rule is contradicted."""

    facts: set[Triple]
    violations: Counter[str]


def read(path: Path) -> set[Triple]:
    """A file's triples in canonical N-Triples; blank nodes keep their labels."""
    return {
        (str(quad.subject), str(quad.predicate), str(quad.object)) for quad in ox.parse(path=path)
    }


def by_definition(triples: set[Triple]) -> Closure:
    """The rules as they stand in the file, applied until nothing changes.

    The oracle lets a variable predicate stand for hidden relations as well; what equality makes
    of list facts that way is left out before contradictions are counted.
    """
    hidden, forms = hidden_facts(triples)
    rules = [*fixed_rules("owl2rl"), *(r for form in forms for r in list_rules("owl2rl", *form))]
    closure = naive(rules, triples | hidden)
    facts = {fact for fact in closure if not is_hidden(fact)}
    disjoint = {fact for fact in closure if fact[1].startswith(f"<{AUXILIARY}disjoint.")}
    clashes = Counter(name for name, _ in contradictions(rules, facts | hidden | disjoint))
    return Closure(facts, clashes)


def by_knowledge_base(triples: set[Triple]) -> Closure:
    kb = KnowledgeBase()
    kb.update(insert=triples)
    return contents(kb)


def contents(kb: KnowledgeBase) -> Closure:
    """What users see of a knowledge base."""
    terms = kb.dictionary.decode_many
    shown = kb.reader().closure.match()
    facts = {tuple(term.decode() for term in terms(fact)) for fact in shown}
    return Closure(facts, Counter(violation.rule for violation in kb.violations()))


def hidden_facts(triples: set[Triple]) -> tuple[set[Triple], set[tuple[str, int]]]:
    """The hidden list facts of explicit triples, as texts, and the list lengths in use."""
    terms = Dictionary()
    vocabulary = Vocabulary.of(terms)
    ids = [tuple(terms.encode(term.encode()) for term in triple) for triple in triples]
    change = list_changes(_Indexed([]), _Indexed(ids), ids, vocabulary)
    hidden = {tuple(_text(terms, id) for id in fact) for fact in change.added}
    return hidden, set(change.forms_added)


class _Indexed:
    def __init__(self, triples):
        self._objects, self._subjects = defaultdict(list), defaultdict(list)
        for s, p, o in triples:
            self._objects[p, s].append(o)
            self._subjects[p, o].append(s)

    def objects(self, p, s):
        return self._objects.get((p, s), [])

    def subjects(self, p, o):
        return self._subjects.get((p, o), [])


def _text(terms: Dictionary, id: int) -> str:
    term = terms.decode(id)
    if term.startswith(b"!"):
        return f"<{AUXILIARY}{term[1:].decode()}>"
    if term.startswith(b"("):
        return f"<{AUXILIARY}row{terms.row_values(id)}>"
    return term.decode()


def is_hidden(fact: Triple) -> bool:
    return any(term.startswith(f"<{AUXILIARY}") for term in fact)
