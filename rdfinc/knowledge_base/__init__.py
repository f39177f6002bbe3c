"""The facade: explicit facts, a program, and the closure they have in common.

`facade.KnowledgeBase` is what users and adapters call; `loading` reads and writes files for it
(`load_report` is what a load did), `extensions` finds adapters by name. `kept` is what
`rdfinc.durable` sees of it, `answers` what type checkers know of options and answers,
`meant_methods` other names for what it does.

An update goes through the rooms so: `streams` (what was asked) -> `updates` (the engine, with
`rules` in force, `implied` facts and `storage`) -> `versions` (the new facts, and what users see of
them) -> `streams` (who is told). `explanations` answers why, `process` guards against threads,
signals and forks. `knowledge_thresholds` has the sizes at which another way is taken.
"""

from rdfinc.knowledge_base.facade import KnowledgeBase

__all__ = ["KnowledgeBase"]
