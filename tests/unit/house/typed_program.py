"""A user's program for mypy (`.ci/run` has it checked): options are known by name, and answers have
types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rdfinc

if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import assert_type

    from rdfinc.knowledge_base.answers import Prepared, QueryAnswer

    kb = rdfinc.KnowledgeBase("owl2rl", storage="compact", maintenance="bf", on_violation="raise")
    rdfinc.KnowledgeBase(profile="owl")  # type: ignore[arg-type]
    rdfinc.KnowledgeBase(storage="little")  # type: ignore[arg-type]
    assert_type(rdfinc.open("place", durability="interval"), rdfinc.KnowledgeBase)
    rdfinc.open("place", durability="soon")  # type: ignore[arg-type]
    assert_type(kb.load("family.ttl", engine="local"), rdfinc.LoadReport)
    kb.load("family.ttl", engine="flink")  # type: ignore[arg-type]
    assert_type(kb.update(insert=[(":a", ":b", 1)]), rdfinc.Delta)
    answer = kb.query("SELECT ?x { ?x a :Mother }")
    assert_type(answer, QueryAnswer)
    assert_type(list(answer), list[Any])
    assert_type(kb.query("ASK {}").askAnswer, bool | None)
    assert_type(kb.query("ASK {}", explain=True), str)
    prepared = kb.prepare("SELECT ?x { ?x a ?c }")
    assert_type(prepared, Prepared)
    assert_type(prepared(c=":Mother"), QueryAnswer)
    assert_type(kb.explain((":a", "a", ":B")), rdfinc.Proof | None)
    kb.dump("all.ttl", what="explicit")
    kb.dump("all.ttl", what="some")  # type: ignore[arg-type]
