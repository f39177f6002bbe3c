"""Knowledge bases: explicit facts, the rules in force, and the closure of both.

`facade.KnowledgeBase` is what users and adapters call; `loading` reads and writes files for it
(`load_report` is the outcome of a load), `extensions` finds adapters by name. `kept` is the door
for `rdfinc.durable`, `namespaces` are its prefixes, `answers` the types of options and answers,
`meant_methods` other names of its methods.

An update goes from `facade` through the rooms so: `streams` (facts handed in, as ids) -> `updates`
(the engine, with `rules` in force, `implied` facts and `storage`) -> `versions` (the new facts, and
the part that users see) -> `streams` (the delta, and watches). `explanations` answers why,
`process` guards against threads, signals and forks. `knowledge_thresholds` has the sizes at which
another way is taken.
"""

from rdfinc.knowledge_base.facade import KnowledgeBase

__all__ = ["KnowledgeBase"]
