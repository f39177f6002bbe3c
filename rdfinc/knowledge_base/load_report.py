"""The outcome of a load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields

from rdfinc.knowledge_base.explanations.notebook import indented
from rdfinc.knowledge_base.streams.delta import Delta


@dataclass(frozen=True, repr=False)
class LoadReport:
    """The outcome of `load`. `skipped` counts malformed statements (`problems` names their
    places, if not strict), `imports` are the owl:imports not loaded."""

    files: tuple[str, ...]
    triples: int
    added: int
    skipped: int
    problems: tuple[str, ...]
    imports: tuple[str, ...]
    seconds: float
    delta: Delta = field(repr=False)
    _unused: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)

    @property
    def axioms(self) -> tuple[str, ...]:
        """The axioms, of those stated after the load, that are not or not fully used. Told when
        first asked for, whatever was changed since: O(schema), of later loads O(what is new)."""
        return self._unused()

    @property
    def summary(self) -> str:
        """What was loaded, in a line."""
        files = self.files[0] if len(self.files) == 1 else f"{len(self.files)} files"
        told = f"{files}: {self.triples:,} triples, {self.added:,} of them new"
        return f"{told}, in {self.seconds:.2f} s"

    def __str__(self) -> str:
        """What was loaded in a line, and what was not."""
        notes = [f"{self.skipped:,} malformed statements were skipped"] if self.skipped else []
        notes += [f"{iri} is to be imported, and is not loaded" for iri in self.imports]
        return "\n  ".join([self.summary, *notes, *self.axioms])

    def _repr_html_(self) -> str:
        return indented(str(self))

    def __repr__(self) -> str:
        names = (*(each.name for each in fields(self) if each.repr), "axioms")
        return f"LoadReport({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"
