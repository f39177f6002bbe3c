"""What people call methods of a knowledge base that have other names here."""

from __future__ import annotations

MEANT = {
    "save": 'kb.dump(path, what="explicit")',
    "write": 'kb.dump(path, what="explicit")',
    "serialize": "kb.dump(path), or kb.graph().serialize()",
    "parse": "kb.load(path)",
    "read": "kb.load(path)",
    "add": "kb.update(insert=[(s, p, o)])",
    "insert": "kb.update(insert=[(s, p, o)])",
    "delete": "kb.update(delete=[(s, p, o)])",
    "remove": "kb.update(delete=[(s, p, o)])",
    "delete_rules": "kb.remove_rules(rules)",
    "add_rule": "kb.add_rules(rules)",
    "select": "kb.query(text)",
    "sparql": "kb.query(text)",
    "why": "kb.explain((s, p, o))",
    "infer": "kb.derived: what follows is always there",
    "inferred": "kb.derived",
    "stated": "kb.explicit",
    "rules": "kb.program",
    "reason": "kb.derived: what follows is always there",
    "commit": "kb.transaction() to make several changes one; a single one is kept when it returns",
}
"""For names that a knowledge base does not have: what does that."""


def no_attribute(of: object, name: str) -> AttributeError:
    """An error for an attribute that there is none of, with what is meant where that is known."""
    told = f"{type(of).__name__!r} object has no attribute {name!r}"
    meant = f"; for that there is {MEANT[name]}" if name in MEANT else ""
    return AttributeError(told + meant, name=name, obj=of)
