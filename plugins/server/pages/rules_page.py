"""The rules in force: those of users, as a picture and one by one, and those of the profile."""

from __future__ import annotations

from html import escape
from itertools import islice

from rdfinc import KnowledgeBase
from rdfinc.datalog.analysis.rule_hypergraph import hypergraph
from rdfinc.datalog.drawing.hypergraph_svg import graph_element
from rdfinc.datalog.model import Program, Rule
from rdfinc.datalog.printing import rule_text
from rdfinc.owl.profiles.profile_rules import profile_rules
from rdfinc.plugins.server.pages.elements import Prefixes, box, paragraph, pre, table

SHOWN, DRAWN = 500, 40
"""Rules of users that the page shows, and those that its picture does."""


def told(kb: KnowledgeBase, prefixes: Prefixes) -> str:
    """All rules, each under its name."""
    own = "".join(_rule(rule, prefixes) for rule in islice(kb.program, SHOWN))
    if len(kb.program) > SHOWN:
        own += paragraph(f"… and {len(kb.program) - SHOWN:,} more")
    parts = ["<h2>Added by users</h2>", _picture(kb.program, prefixes), own or paragraph("None.")]
    rows = [
        (_named(rule.name, escape(rule.name)), escape(rule.meaning), "on" if rule.on else "off")
        for rule in (profile_rules(kb.profile) if kb.profile != "none" else ())
    ]
    if rows:
        note = "off: only in force where a knowledge base is axiomatic"
        parts.append(f"<h2>Of the profile {escape(kb.profile)}</h2>")
        parts.append(table(note, ("rule", "meaning", "in force"), rows))
    return "".join(parts)


def _picture(program: Program, prefixes: Prefixes) -> str:
    """What depends on what, by the first rules."""
    drawn = Program(program.rules[:DRAWN])
    if not len(drawn):
        return ""
    graph = hypergraph(drawn)
    which = "" if len(drawn) == len(program) else f", by the first {DRAWN} rules"
    label = (
        f"What depends on what{which}: {len(graph.nodes)} boxes of relations, those that are"
        " stated at the bottom, and arrows from what a rule reads to what it derives"
    )
    element = graph_element(graph, drawn, prefixes, label)
    return f"{paragraph(f'What depends on what{which}:')}{box(label, element)}"


def _rule(rule: Rule, prefixes: Prefixes) -> str:
    title = ": ".join(filter(None, (rule.name, rule.meaning)))
    heading = f"<h3><bdi>{escape(title)}</bdi></h3>" if title else ""
    return _named(rule.name, heading + pre(rule_text(rule, prefixes)))


def _named(name: str, html: str) -> str:
    """HTML that links find by the name of a rule."""
    return f'<div id="{escape(name)}">{html}</div>' if name else html
