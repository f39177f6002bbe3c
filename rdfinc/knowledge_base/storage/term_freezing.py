"""Terms are frozen where many are not, which spares half of their memory and more.

While terms are read, what is frozen is looked up more slowly, and freezing takes a time that goes
with the number of terms. What it spares goes with their text: so this says when it is time to.
"""

from __future__ import annotations

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.interrupts import Uninterrupted
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.freezing import frozen
from rdfinc.terms.io.checks import Check, unchecked


def freeze(dictionary: Dictionary) -> None:
    """Freezes the terms of a dictionary. To be called while no one adds terms."""
    numbering = frozen(dictionary)
    with Uninterrupted():
        dictionary.go_on_with(numbering)


class FreezingCheck:
    """A check for readers that has the terms read so far frozen as well, whenever their text has
    doubled. Cost: 50 ns a term, and that of freezing each some two times."""

    def __init__(self, dictionary: Dictionary, check: Check = unchecked) -> None:
        self._dictionary, self._check = dictionary, check
        self._seen = dictionary.bound
        self._thawed = self._frozen = 0  # bytes of text that was read

    def __call__(self, statements: int = 0, size: int = 0) -> object:
        start, self._seen = self._seen, self._dictionary.bound
        self._thawed += sum(map(len, self._dictionary.decode_between(start, self._seen)))
        if self._thawed >= max(KNOWLEDGE.text_thawed, self._frozen // 2):
            freeze(self._dictionary)
            self._frozen, self._thawed = self._frozen + self._thawed, 0
        return self._check(statements, size)
