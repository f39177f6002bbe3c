"""Names of nodes that have none: the class expressions and lists that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples
from rdfinc.owl.coverage.named_triples import NamedTriples
from rdfinc.terms.dictionary import Dictionary


class NodeNames(NamedTriples):
    """The stated triples, with names in given words; a list is written as in Turtle."""

    def __init__(
        self, triples: StatedTriples, dictionary: Dictionary, words: Callable[[int], str]
    ) -> None:
        super().__init__(triples, dictionary)
        self._words = words

    def short_name(self, id: int, namespaces: Sequence[str]) -> str:
        return self._words(id)

    def name(self, node: int, depth: int = 0) -> str:
        if self.is_blank(node) and not self.expressions(node) and (items := self.items(node)):
            return f"({' '.join(self.listed(items))})"
        return super().name(node, depth)
