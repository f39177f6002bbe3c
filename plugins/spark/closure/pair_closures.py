"""Closures of relations over data frames of pairs (x, y): transitive by path doubling, transitive
and symmetric by connected components. The result of a step is kept, so that no plan grows."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

Keep = Callable[[DataFrame], tuple[DataFrame, int]]
"""Computes a data frame once; gives it back, with its rows."""


def transitive(closed: DataFrame, new: DataFrame, keep: Keep) -> DataFrame:
    """The pairs of the transitive closure of `closed` and `new` that `closed`, itself transitive,
    lacks.

    Every step joins the pairs found last with all: the length of the paths that are known doubles
    (Ioannidis, VLDB 1986). Ends when a step finds nothing.
    """
    last, _ = keep(new.join(closed, ["x", "y"], "left_anti"))
    found = last
    while True:
        everything = closed.unionByName(found)
        after = last.select("x", F.col("y").alias("z")).join(
            everything.select(F.col("x").alias("z"), "y"), "z"
        )
        before = everything.select("x", F.col("y").alias("z")).join(
            last.select(F.col("x").alias("z"), "y"), "z"
        )
        pairs = after.select("x", "y").unionByName(before.select("x", "y")).distinct()
        last, rows = keep(pairs.join(everything, ["x", "y"], "left_anti"))
        if not rows:
            return found
        found = found.unionByName(last)


def components(pairs: DataFrame, keep: Keep) -> DataFrame:
    """(x, least): each node of a graph with the least one of its component.

    Large and small stars in turn until nothing changes (Kiveris et al., Connected Components in
    MapReduce and Beyond, SoCC 2014): O(log² n) steps, each linear in the edges.
    """
    nodes = pairs.select("x").union(pairs.select(F.col("y").alias("x"))).distinct()
    greater, less = F.greatest("x", "y"), F.least("x", "y")
    edges = pairs.where("x <> y").select(greater.alias("x"), less.alias("y")).distinct()
    edges, rows = keep(edges)
    before = (-1, 0)
    while rows and (now := _sum(edges, rows)) != before:
        before = now
        edges, rows = keep(_small_star(_large_star(edges)))
    least = edges.select("x", F.col("y").alias("least"))
    joined = nodes.join(least, "x", "left")
    return joined.select("x", F.coalesce("least", "x").alias("least"))


def connected(pairs: DataFrame, keep: Keep) -> DataFrame:
    """The pairs of the least transitive and symmetric relation over some."""
    found, _ = keep(components(pairs, keep))
    return found.join(found.select(F.col("x").alias("y"), "least"), "least").select("x", "y")


def _large_star(edges: DataFrame) -> DataFrame:
    """Each node's greater neighbours are linked to the least of its neighbours and itself."""
    both = edges.unionByName(edges.select(F.col("y").alias("x"), F.col("x").alias("y")))
    least = both.groupBy("x").agg(F.min("y").alias("least"))
    least = least.select("x", F.least("x", "least").alias("least"))
    linked = both.where("y > x").join(least, "x")
    return linked.select(F.col("y").alias("x"), F.col("least").alias("y")).distinct()


def _small_star(edges: DataFrame) -> DataFrame:
    """Each node and its lesser neighbours are linked to the least of them."""
    least = edges.groupBy("x").agg(F.min("y").alias("least"))
    linked = edges.join(least, "x").select(F.col("y").alias("x"), F.col("least").alias("y"))
    own = least.select("x", F.col("least").alias("y"))
    return linked.where("x <> y").unionByName(own).distinct()


def _sum(edges: DataFrame, rows: int) -> tuple[int, int]:
    """The number of edges and the sum of their ends: a step that changes the edges changes one of
    these."""
    (total,) = edges.agg(F.sum(F.col("x").cast("decimal(38,0)") + F.col("y"))).first() or (0,)
    return rows, int(total)
