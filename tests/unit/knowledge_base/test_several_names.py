"""What an update looks at where many things have several names: what changes, and no more."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from rdfinc import KnowledgeBase
from rdfinc.reasoning.program.plan_memory import PlanMemory
from rdfinc.tables.closure.components.component_table import Components
from rdfinc.tables.closure.components.disjoint_sets import Partition
from rdfinc.tables.equality import expanded
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.equality.representative_pairs import Image
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SAME = "<http://www.w3.org/2002/07/owl#sameAs>"
OWL = "<http://www.w3.org/2002/07/owl#%s>"


def ex(name: str) -> str:
    return f"<http://example.org/{name}>"


INVERSE_FUNCTIONAL = (ex("mbox"), TYPE, OWL % "InverseFunctionalProperty")


def people(number: int) -> list[tuple[str, str, str]]:
    """Of each two one has the other's mailbox."""
    return [
        fact
        for n in range(number)
        for fact in (
            (ex(f"p{n}"), TYPE, ex("Person")),
            (ex(f"p{n}"), ex("mbox"), ex(f"m{n // 2}")),
            (ex(f"p{n}"), ex("knows"), ex(f"p{(n + 7) % number}")),
        )
    ]


def linked(number: int, **options: str) -> KnowledgeBase:
    kb = KnowledgeBase(**options)
    kb.update(insert=[INVERSE_FUNCTIONAL, *people(number)])
    return kb


def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the ids that partitions are asked about from now on, and keys that are looked at."""
    seen: Counter[str] = Counter()

    def watch(kind: type, name: str) -> None:
        method = getattr(kind, name)

        def watched(self, *arguments):
            found = method(self, *arguments)
            seen[name] += max(a.size for a in (*arguments, found) if isinstance(a, np.ndarray))
            return found

        monkeypatch.setattr(kind, name, watched)

    for name in ("numbers", "sizes", "firsts", "ids", "differing"):
        watch(Partition, name)
    watch(Aliases, "with_equals")
    watch(Plain, "scan")
    watch(SortedPairs, "contains")
    return seen


LINKS = {
    "a mailbox": (ex("p9"), ex("mbox"), ex("m4")),
    "another mailbox": (ex("p9"), ex("mbox"), ex("m3")),
    "whom one knows": (ex("p9"), ex("knows"), ex("p16")),
    "what one is": (ex("p9"), TYPE, ex("Person")),
}


@pytest.mark.parametrize("what", LINKS)
@pytest.mark.parametrize("maintenance", ["bf", "dred"])
def test_an_update_looks_at_what_becomes_equal_to_others(
    what: str, maintenance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hardly more if many more are equal to something else: nothing passes over all of them."""
    few, many = 60, 600
    looked: list[int] = []
    for number in (few, many):
        kb = linked(number, maintenance=maintenance)
        link = LINKS[what]
        kb.update(delete=[link])
        kb.update(insert=[link])
        with monkeypatch.context() as patch:
            seen = counted(patch)
            kb.update(delete=[link])
            kb.update(insert=[link])
        looked.append(seen.total())
    assert looked[1] < looked[0] + few


def test_equality_is_not_found_out_from_all_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    kb = linked(60)
    monkeypatch.setattr(Components, "of", None)
    kb.update(delete=[LINKS["a mailbox"]])
    assert (ex("p9"), SAME, ex("p8")) not in kb and (ex("p11"), SAME, ex("p10")) in kb
    kb.update(insert=[LINKS["another mailbox"]])
    assert (ex("p9"), SAME, ex("p7")) in kb and (ex("p7"), ex("knows"), ex("p16")) in kb
    kb._engine._check()


def test_plans_stay_while_what_is_equal_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parameter tables are about what is equal to nothing else."""
    kb = linked(60)
    kb.update(delete=[LINKS["a mailbox"]])
    monkeypatch.setattr(PlanMemory, "forget", None)
    kb.update(insert=[LINKS["a mailbox"]])
    kb.update(delete=[LINKS["a mailbox"]])
    assert (ex("p9"), SAME, ex("p8")) not in kb


@pytest.mark.parametrize("facts_first", [False, True])
def test_equal_things_are_held_once_from_then_on(facts_first: bool) -> None:
    """In the update that makes it equal, whether by an axiom or by a fact."""
    kb = KnowledgeBase()
    kb.update(insert=people(60) if facts_first else [INVERSE_FUNCTIONAL])
    assert kb._engine.version.aliases.trivial
    kb.update(insert=[INVERSE_FUNCTIONAL] if facts_first else people(60))
    version = kb._engine.version
    knows = kb.dictionary.encode(ex("knows").encode())
    assert not version.aliases.trivial and len(version.held.get(knows)) == 60
    assert len(version.closure.get(knows)) == 4 * 60
    strata = kb._engine.prepared_strata().strata
    kb.update(delete=[LINKS["a mailbox"]])
    assert kb._engine.prepared_strata().strata is strata
    kb._engine._check()


def test_a_relation_that_cannot_be_represented_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name of a relation is equal to something: an update draws strata once more, later ones do
    not."""
    kb = KnowledgeBase()
    kb.update(insert=[INVERSE_FUNCTIONAL, *people(8)])
    kb.update(insert=[(ex("knows"), SAME, ex("meets"))])
    assert kb._engine.version.aliases.trivial and (ex("p0"), ex("meets"), ex("p7")) in kb
    strata = kb._engine.prepared_strata().strata
    kb.update(delete=[LINKS["whom one knows"]], insert=[(ex("x"), ex("mbox"), ex("m0"))])
    assert (ex("x"), ex("meets"), ex("p7")) in kb and kb._engine.prepared_strata().strata is strata
    kb._engine._check()


def test_a_class_of_many_is_not_read_for_one_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether something is a member by another name is looked up."""
    kb = linked(60)
    equal = kb._engine.version.aliases
    members = Plain()
    members.add([n << 32 | 5 for n in range(1000, 2000)])
    monkeypatch.setattr(Plain, "subjects", None)
    monkeypatch.setattr(Plain, "count", None)
    image = Image(members, equal)
    pairs = [(n << 32 | 5) for n in (1500, 2500)]
    assert [image.has(pair) for pair in pairs] == [True, False]


def test_counting_takes_rows_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many pairs are about what is equal to others, no more than some at once."""
    kb = linked(60)
    equal = kb._engine.version.aliases
    least = np.unique(equal.representatives(equal.with_equals()))
    table = Plain(SortedPairs(np.sort((least[:, None].astype(np.uint64) << 32 | least).ravel())))
    put(monkeypatch, TABLES, few_pairs_an_alias=0, expanded_ids_block=4)
    largest = []
    width = expanded.Expanded.width
    monkeypatch.setattr(
        expanded.Expanded,
        "width",
        lambda self, keys: largest.append(keys.size) or width(self, keys),
    )
    assert len(expanded.Expanded(table, equal)) == 60 * 60
    assert max(largest) <= 4 * least.size
