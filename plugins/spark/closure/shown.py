"""Which of the derived facts users see, for data frames of ids; see `versions.visibility`."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.terms.dictionary import Dictionary


def shown(facts: DataFrame, terms: DataFrame, predicates: Mapping[int, str]) -> DataFrame:
    """The derived facts with a column `shown`: whether users see a fact. `predicates` are the terms
    of the facts' predicates."""
    own = Dictionary()
    rule = Visibility(own, "owl2rl", axiomatic=False)
    encoded = {id: own.encode(text.encode()) for id, text in predicates.items()}
    seen = [id for id, local in encoded.items() if not rule.never_shows(local)]
    objects = [id for id, local in encoded.items() if local in rule.class_objects]
    subjects = [id for id, local in encoded.items() if local in rule.class_subjects]
    same = [id for id, local in encoded.items() if local == rule.same_as]
    kinds = terms.select("id", F.substring("term", 1, 1).alias("kind"))
    kinds = kinds.where(F.col("kind").isin('"', "_"))
    subject = kinds.select(F.col("id").alias("s"), F.col("kind").alias("s kind"))
    object_ = kinds.where(F.col("kind") == "_")
    object_ = object_.select(F.col("id").alias("o"), F.lit(True).alias("o blank"))
    p, s_kind = F.col("p"), F.coalesce("s kind", F.lit(""))
    left_out = (
        ~p.isin(*seen)
        | (s_kind == '"')
        | (p.isin(*same) & (F.col("s") == F.col("o")))
        | (p.isin(*objects) & F.coalesce("o blank", F.lit(False)))
        | (p.isin(*subjects) & (s_kind == "_"))
    )
    joined = facts.join(subject, "s", "left").join(object_, "o", "left")
    return joined.select("s", "p", "o", (~left_out).alias("shown"))
