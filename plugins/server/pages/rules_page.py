"""The rules in force: those of users, and those of the profile."""

from __future__ import annotations

from html import escape

from rdfinc import KnowledgeBase
from rdfinc.datalog.printing import rule_text
from rdfinc.owl.profiles.profile_rules import profile_rules
from rdfinc.plugins.server.pages.elements import Prefixes, paragraph, pre, table


def told(kb: KnowledgeBase, prefixes: Prefixes) -> str:
    """All rules, each under its name."""
    own = [_named(rule.name, pre(rule_text(rule, prefixes))) for rule in kb.program]
    rows = [
        (_named(rule.name, escape(rule.name)), escape(rule.meaning), "on" if rule.on else "off")
        for rule in (profile_rules(kb.profile) if kb.profile != "none" else ())
    ]
    parts = [f"<h2>Added by users</h2>{''.join(own) or paragraph('None.')}"]
    if rows:
        note = "off: only in force where a knowledge base is axiomatic"
        parts.append(f"<h2>Of the profile {escape(kb.profile)}</h2>")
        parts.append(table(note, ("rule", "meaning", ""), rows))
    return "".join(parts)


def _named(name: str, html: str) -> str:
    """HTML that links find by the name of a rule."""
    return f'<div id="{escape(name)}">{html}</div>' if name else html
