"""The classes that have names, each below its nearest superclasses, stated or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from rdfinc.knowledge_base.explanations.class_picture import class_box, class_svg
from rdfinc.knowledge_base.explanations.notebook import folded, indented, picture
from rdfinc.knowledge_base.explanations.wording import Wording
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.terms.dictionary import Dictionary

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_BUILT_IN = tuple(
    f"<{name}".encode() for name in (_RDF, _RDFS, _OWL, "http://www.w3.org/2001/XMLSchema#")
)


@dataclass(frozen=True)
class ClassNode:
    """Classes of which each is below all others, by the words for them; whether there can be no
    member of them."""

    names: tuple[str, ...]
    is_empty: bool

    def __str__(self) -> str:
        return " ≡ ".join(self.names) + (" ⊑ owl:Nothing" if self.is_empty else "")


_NONE = "no classes"
"""What the picture of an empty tree shows."""


@dataclass(frozen=True)
class ClassTree:
    """The nodes, and the edges from one to those right above it, by number, with whether the edge
    is stated. What follows from edges in a row has none, stated or not."""

    nodes: tuple[ClassNode, ...]
    edges: tuple[tuple[int, int, bool], ...]

    def __len__(self) -> int:
        return len(self.nodes)

    def __str__(self) -> str:
        """The tree, a node in a line; what is below one that stands in several places comes with
        the first."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        below: dict[int, list[tuple[int, bool]]] = {}
        for low, high, is_stated in self.edges:
            below.setdefault(high, []).append((low, is_stated))
        lower = {low for low, _, _ in self.edges}
        stack = [(node, True, 0) for node in range(len(self.nodes)) if node not in lower][::-1]
        shown: set[int] = set()
        while stack:
            node, is_stated, depth = stack.pop()
            again = ", as above" if node in shown and node in below else ""
            yield f"{'  ' * depth}{self.nodes[node]}{'' if is_stated else '   inferred'}{again}"
            if node not in shown:
                stack += [(low, stated, depth + 1) for low, stated in below.get(node, ())][::-1]
            shown.add(node)

    def to_svg(self) -> str:
        """A whole SVG document, light or dark as the screen is: superclasses at the top, edges that
        are not stated broken."""
        boxes = [class_box(node.names, is_empty=node.is_empty) for node in self.nodes]
        return class_svg(boxes or [class_box((_NONE,), is_empty=False)], self.edges)

    def _repr_html_(self) -> str:
        text = folded("as text", indented(str(self)), is_open=False)
        return picture(self.to_svg()) + text

    def _repr_svg_(self) -> str:
        """The picture, where no HTML can be shown: in a notebook that is printed."""
        return self.to_svg()


def _beyond(nodes: Iterable[int], higher: Sequence[set[int]], empty: Set[int]) -> set[int]:
    """All that is above one of some nodes. What is above a node that is not empty has nothing above
    it that the node has not; so from the lowest on, nodes met already need no look."""
    found: set[int] = set()
    met: set[int] = set()
    for node in sorted(nodes, key=lambda node: -len(higher[node])):
        if node not in met:
            found |= higher[node]
            if node not in empty:
                met |= higher[node]
    return found


class ClassReader:
    """The subclasses that a reader shows, of classes with names of the users. Those that can have
    no members, which are below every class, are below what is stated of them."""

    def __init__(self, reader: Reader, dictionary: Dictionary, wording: Wording) -> None:
        self._closure, self._stated = reader.closure, reader.explicit
        self._dictionary, self._wording = dictionary, wording
        self._subclass, self._equal, self._type, self._nothing = (
            dictionary.find(f"<{name}>".encode()) or 0
            for name in (f"{_RDFS}subClassOf", f"{_OWL}equivalentClass", f"{_RDF}type",
                         f"{_OWL}Nothing")
        )  # fmt: skip

    def tree(self, below: int | None) -> ClassTree:
        """All of them, or those below one, and it."""
        above = {each: self._above(each) for each in self._classes()}
        if below is not None:
            above = {c: found for c, found in above.items() if c == below or below in found}
        above = {c: found & above.keys() for c, found in above.items()}
        groups = self._groups(above)
        of = {each: number for number, group in enumerate(groups) for each in group}
        higher = [{of[c] for c in above[group[0]]} - {n} for n, group in enumerate(groups)]
        empty = {n for n, group in enumerate(groups) if self._is_empty(group[0])}
        edges = [
            (low, high, self._is_stated(groups[low], groups[high]))
            for low, found in enumerate(higher)
            for high in sorted(found - _beyond(found, higher, empty))
        ]
        return ClassTree(tuple(map(self._node, groups)), tuple(edges))

    def _classes(self) -> list[int]:
        """The classes, in the order of their words."""
        found: set[int] = set()
        for p in filter(None, (self._subclass, self._equal)):
            for s, _, o in self._closure.match(p=p):
                found |= {s, o}
        for name in (f"{_OWL}Class", f"{_RDFS}Class"):
            class_ = self._dictionary.find(f"<{name}>".encode())
            if class_ is not None and self._type:
                found.update(self._closure.subjects(self._type, class_))
        return sorted(filter(self._is_named, found), key=self._wording.of)

    def _is_named(self, id: int) -> bool:
        key = self._dictionary.decode(id)
        return key.startswith(b"<") and not key.startswith(_BUILT_IN)

    def _above(self, class_: int) -> set[int]:
        view = self._stated if self._is_empty(class_) else self._closure
        kinds = filter(None, (self._subclass, self._equal))
        return {above for p in kinds for above in view.objects(class_, p)}

    def _is_empty(self, class_: int) -> bool:
        return bool(self._nothing) and (class_, self._subclass, self._nothing) in self._closure

    def _groups(self, above: dict[int, set[int]]) -> list[tuple[int, ...]]:
        """Classes that are below each other, together, in their order."""
        place = {each: number for number, each in enumerate(above)}
        groups: list[tuple[int, ...]] = []
        done: set[int] = set()
        for each, found in above.items():
            if each not in done:
                equal = {each, *(c for c in found if each in above[c])}
                groups.append(tuple(sorted(equal, key=place.__getitem__)))
                done |= equal
        return groups

    def _is_stated(self, low: Iterable[int], high: Iterable[int]) -> bool:
        return any(
            (one, p, other) in self._stated
            for one in low
            for other in high
            for p in filter(None, (self._subclass, self._equal))
        )

    def _node(self, group: tuple[int, ...]) -> ClassNode:
        return ClassNode(tuple(map(self._wording.of, group)), self._is_empty(group[0]))
