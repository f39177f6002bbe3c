"""Why facts are gone: what an update took away of what they rested on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rdfinc.knowledge_base.engine import Engine, Outcome
from rdfinc.knowledge_base.proofs import Removal
from rdfinc.knowledge_base.telling import Telling
from rdfinc.knowledge_base.version import Version
from rdfinc.reasoning.explain import shortest_proof
from rdfinc.reasoning.support import Fact
from rdfinc.reasoning.ways import Proved
from rdfinc.tables.facts import FactSet


def removal(
    telling: Telling,
    engine: Engine,
    before: Version,
    outcome: Outcome,
    fact: Fact,
    prefixes: Mapping[str, str],
) -> Removal:
    """What of a shortest proof before an update is gone. Cost: to find that proof."""
    proved = shortest_proof(fact, engine.support(before))
    assert proved is not None
    ended = [stated for stated in _withdrawn(proved, outcome) if telling.is_visible(stated)]
    deleted = [stated for stated in ended if stated == fact or outcome.took(stated)]
    rows = [s for s, p, o in _withdrawn(proved, outcome) if not telling.is_visible((s, p, o))]
    named = (telling.written(engine, [row], prefixes) for row in rows if engine.rules.rule_of(row))
    rules = tuple(dict.fromkeys(named))
    ways = (proved.by[each] for each in proved.facts())
    appeared = [each for way in ways for each in telling.absent(way) if outcome.brought(each)]
    return Removal(
        telling.told(engine, proved.tree(), prefixes),
        tuple(map(telling.triple, deleted)),
        rules,
        tuple(map(telling.triple, appeared)),
        (
            *(f"{telling.text(each, prefixes)}   was deleted" for each in deleted),
            *(f"{rule}   was removed" for rule in rules),
            *(f"{telling.text(each, prefixes)}   came" for each in appeared),
        ),
    )


def _withdrawn(proved: Proved, outcome: Outcome) -> Iterator[Fact]:
    """The facts that a proof takes as explicit and that an update withdrew."""
    withdrawn = FactSet.of(outcome.deleted)
    return (f for f in proved.facts() if proved.by[f] is None and withdrawn.has(*f))
