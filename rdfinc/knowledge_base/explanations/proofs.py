"""Proofs and violations as users see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from rdfinc.knowledge_base.explanations.notebook import folded, indented, picture
from rdfinc.knowledge_base.explanations.proof_picture import proof_svg
from rdfinc.terms.grammar import escape

Row = tuple[tuple[Any, Any, Any], str, tuple[int, ...], str, tuple[str, ...], str]
"""A step of a proof, with the places of its premises among other steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """A tree: `fact` is explicit (no `rule`) or follows by `rule` from the facts of `premises`, and
    from what is `absent`: the texts of facts that a NOT asked for and that are not there.

    `fact` and the facts of the premises are triples of rdflib terms, `meaning` is the rule in
    words, where it has any. `str()` is readable, `to_svg()` draws it, `to_dot()` does so with
    Graphviz, `to_turtle()` describes it in PROV-O.
    """

    fact: tuple[Any, Any, Any]
    rule: str
    premises: tuple[Proof, ...]
    text: str
    absent: tuple[str, ...] = ()
    meaning: str = ""

    def __eq__(self, other: object) -> bool:
        """Whether two proofs have the same steps; what rules mean in words aside."""
        if not isinstance(other, Proof):
            return NotImplemented
        return [row[:-1] for row in self._rows()] == [row[:-1] for row in other._rows()]

    def __hash__(self) -> int:
        return hash((self.fact, self.rule, self.text))

    def __reduce__(self) -> tuple[Any, ...]:
        return _proof_of, (self._rows(),)

    def _rows(self) -> list[Row]:
        """Every distinct step, one after those of its premises: a long proof needs no recursion
        to be compared or pickled."""
        rows: dict[Row, int] = {}
        numbers: dict[int, int] = {}
        for proof in reversed([*self.nodes()]):
            premises = tuple(numbers[id(each)] for each in proof.premises)
            row = proof.fact, proof.rule, premises, proof.text, proof.absent, proof.meaning
            numbers[id(proof)] = rows.setdefault(row, len(rows))
        return [*rows]

    @property
    def explicit(self) -> bool:
        return not self.rule

    @property
    def height(self) -> int:
        """Steps from the fact down to the farthest explicit fact; 0 if it is explicit."""
        height: dict[int, int] = {}
        for proof in reversed(list(self.nodes())):
            height[id(proof)] = max((height[id(p)] + 1 for p in proof.premises), default=0)
        return height[id(self)]

    def nodes(self) -> Iterator[Proof]:
        """Every distinct step, a step before its premises."""
        order: list[Proof] = []
        seen: set[int] = set()
        stack: list[tuple[Proof, bool]] = [(self, False)]
        while stack:
            proof, done = stack.pop()
            if done:
                order.append(proof)
            elif id(proof) not in seen:
                seen.add(id(proof))
                stack.append((proof, True))
                stack.extend((premise, False) for premise in proof.premises)
        return reversed(order)

    @property
    def reason(self) -> str:
        """The rule by its name, and in words."""
        return in_words(self.rule, self.meaning)

    def __repr__(self) -> str:
        reason = f"by {self.rule}, {sum(1 for _ in self.nodes())} steps" if self.rule else "stated"
        return f"<Proof of {self.text}: {reason}; print() shows it>"

    def __str__(self) -> str:
        """The tree, a fact in a line; a rule is told in words where it comes first."""
        lines: list[str] = []
        shown: set[int] = set()
        told: set[str] = set()
        stack: list[tuple[Proof | str, int]] = [(self, 0)]
        while stack:
            proof, depth = stack.pop()
            if isinstance(proof, str):
                lines.append(f"{'  ' * depth}{proof}   is not there")
                continue
            rule = proof.rule if proof.reason in told else proof.reason
            told.add(proof.reason)
            reason = f"by {rule} from" if proof.rule else "stated"
            if proof.rule and id(proof) in shown:
                reason = f"by {proof.rule}, as above"
            else:
                below: tuple[Proof | str, ...] = (*proof.premises, *proof.absent)
                stack.extend((premise, depth + 1) for premise in reversed(below))
            shown.add(id(proof))
            lines.append(f"{'  ' * depth}{proof.text}   {reason}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The text, and the picture to be unfolded."""
        return indented(str(self)) + folded("picture", picture(self.to_svg()), is_open=False)

    def _repr_svg_(self) -> str:
        """The picture, where no HTML can be shown: in a notebook that is printed."""
        return self.to_svg()

    def to_dot(self) -> str:
        """The proof as a Graphviz graph, an edge from each premise to what it supports."""
        names = {id(proof): f"n{i}" for i, proof in enumerate(self.nodes())}
        lines = ["digraph proof {", "  rankdir=BT; node [shape=box];"]
        for proof in self.nodes():
            label = proof.text if proof.explicit else f"{proof.text}\n{proof.rule}"
            tooltip = f", tooltip={_dot_text(proof.meaning)}" if proof.meaning else ""
            lines.append(f"  {names[id(proof)]} [label={_dot_text(label)}{tooltip}];")
            lines += [f"  {names[id(p)]} -> {names[id(proof)]};" for p in proof.premises]
        return "\n".join([*lines, "}"]) + "\n"

    def to_svg(self) -> str:
        """The proof as a whole SVG document, light or dark as the screen is: what is stated at the
        bottom, an edge from each premise to what it supports, long paths folded."""
        return proof_svg(self)

    def to_turtle(self) -> str:
        """The proof in PROV-O: entities are reified statements, activities are rule instances."""
        names = self._entities()
        lines = [f"@prefix {prefix}: <{iri}> ." for prefix, iri in _PREFIXES.items()]
        for proof in self.nodes():
            s, p, o = (term.n3() for term in proof.fact)
            me = names[id(proof)]
            lines.append(
                f"\n{me} a prov:Entity, rdf:Statement ;\n    rdfs:label {_quoted(proof.text)} ;\n"
                f"    rdf:subject {s} ;\n    rdf:predicate {p} ;\n    rdf:object {o} ."
            )
            if proof.rule:
                lines += _generation(me, proof, [names[id(each)] for each in proof.premises])
        return "\n".join(lines) + "\n"

    def _entities(self) -> dict[int, str]:
        """A blank node for each step that no fact speaks of."""
        used = {term.n3() for proof in self.nodes() for term in proof.fact}
        free = (name for name in map("_:step{}".format, count()) if name not in used)
        return {id(proof): next(free) for proof in self.nodes()}


def _proof_of(rows: Iterable[Row]) -> Proof:
    """The proof with these steps, of which the last one is the conclusion."""
    made: list[Proof] = []
    for fact, rule, premises, text, absent, meaning in rows:
        below = tuple(made[number] for number in premises)
        made.append(Proof(fact, rule, below, text, absent, meaning))
    return made[-1]


def in_words(rule: str, meaning: str) -> str:
    """A rule by its name, with its meaning if it has one."""
    return f"{rule} ({meaning})" if meaning else rule


_PREFIXES = {
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
}


def _generation(entity: str, proof: Proof, premises: Sequence[str]) -> Iterator[str]:
    """The rule instance that made a fact, in PROV-O."""
    used = ", ".join(dict.fromkeys(premises))
    yield f"{entity} prov:wasGeneratedBy [\n    a prov:Activity ;"
    yield from (f"    rdfs:comment {_quoted(f'{fact} is not there')} ;" for fact in proof.absent)
    yield from (f"    prov:used {used} ;" for _ in premises[:1])
    yield f"    rdfs:label {_quoted(proof.rule)} ] ."
    yield from (f"{entity} prov:wasDerivedFrom {used} ." for _ in premises[:1])


def _dot_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _quoted(text: str) -> str:
    return f'"{escape(text)}"'


_CHANGED = "what its rules find by NOT EXISTS or AGGREGATE, in lists or of literals has changed"


@dataclass(frozen=True, slots=True)
class Removal:
    """The reason why a fact is gone: the parts that an update took away from `proof`, a shortest
    proof before it. `deleted` are statements of the proof, withdrawn and not derived either,
    `rules` its rules taken out of force, `appeared` new facts denied by its rules. If all three
    are empty, the change is in what its rules read by NOT EXISTS or AGGREGATE, in lists, or among
    literals."""

    proof: Proof
    deleted: tuple[tuple[Any, Any, Any], ...]
    rules: tuple[str, ...]
    appeared: tuple[tuple[Any, Any, Any], ...]
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        told = "\n".join(f"  {reason}" for reason in self.reasons or (_CHANGED,))
        return f"{self.proof.text}   is gone, since\n{told}\nit was there: {self.proof}"

    def _repr_html_(self) -> str:
        return indented(str(self))


@dataclass(frozen=True, slots=True)
class Violation:
    """A contradiction: the clashing `facts`, the `rule` they clash under, and a `message` in
    words."""

    rule: str
    facts: tuple[tuple[Any, Any, Any], ...]
    message: str
    meaning: str = field(default="", compare=False)
    """The rule in words, where it has any."""
    instance: int = field(default=0, repr=False, compare=False)
    """The auxiliary node that stands for it."""
    lease: object = field(default=None, repr=False, compare=False)
    """Keeps the node's number."""

    def __str__(self) -> str:
        return self.message
