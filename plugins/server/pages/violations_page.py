"""What contradicts what, by the axioms that it rests on."""

from __future__ import annotations

from html import escape

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.explanations.violation_groups import ViolationGroup
from rdfinc.plugins.server.pages.elements import Prefixes, fact, keys_of, paragraph, pre, why_link

PROVED = 50
"""Contradictions of a rule that a page proves."""


def told(kb: KnowledgeBase, prefixes: Prefixes) -> str:
    """The contradictions in groups, the largest first."""
    found = kb.violations()
    if not found:
        return paragraph("There is none.")
    groups = "".join(_group(group, prefixes) for group in found.groups(PROVED))
    return f"{paragraph(f'{len(found):,} in all')}{groups}"


def _group(group: ViolationGroup, prefixes: Prefixes) -> str:
    meaning = f" ({group.meaning})" if group.meaning else ""
    parts = [f"<summary>{group.count:,} by {escape(group.rule + meaning)}</summary>"]
    if group.axioms:
        parts += [paragraph("by the axioms"), pre("\n".join(group.axioms))]
    for violation, stated in group.examples:
        parts += [paragraph(violation.message)]
        parts += [_clashing(keys_of(each), prefixes) for each in violation.facts]
        if stated:
            parts += [paragraph("from what is stated"), pre("\n".join(stated))]
    return f"<details open>{''.join(parts)}</details>"


def _clashing(keys: list[bytes], prefixes: Prefixes) -> str:
    return f'<div class="leaf">{fact(keys, prefixes)} {why_link(keys)}</div>'
