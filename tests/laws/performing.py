"""Performing a step on a knowledge base."""

from __future__ import annotations

from laws.steps import Step
from rdfinc import KnowledgeBase
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.knowledge_base.streams.input_facts import new_statements, statements
from rdfinc.knowledge_base.versions.change import Change


def perform(kb: KnowledgeBase, step: Step) -> Delta:
    if not step.about_rules:
        return kb.update(insert=step.insert, delete=step.delete)
    if not (step.insert or step.delete or step.rules_removed):
        return kb.add_rules(step.rules_added)
    if not (step.insert or step.delete or step.rules_added):
        return kb.remove_rules(step.rules_removed)
    return kb._apply(in_one(kb, step))


def in_one(kb: KnowledgeBase, step: Step) -> Change:
    """Statements and rules changed together, as loading a file with both does."""
    removed = {canonical(rule): rule for rule in step.rules_removed}
    added = {canonical(rule): rule for rule in step.rules_added}
    stay = removed.keys() & added.keys()
    new, known = kb._engine.rules.new, kb._engine.rules.known
    return Change(
        statements(step.delete, kb.dictionary, {})[0],
        new_statements(step.insert, kb.dictionary, {}),
        known(rule for form, rule in removed.items() if form not in stay),
        new(rule for form, rule in added.items() if form not in stay),
    )
