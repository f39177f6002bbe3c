"""The facade: explicit facts, a program, and the closure they have in common."""

from rdfinc.knowledge_base.facade import KnowledgeBase

__all__ = ["KnowledgeBase"]
