"""What users see of a closure that Spark has made is what they see of a knowledge base's."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from pyspark.sql import SparkSession

from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.plugins.spark.closure.shown import shown
from rdfinc.tables import kernels
from rdfinc.tables.views import EMPTY
from rdfinc.terms.dictionary import Dictionary

RDF, RDFS = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#", "<http://www.w3.org/2000/01/rdf-schema#"
OWL = "<http://www.w3.org/2002/07/owl#"
PREDICATES = (
    f"{RDF}type>", f"{RDFS}subClassOf>", f"{RDFS}domain>", f"{OWL}sameAs>", "<http://e/p>", '"7"',
)  # fmt: skip
ENDS = (
    "<http://e/a>", "_:b", '"a"', f"{RDF}_1>", f"{RDF}_01>", f"{RDF}_>", f"{RDF}_12x>",
    f"{RDFS}ContainerMembershipProperty>",
)  # fmt: skip


@pytest.mark.parametrize("profile", ["rdfs", "owl2rl"])
def test_the_list_of_visibility_is_spark_s(spark: SparkSession, profile: str) -> None:
    own = Dictionary()
    visibility = Visibility(own, profile, axiomatic=False)
    number = {text: own.encode(text.encode()) for text in (*PREDICATES, *ENDS)}
    facts = [(number[p], number[s], number[o]) for p, s, o in product(PREDICATES, ENDS, ENDS)]
    terms = [(id, text) for text, id in number.items()]
    names = {number[text]: text for text in PREDICATES}
    frames = (
        spark.createDataFrame(facts, "p long, s long, o long"),
        spark.createDataFrame(terms, "id long, term string"),
    )
    found = {(row.p, row.s, row.o) for row in shown(*frames, names, profile).collect() if row.shown}
    expected = set[tuple[int, int, int]]()
    for p in names:
        pairs = [(s, o) for q, s, o in facts if q == p]
        keys = kernels.pack(*(np.array(ends, np.uint32) for ends in zip(*pairs, strict=True)))
        seen = visibility.are_shown(p, keys, lambda _: EMPTY)
        expected |= {(p, *pair) for pair, is_seen in zip(pairs, seen, strict=True) if is_seen}
    assert found == expected
    assert 0 < len(found) < len(facts)
