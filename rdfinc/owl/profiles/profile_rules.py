"""The rule files of the profiles: `owl2rl.dlog` and `rdfs.dlog`, and beside each a file of rules
that only restate what everybody knows, in force where these are asked for.

A rule over a list of any length stands in the file once, as a template: `#n` is the length, and
`{…}` stands for its content once for each position `#i` = 1 … n, separated by commas; `#i+1` and
`#n+1` are the next numbers. Expansion is textual, one rule for each length in use.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from rdfinc.datalog.clause import VALUE
from rdfinc.datalog.model import RDF_TYPE, Atom, Rule, Term, Var
from rdfinc.owl.profiles.by_value import cue, of_terms
from rdfinc.owl.profiles.prepared_rules import rules_of
from rdfinc.owl.profiles.thing_lists import of_thing
from rdfinc.owl.vocabulary import AUXILIARY, LONG, OWL

_BY_VALUE = {
    "eq-diff1", "prp-fp", "prp-ifp", "prp-irp", "prp-asyp", "prp-trp", "prp-spo2", "prp-pdw",
    "prp-adp", "prp-key", "prp-npa1", "prp-npa2", "cls-int1", "cls-com", "cls-svf1", "cls-avf",
    "cls-hv2", "cls-maxc1", "cls-maxc2", "cls-maxqc1", "cls-maxqc2", "cls-maxqc3", "cls-maxqc4",
    "cax-dw", "cax-adc", "dt-diff", "scm-hv",
}  # fmt: skip
"""The rules that join terms which may be literals."""

_SLEEPING = tuple(
    f"owl2rl_{name}" for name in ("of_axiomatic", "restrictions", "values", "datatypes")
)
"""The files of rules that sleep."""

_PROFILES = ("none", "rdfs", "owl2rl")
_ITEM = f"<{AUXILIARY}list1.item1>"


@cache
def fixed_rules(profile: str) -> tuple[Rule, ...]:
    """The profile's rules that hold for lists of every length, in the order of the file."""
    text = "\n\n".join(part for part in _paragraphs(profile) if not _is_template(part))
    return rules_of(text)


@cache
def axiomatic_rules(profile: str) -> tuple[Rule, ...]:
    """The profile's rules that are in force in an axiomatic knowledge base only."""
    return () if profile == "none" else rules_of(_text(f"{profile}_axiomatic"))


@cache
def list_rules(profile: str, construct: str, n: int) -> tuple[Rule, ...]:
    """The profile's rules for lists of `n` items, or for all LONG ones, borne by the predicate
    `construct`.

    `construct` is canonical: `<http://www.w3.org/2002/07/owl#intersectionOf>`. Empty lists have
    no rules.
    """
    template = _templates(profile).get(construct)
    if template is None or n == 0:
        return ()
    if n == LONG:
        return _long_list_rules(profile, construct)
    return rules_of(_prologue(profile) + _expand(template, n))


def _long_list_rules(profile: str, construct: str) -> tuple[Rule, ...]:
    begins = construct.replace(f"<{OWL}", f"<{AUXILIARY}").replace(">", ".")
    rules = rules_of(_text(f"{profile}_long"))
    return tuple(rule for rule in rules if begins in str(rule))


class Asleep(NamedTuple):
    """Rules without an instance until an atom has a match, or two atoms that share a variable;
    `rules` gives them, or others that are asleep."""

    first: Atom
    second: Atom | None
    rules: Callable[[], Iterable[Rule | Asleep]]


@cache
def sleeping_rules(profile: str) -> tuple[Asleep, ...]:
    """The rules of a knowledge base that is not axiomatic, beside `fixed_rules`."""
    if profile != "owl2rl":
        return ()
    valued = Atom(Var("literal"), VALUE, Var("value"))
    like = Atom(Var("restriction"), f"<{AUXILIARY}like>", Var("form"))
    files = (f"{profile}_of_axiomatic", f"{profile}_values")
    unread = (_unread(file, part) for file in files for part in _text(file).split("\n\n"))
    return (
        *filter(None, unread),
        Asleep(like, None, partial(_whole, f"{profile}_restrictions")),
        Asleep(valued, None, partial(_valued, profile)),
    )


def sleeping_list_rules(profile: str, construct: str, n: int) -> Iterator[Asleep]:
    """As `sleeping_rules`, beside `list_rules`."""
    rules = list_rules(profile, construct, n)
    joining = _asleep_for_values if n == LONG else asleep
    by_value = tuple(_by_value(rules))
    yield from chain.from_iterable(map(asleep, _of_thing(rules)))
    yield from chain.from_iterable(map(joining, (*by_value, *_of_thing(by_value))))


def _asleep_for_values(rule: Rule) -> Iterator[Asleep]:
    """A rule that sleeps until two literals have a value, whatever else it asks for: the parts of
    long lists may be about literals."""
    first, second, *_ = (each.atom for each in rule.literals() if each.atom.predicate == VALUE)
    yield Asleep(first, second, partial(_only, rule))


def asleep(rule: Rule) -> Iterator[Asleep]:
    """A rule that sleeps until its first two literals have a match, or its literals of values. It
    sleeps also until a term in the second has an equal, as facts may be stored about that; a rule
    about any relation until there is a fact about rdf:type, which the relation may be."""
    first, *others = cue(rule) or [literal.atom for literal in rule.literals()]
    second = others[0] if others else None
    yield Asleep(first, second, partial(_only, rule))
    if second is None:
        return
    if isinstance(second.predicate, Var):
        yield Asleep(_TYPE_ASKED, None, partial(_only, rule))
    of_literals = first.predicate == VALUE and second.predicate == RDF_TYPE
    if isinstance(second.predicate, Var) or second.predicate == _DIFFERENT_FROM or of_literals:
        yield Asleep(first, Atom(second.subject, _SAME_AS, Var("name")), partial(_only, rule))


