"""Which axioms among explicit triples the OWL 2 RL rules use, wholly, in part or not at all.

Surveys go through the schema, each for some kinds of axioms (`class_coverage`,
`axiom_coverage`). What they say takes time linear in the schema, not in the data.
"""

from __future__ import annotations

from collections.abc import Mapping

from rdfinc.owl.coverage.findings import Axiom
from rdfinc.owl.coverage.named_triples import NAMESPACES, ExplicitTriples, NamedTerms, NamedTriples
from rdfinc.owl.coverage.told_axioms import SURVEYS, told


def report(
    triples: ExplicitTriples, terms: NamedTerms, namespaces: Mapping[str, str] = NAMESPACES
) -> list[Axiom]:
    """All axioms among explicit triples, each with what the rules make of it; of one that they use
    in part, each part that they do not.

    Each once, grouped by kind, otherwise in order of first appearance of their terms. IRIs are
    shown by their local names: what follows the longest of `namespaces`, else the last # or /.
    Assertions of named classes and properties are no axioms here, neither are declarations and
    annotations.
    """
    schema = NamedTriples(triples, terms, namespaces)
    found = (
        finding
        for survey in SURVEYS
        for place in survey.places(schema)
        for finding in survey.findings(schema, place)
    )
    return list(dict.fromkeys(axiom for finding in found for axiom in finding.told()))


def axioms(
    triples: ExplicitTriples, terms: NamedTerms, namespaces: Mapping[str, str] = NAMESPACES
) -> list[Axiom]:
    """The axioms of the report that the rules ignore or use in part."""
    return told(NamedTriples(triples, terms, namespaces)).axioms()


def unsupported(
    triples: ExplicitTriples, terms: NamedTerms, namespaces: Mapping[str, str] = NAMESPACES
) -> list[str]:
    """`axioms` as lines of text."""
    return [str(axiom) for axiom in axioms(triples, terms, namespaces)]
