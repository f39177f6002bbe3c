"""What is known about one resource: stated and derived apart."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import islice

from rdfinc.knowledge_base.explanations.wording import Labels
from rdfinc.knowledge_base.versions.fact_views import Triple, View
from rdfinc.plugins.server.pages.elements import Prefixes, paragraph, table, term, why_link
from rdfinc.plugins.server.served import Served
from rdfinc.plugins.sparql.columns.budget import Budget

SHOWN = 200
"""Facts of a kind that a page shows."""

START = (
    '<form action="/resource"><label for="term">A name: prefix:name, an IRI, _:label, or a '
    'literal in quotes</label><input type="text" id="term" name="term" required autofocus>'
    '<p><button type="submit">Show</button></p></form>'
)


class Resource:
    """The facts about one term, in one version."""

    def __init__(self, served: Served, key: bytes, budget: Budget) -> None:
        self._served, self._key, self._budget = served, key, budget
        self._prefixes: Prefixes = served.prefixes
        self._reader = served.snapshot(budget).reader()
        self._labels = Labels(self._reader.closure, served.kb.dictionary)

    def html(self) -> str:
        """The page's content."""
        id = self._served.kb.dictionary.find(self._key)
        if id is None:
            return paragraph("Nothing is known of it.")
        parts = [self._heading(id)]
        for what, view in (("stated", self._reader.explicit), ("derived", self._reader.derived)):
            parts.append(self._facts(f"{what.capitalize()} of it", view, s=id))
        for what, view in (("stated", self._reader.explicit), ("derived", self._reader.derived)):
            parts.append(self._facts(f"Others of which it is {what}", view, o=id))
        return "\n".join(filter(None, parts)) or paragraph("Nothing is known of it.")

    def _heading(self, id: int) -> str:
        label, iri = self._labels.of(id), self._key.decode()
        told = f"<p>{term(label, self._prefixes)}</p>" if label else ""
        if iri.startswith(("<http://", "<https://")):
            href = escape(iri[1:-1])
            told += (
                f'<p class="soft"><a href="{href}" rel="noreferrer nofollow"><bdi>{href}</bdi></a>'
                " (elsewhere)</p>"
            )
        return told

    def _facts(self, title: str, view: View, s: int | None = None, o: int | None = None) -> str:
        found = self._budget.checked(view.match(s=s, o=o))
        shown = list(islice(found, SHOWN))
        if not shown:
            return ""
        more = next(iter(found), None) is not None
        count = f"{len(shown):,} fact{'s' * (len(shown) != 1)}"
        count = f"the first {count}; there are more" if more else count
        end = "subject" if s is None else "object"
        rows = self._rows(shown, at=0 if s is None else 2)
        return f"<h2>{title}</h2>{table(count, ('property', end, 'label', 'proof'), rows)}"

    def _rows(self, facts: Iterable[Triple], at: int) -> list[tuple[str, ...]]:
        decode, rows = self._served.kb.dictionary.decode, []
        for fact in facts:
            keys, label = [decode(id) for id in fact], self._labels.of(fact[at])
            shown = term(label, self._prefixes) if label else ""
            cells = term(keys[1], self._prefixes), term(keys[at], self._prefixes), shown
            rows.append((*cells, why_link(keys)))
        return sorted(rows)
