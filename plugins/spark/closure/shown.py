"""Which of the derived facts users see, for data frames of ids, by the list of `visibility`."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.knowledge_base.versions.container_properties import CONTAINER
from rdfinc.knowledge_base.versions.visibility import LeftOut, Visibility
from rdfinc.terms.dictionary import BLANK, LITERAL, Dictionary

_SIGNS = {LITERAL: '"', BLANK: "_"}
"""Of the kinds of terms that are asked for: how their texts begin."""

_CONTAINER, _CONTAINERS = "rdf:_n", "class of all rdf:_n"


def shown(
    facts: DataFrame, terms: DataFrame, predicates: Mapping[int, str], profile: str
) -> DataFrame:
    """The derived facts with a column `shown`: whether users see a fact. `predicates` are the terms
    of the facts' predicates."""
    own = Dictionary()
    visibility = Visibility(own, profile, axiomatic=False)
    alike: dict[LeftOut, list[int]] = {}
    for id, text in predicates.items():
        predicate = own.encode(text.encode())
        if not visibility.never_shows(predicate):
            alike.setdefault(visibility.left_out_of(predicate), []).append(id)
    classes = [own.decode(each.containers).decode() for each in alike if each.containers]
    signs = _signs(terms, classes)
    joined = facts
    for end in "so":
        sign = signs.select(F.col("id").alias(end), F.col("sign").alias(f"sign {end}"))
        joined = joined.join(sign, end, "left")
    seen = F.lit(False)
    for left_out, ids in alike.items():
        seen = seen | (F.col("p").isin(*ids) & ~_is_left_out(left_out))
    return joined.select("s", "p", "o", seen.alias("shown"))


def _signs(terms: DataFrame, classes: list[str]) -> DataFrame:
    """What `_is_left_out` asks of terms: nothing of most, which have no row."""
    term = F.col("term")
    sign = F.substring("term", 1, 1)
    if classes:
        sign = F.when(term.isin(*classes), _CONTAINERS).otherwise(sign)
        sign = F.when(term.rlike(f"^{CONTAINER.pattern.decode()}$"), _CONTAINER).otherwise(sign)
    found = terms.select("id", sign.alias("sign"))
    return found.where(F.col("sign").isin(*_SIGNS.values(), _CONTAINER, _CONTAINERS))


def _is_left_out(what: LeftOut) -> Column:
    """Whether a fact of a predicate of which this is left out is not seen."""
    subject, object_ = (F.coalesce(f"sign {end}", F.lit("")) for end in "so")
    unseen = subject.isin(*map(_SIGNS.get, what.subjects))
    if what.objects:
        unseen = unseen | object_.isin(*map(_SIGNS.get, what.objects))
    if what.reflexive:
        unseen = unseen | (F.col("s") == F.col("o"))
    if what.containers:
        unseen = unseen | ((subject == _CONTAINER) & (object_ == _CONTAINERS))
    return unseen
