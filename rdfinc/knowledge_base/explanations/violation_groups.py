"""Contradictions by what has to be mended: their kind, and the axioms that they rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from rdfinc.knowledge_base.explanations.notebook import folded, indented
from rdfinc.knowledge_base.explanations.proof_picture import clash_svg
from rdfinc.knowledge_base.explanations.proofs import Proof, Violation, in_words

Prove = Callable[[Violation], "tuple[Proof, ...] | None"]

PROVED, LOOKED_AT = 1000, 100_000
SHOWN_GROUPS, SHOWN_EXAMPLES, SHOWN_TRIPLES = 20, 1, 8
"""The contradictions of a rule that are proved at most, and the rule instances after which of each
rule only the first one is; the groups, the contradictions of each, and
the stated triples of these, that are shown."""

_SCHEMA = ("http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_OF_DATA = {
    f"{_SCHEMA[1]}{name}"
    for name in ("sameAs", "differentFrom", "Thing", "Nothing", "NamedIndividual")
}


class ViolationGroup(Struct):
    """Contradictions of one kind: those under one rule that clash with the same stated `axioms` or,
    where no stated axiom is what clashes, rest on the same ones. `examples` are the first of them,
    each with its other stated triples, all as text; there are none for those not proved."""

    rule: str
    meaning: str
    axioms: tuple[str, ...]
    count: int = 0
    examples: list[tuple[Violation, tuple[str, ...]]] = field(default_factory=list)

    def __str__(self) -> str:
        meaning = f" ({self.meaning})" if self.meaning else ""
        lines = [f"{self.count:,} by {self.rule}{meaning}"]
        if not self.examples:
            return f"{lines[0]}, not proved"
        if self.axioms:
            lines[0] += ", by"
            lines += _some(self.axioms, "    ")
        for violation, stated in self.examples[:SHOWN_EXAMPLES]:
            lines.append("  such as" if self.count > 1 else "  from")
            lines += _some(stated or (violation.message,), "    ")
        return "\n".join(lines)

    def note(self, violation: Violation, stated: Iterable[str]) -> None:
        """Counts a contradiction in."""
        self.count += 1
        if len(self.examples) < SHOWN_EXAMPLES:
            self.examples.append((violation, tuple(stated)))


def _some(lines: tuple[str, ...], indent: str) -> Iterator[str]:
    yield from (f"{indent}{line}" for line in lines[:SHOWN_TRIPLES])
    if len(lines) > SHOWN_TRIPLES:
        yield f"{indent}… and {len(lines) - SHOWN_TRIPLES} more"


class Violations(list[Violation]):
    """The contradictions that there are, one after the other; `str` tells them by groups."""

    def __init__(
        self, violations: Iterable[Violation], prove: Prove, looked_at: Callable[[], int] = int
    ) -> None:
        """`prove` gives proofs, for which so many rule instances were `looked_at` until now."""
        super().__init__(violations)
        self._prove, self._looked_at = prove, looked_at

    def proved(self, most: int) -> Iterator[tuple[Violation, tuple[Proof, ...] | None]]:
        """All with the proofs of what clashes; None for those of a rule after the first `most`, or
        after the first one where proofs have taken long, and for what is no contradiction any
        more."""
        tried: Counter[str] = Counter()
        end = self._looked_at() + LOOKED_AT
        for violation in self:
            tried[violation.rule] += 1
            room = most if self._looked_at() < end else min(most, 1)
            yield violation, self._prove(violation) if tried[violation.rule] <= room else None

    def groups(self, most: int = PROVED) -> list[ViolationGroup]:
        """The groups, the largest first. Of each rule at most so many contradictions are proved, as
        the facts are now; the others are counted."""
        found: dict[tuple[str, ...], ViolationGroup] = {}
        for violation, proofs in self.proved(most):
            axioms, others = _stated(proofs or ())
            kind = ViolationGroup(violation.rule, violation.meaning, axioms)
            group = found.setdefault((kind.rule, kind.meaning, *axioms), kind)
            if proofs is None:
                group.count += 1
            else:
                group.note(violation, others)
        return sorted(found.values(), key=lambda group: -group.count)

    def to_svg(self, place: int = 0) -> str:
        """One of them as a whole SVG document: what clashes, and why it holds. Raises IndexError,
        and ValueError for one that is there no more."""
        if place not in range(-len(self), len(self)):
            there = f"there are {len(self)}, from 0 on" if self else "there is none"
            raise IndexError(f"no contradiction has the number {place}: {there}")
        violation = self[place]
        proofs = self._prove(violation)
        if proofs is None:
            raise ValueError(f"there is no such contradiction any more: {violation}")
        return _clash(violation, proofs)

    def __str__(self) -> str:
        return told(self.groups())

    def _repr_html_(self) -> str:
        """The groups, the first of them unfolded."""
        parts = []
        for number, group in enumerate(self.groups()[:SHOWN_GROUPS]):
            first, _, rest = str(group).partition("\n")
            parts.append(folded(first, indented(rest), is_open=number == 0))
        return "".join([f"<div>contradictions: {len(self):,}</div>", *parts])

    def _repr_svg_(self) -> str | None:
        """A picture of the first, where no HTML can be shown; None if it is there no more."""
        proofs = self._prove(self[0]) if self else None
        return None if proofs is None else _clash(self[0], proofs)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


def _clash(violation: Violation, proofs: tuple[Proof, ...]) -> str:
    return clash_svg(in_words(violation.rule, violation.meaning), violation.message, proofs)


def told(groups: list[ViolationGroup]) -> str:
    """The groups as text; "" if there are none."""
    lines = list(map(str, groups[:SHOWN_GROUPS]))
    more = groups[SHOWN_GROUPS:]
    if more:
        lines.append(f"… and {sum(g.count for g in more):,} more of {len(more):,} other kinds")
    return "\n".join(lines)


def _stated(proofs: Iterable[Proof]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stated triples that proofs of what clashes rest on, as text: the axioms that tell the
    kind, and the others."""
    proofs = list(proofs)
    leaves = [node for proof in proofs for node in proof.nodes() if node.explicit]
    clashing = [proof for proof in proofs if proof.explicit and _is_axiom(proof.fact)]
    axioms = {n.text for n in clashing or leaves if _is_axiom(n.fact)}
    others = dict.fromkeys(node.text for node in leaves if node.text not in axioms)
    return tuple(sorted(axioms)), tuple(others)


def _is_axiom(fact: tuple[Any, Any, Any]) -> bool:
    """Whether a triple is part of an axiom: by the vocabulary of RDFS or OWL, or of lists."""
    _, p, o = map(str, fact)
    name = o if p == f"{_RDF}type" else p
    return (name.startswith(_SCHEMA) and name not in _OF_DATA) or p in (
        f"{_RDF}first", f"{_RDF}rest",
    )  # fmt: skip
