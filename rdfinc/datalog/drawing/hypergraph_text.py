"""A hypergraph as text and for Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rdfinc.datalog.analysis.rule_hypergraph import Edge, EdgeKind, Hypergraph, HyperNode
from rdfinc.datalog.relations import Relation, relation_text

Prefixes = Mapping[str, str]

_MARKS = {EdgeKind.positive: "", EdgeKind.negative: "not ", EdgeKind.aggregate: "aggregated "}
_STYLES = {
    EdgeKind.positive: "",
    EdgeKind.negative: ' [style=dashed color="#b3261e" fontcolor="#b3261e" label="not"]',
    EdgeKind.aggregate: (
        ' [style=dotted penwidth=2 color="#1d5fa8" fontcolor="#1d5fa8" label="agg"]'
    ),
}


def by_stratum(graph: Hypergraph) -> dict[int, list[HyperNode]]:
    """The hyper-nodes of each stratum, the lowest first."""
    strata: dict[int, list[HyperNode]] = {}
    for node in sorted(graph.nodes, key=lambda node: node.stratum):
        strata.setdefault(node.stratum, []).append(node)
    return strata


def recursive(graph: Hypergraph) -> set[Relation]:
    """The relations that depend on themselves."""
    loops = {edge.head for edge in graph.edges if edge.body == edge.head}
    return loops.union(*(node.relations for node in graph.nodes if len(node.relations) > 1))


# -- text


def graph_text(graph: Hypergraph, prefixes: Prefixes) -> str:
    """Strata from bottom to top; every derived relation with what it is derived from, relations
    of one hyper-node joined by a line."""
    lines: list[str] = []
    drawn = _by_head(graph.edges)
    for stratum, nodes in reversed(by_stratum(graph).items()):
        lines.append(f"stratum {stratum}")
        for node in reversed(nodes):
            if node.rules:
                lines += (f"  {line}" for line in _node_lines(node, drawn, prefixes))
        stated = [relation for node in nodes if not node.rules for relation in node.relations]
        if stated:
            lines.append(f"  stated: {', '.join(relation_text(r, prefixes) for r in stated)}")
    return "\n".join(lines)


def _by_head(edges: Iterable[Edge]) -> dict[Relation, list[Edge]]:
    found: dict[Relation, list[Edge]] = {}
    for edge in edges:
        found.setdefault(edge.head, []).append(edge)
    return found


def _node_lines(
    node: HyperNode, drawn: Mapping[Relation, Sequence[Edge]], prefixes: Prefixes
) -> Iterator[str]:
    last = len(node.relations) - 1
    for i, relation in enumerate(node.relations):
        edges = drawn.get(relation, ())
        read = ", ".join(_MARKS[e.kind] + relation_text(e.body, prefixes) for e in edges)
        bracket = "" if last == 0 else "┌ " if i == 0 else "└ " if i == last else "│ "
        yield f"{bracket}{relation_text(relation, prefixes)} ← {read or 'nothing'}"


# -- DOT


def graph_dot(graph: Hypergraph, prefixes: Prefixes) -> str:
    """The same for Graphviz: a cluster for each stratum, a box for each larger hyper-node."""
    names = {relation: f"r{i}" for i, relation in enumerate(_relations(graph.nodes))}
    lines = ["digraph rules {", "  rankdir=BT;", "  node [shape=box style=rounded];"]
    for stratum, nodes in by_stratum(graph).items():
        lines += [
            f"  subgraph cluster_stratum{stratum} {{",
            f'    label="stratum {stratum}"; labeljust=l; color="#c8c8c8";',
        ]
        for i, node in enumerate(nodes):
            box = [
                f"{names[r]} [label={_quoted(relation_text(r, prefixes))}];" for r in node.relations
            ]
            lines += _clustered(box, f"cluster_node{stratum}_{i}") if len(box) > 1 else _in(4, box)
        lines.append("  }")
    lines += (f"  {_dot_edge(edge, names)}" for edge in graph.edges)
    return "\n".join([*lines, "}"])


def _relations(nodes: Sequence[HyperNode]) -> list[Relation]:
    return [relation for node in nodes for relation in node.relations]


def _clustered(box: Sequence[str], name: str) -> list[str]:
    inside = _in(6, ['label=""; style=filled; color="#f0ead8";', *box])
    return [f"    subgraph {name} {{", *inside, "    }"]


def _in(width: int, lines: Iterable[str]) -> list[str]:
    return [" " * width + line for line in lines]


def _dot_edge(edge: Edge, names: Mapping[Relation, str]) -> str:
    return f"{names[edge.body]} -> {names[edge.head]}{_STYLES[edge.kind]};"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