_SAME_AS, _DIFFERENT_FROM = f"<{OWL}sameAs>", f"<{OWL}differentFrom>"
_TYPE_ASKED = Atom(Var("property"), f"<{AUXILIARY}property.asked>", RDF_TYPE)


def _only(rule: Rule) -> tuple[Rule]:
    return (rule,)


def _unread(file: str, paragraph: str) -> Asleep | None:
    """A rule of a file, parsed once it wakes; None for what is no rule."""
    if not paragraph.startswith("@rule"):
        return None
    prefixes = dict(_PREFIX.findall(_text(file)))

    def term(text: str) -> Term:
        prefix, _, local = text.partition(":")
        return Var(text[1:]) if text[0] == "?" else f"<{prefixes[prefix]}{local}>"

    _, _, body = paragraph.partition(":-")
    first, *others = (Atom(*map(term, found)) for found in _ATOM.findall(body)[:2])
    return Asleep(first, others[0] if others else None, partial(_read, file, paragraph))


def _read(file: str, paragraph: str) -> Iterable[Rule]:
    return rules_of(f"{_prologue(file)}{paragraph}")


@cache
def _whole(file: str) -> Iterable[Rule]:
    return rules_of(_text(file))


_PREFIX = re.compile(r"@prefix (\w+): <(\S+)> \.")
_ATOM = re.compile(r"\[([^\s,\"]+), ([^\s,\"]+), ([^\s,\"]+)\]")
"""An atom without literals."""


@cache
def _valued(profile: str) -> tuple[Asleep, ...]:
    """The rules that join literals by value."""
    return tuple(chain.from_iterable(map(asleep, _by_value(fixed_rules(profile)))))


def _of_thing(rules: Iterable[Rule]) -> Iterator[Rule]:
    return (other for rule in rules for other in of_thing(rule))


@cache
def datatype_rules(profile: str) -> tuple[Asleep, ...]:
    """The profile's rules about literals in general, for every knowledge base with something
    that they could be about."""
    if profile != "owl2rl":
        return ()
    file = f"{profile}_datatypes"
    return tuple(filter(None, (_unread(file, part) for part in _text(file).split("\n\n"))))


def _by_value(rules: Iterable[Rule]) -> Iterator[Rule]:
    return (other for rule in rules if rule.name in _BY_VALUE for other in of_terms(rule))


def list_constructs(profile: str) -> frozenset[str]:
    """The predicates for which the profile has rules per length."""
    return frozenset(_templates(profile))


class ProfileRule(Struct, frozen=True):
    """A rule as it stands in its profile's file, with a meaning of its own; several may share a
    name. `on` tells whether it is in force unless a knowledge base is axiomatic."""

    name: str
    meaning: str
    text: str
    on: bool


def profile_rules(profile: str) -> list[ProfileRule]:
    """All rules of a profile, in the order of its files. Raises KeyError for an unknown one."""
    found = [(part, True) for part in _paragraphs(profile)]
    if profile == "owl2rl":
        others = ("owl2rl_long", *_SLEEPING)
        found += [(part, True) for file in others for part in _text(file).split("\n\n")]
    if profile != "none":
        found += [(part, False) for part in _text(f"{profile}_axiomatic").split("\n\n")]
    stated = ((_STATED.fullmatch(part.strip()), on) for part, on in found)
    return [ProfileRule(match[1], match[2], match[3], on) for match, on in stated if match]


_STATED = re.compile(r'@rule (\S+) "([^"]*)" \.\n(.*)', re.DOTALL)


@cache
def _templates(profile: str) -> dict[str, str]:
    """The rule templates of each list-bearing predicate, as one text."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for each in filter(_is_template, _paragraphs(profile)):
        found[_construct(_prologue(profile) + _expand(each, 1))].append(each)
    return {construct: "\n\n".join(each) for construct, each in found.items()}


def _construct(text: str) -> str:
    """The predicate whose object the only rule of `text`, for lists of one item, asks for that."""
    (rule,) = rules_of(text)
    atoms = [literal.atom for literal in rule.literals()]
    (head,) = (atom.subject for atom in atoms if atom.predicate == _ITEM)
    (construct,) = (str(atom.predicate) for atom in atoms if atom.object == head)
    return construct


def _paragraphs(profile: str) -> list[str]:
    """The parts of the profile's file between blank lines."""
    if profile not in _PROFILES:
        raise KeyError(profile)
    return [] if profile == "none" else _text(profile).split("\n\n")


@cache
def _text(name: str) -> str:
    return Path(__file__).with_name(f"{name}.dlog").read_text(encoding="utf-8")


def _prologue(file: str) -> str:
    parts = _text(file).split("\n\n")
    return "\n".join(part for part in parts if part.startswith("@prefix")) + "\n\n"


def _is_template(paragraph: str) -> bool:
    return paragraph.startswith("@rule") and "#n" in paragraph


def _expand(template: str, n: int) -> str:
    """The template for length `n`."""
    repeated = re.sub(r"\{(.*?)\}", lambda match: _repeat(match[1], n), template, flags=re.DOTALL)
    return repeated.replace("#n+1", str(n + 1)).replace("#n", str(n))


def _repeat(part: str, n: int) -> str:
    numbers = range(1, n + 1)
    return ", ".join(part.replace("#i+1", str(i + 1)).replace("#i", str(i)) for i in numbers)
