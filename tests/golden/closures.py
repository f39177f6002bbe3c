"""How the golden tests read their files, and the two ways to a closure that they compare."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox
from naive import contradictions, naive

from rdfinc import KnowledgeBase
from rdfinc.owl.list_axioms import list_changes
from rdfinc.owl.profiles.profile_rules import axiomatic_rules, fixed_rules, list_rules
from rdfinc.owl.vocabulary import AUXILIARY, RDF, Vocabulary
from rdfinc.terms.builtins import DATATYPES, FACETS, is_ill_typed, value_spelling
from rdfinc.terms.dictionary import Dictionary

Triple = tuple[str, str, str]


class Closure(NamedTuple):
    """Facts without auxiliary ones, and how often each rule is contradicted."""

    facts: set[Triple]
    violations: Counter[str]


def read(path: Path) -> set[Triple]:
    """A file's triples in canonical N-Triples; blank nodes keep their labels."""
    return {
        (str(quad.subject), str(quad.predicate), str(quad.object)) for quad in ox.parse(path=path)
    }


class Profile(NamedTuple):
    """What a knowledge base is made with."""

    profile: str = "owl2rl"
    axiomatic: bool = False


OWL2RL = Profile()


def by_definition(triples: set[Triple], under: Profile = OWL2RL) -> Closure:
    """The rules as they stand in the file, applied until nothing changes.

    The oracle lets a variable predicate stand for auxiliary relations as well; what equality makes
    of list facts that way is left out before contradictions are counted.
    """
    auxiliary, forms = implied_facts(triples)
    auxiliary |= about_literals(triples) | always(triples, under) | about_containers(triples)
    rules = [*fixed_rules(under.profile)]
    rules += [rule for form in forms for rule in list_rules(under.profile, *form)]
    rules += axiomatic_rules(under.profile) if under.axiomatic else ()
    closure = naive(rules, triples | auxiliary)
    facts = {fact for fact in closure if not is_auxiliary(fact)}
    derived = (f"<{AUXILIARY}disjoint.", f"<{AUXILIARY}datatype.part")
    auxiliary |= {fact for fact in closure if fact[1].startswith(derived)}
    clashes = Counter(
        name
        for name, values in contradictions(rules, facts | auxiliary)
        if not dict(values).get("p", "").startswith(f"<{AUXILIARY}")
    )
    return Closure(facts, clashes)


def by_knowledge_base(triples: set[Triple], under: Profile = OWL2RL) -> Closure:
    kb = KnowledgeBase(under.profile, axiomatic=under.axiomatic)
    kb.update(insert=triples)
    return contents(kb)


def contents(kb: KnowledgeBase) -> Closure:
    """What users see of a knowledge base."""
    terms = kb.dictionary.decode_many
    shown = kb.reader().closure.match()
    facts = {tuple(term.decode() for term in terms(fact)) for fact in shown}
    return Closure(facts, Counter(violation.rule for violation in kb.violations()))


def implied_facts(triples: set[Triple]) -> tuple[set[Triple], set[tuple[str, int]]]:
    """The auxiliary list facts of explicit triples, as texts, and the list lengths in use."""
    terms = Dictionary()
    vocabulary = Vocabulary.of(terms)
    ids = [tuple(terms.encode(term.encode()) for term in triple) for triple in triples]
    change = list_changes(_Indexed([]), _Indexed(ids), ids, vocabulary)
    auxiliary = {tuple(_text(terms, id) for id in fact) for fact in change.added}
    return auxiliary, set(change.forms_added)


def about_literals(triples: set[Triple]) -> set[Triple]:
    """The auxiliary facts about the literals of explicit triples."""
    found = {o for _, p, o in triples if o.startswith('"') and "ardinality>" not in p}
    found -= {o for _, p, o in triples if p in FACETS}
    values: dict[bytes, list[str]] = defaultdict(list)
    ill = {literal for literal in found if is_ill_typed(literal.encode())}
    for literal in sorted(found - ill):
        values[value_spelling(literal.encode())].append(literal)
    auxiliary = {(literal, f"<{AUXILIARY}literal.ill>", literal) for literal in ill}
    for alike in values.values():
        value = f"<{AUXILIARY}value {alike[0]}>"
        auxiliary |= {(literal, f"<{AUXILIARY}literal.value>", value) for literal in alike}
    return auxiliary


def about_containers(triples: set[Triple]) -> set[Triple]:
    """The auxiliary facts about rdf:_1, rdf:_2, and so on."""
    mentioned = {term for triple in triples for term in triple}
    found = {term for term in mentioned if re.fullmatch(f"<{RDF}_[1-9][0-9]*>", term)}
    return {(each, f"<{AUXILIARY}container>", each) for each in found}


def always(triples: set[Triple], under: Profile) -> set[Triple]:
    """The auxiliary facts that always hold, as far as the triples mention datatypes."""
    mentioned = {term for triple in triples for term in triple}
    datatypes = DATATYPES if under.axiomatic else mentioned & DATATYPES.keys()
    auxiliary = {(each, f"<{AUXILIARY}datatype>", each) for each in datatypes}
    auxiliary |= {(each, f"<{AUXILIARY}facet>", each) for each in FACETS if each in mentioned}
    axioms = f"<{AUXILIARY}axioms>"
    return auxiliary | {(axioms, axioms, axioms)} if under.axiomatic else auxiliary


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


def is_auxiliary(fact: Triple) -> bool:
    return any(term.startswith(f"<{AUXILIARY}") for term in fact)
