"""The words for terms in what users are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from rdfinc.datalog.printing import in_line, term_text
from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples
from rdfinc.knowledge_base.versions.fact_views import View
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.grammar import literal_parts
from rdfinc.terms.late_patterns import late

if TYPE_CHECKING:
    from rdfinc.knowledge_base.explanations.node_names import NodeNames

_LABELS = (
    b"<http://www.w3.org/2000/01/rdf-schema#label>",
    b"<http://www.w3.org/2004/02/skos/core#prefLabel>",
    b"<http://purl.org/dc/terms/title>",
    b"<http://xmlns.com/foaf/0.1/name>",
)
_SIGNS = "≤≥="
"""With which an expression begins that has a space."""
_WORD = late(r"\w+")


class Labels:
    """The labels of resources, each looked up once."""

    def __init__(self, closure: View, dictionary: Dictionary) -> None:
        self._closure, self._dictionary = closure, dictionary
        self._properties = [id for id in map(dictionary.find, _LABELS) if id is not None]
        self._known: dict[int, bytes | None] = {}

    def of(self, id: int) -> bytes | None:
        """The key of the first label, of which there may be several, in some language."""
        if id not in self._known:
            found = (self._closure.object(id, p) for p in self._properties)
            label = next((each for each in found if each is not None), None)
            self._known[id] = None if label is None else self._dictionary.decode(label)
        return self._known[id]


class Wording(dict[str, str]):
    """The prefixes by which terms are short. Blank nodes are the class expressions and lists that
    they stand for among the stated triples, and with `labels` names are those, between single
    quotes where they are no word."""

    def __init__(
        self,
        prefixes: Mapping[str, str],
        dictionary: Dictionary,
        stated: Callable[[], StatedTriples],
        labels: Labels | None,
    ) -> None:
        super().__init__(prefixes)
        self._dictionary, self._stated, self._labels = dictionary, stated, labels

    def whole(self, id: int) -> str:
        """The key of a term."""
        return self._dictionary.decode(id).decode()

    def of(self, id: int) -> str:
        """The words for a term."""
        text = self.whole(id)
        if text.startswith("_"):
            text = self._nodes.name(id)
            return f"({text})" if text[0] in _SIGNS else text
        label = self._labels.of(id) if self._labels and text.startswith("<") else None
        if label is None:
            return term_text(text, self)
        words = in_line(literal_parts(label)[0])
        return words if _WORD.fullmatch(words) else f"'{words}'"

    @cached_property
    def _nodes(self) -> NodeNames:
        from rdfinc.knowledge_base.explanations.node_names import NodeNames

        return NodeNames(self._stated(), self._dictionary, self.of)
