"""Random SPARQL queries over a small vocabulary, with the features that each one has."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import permutations

NODES = [f"<x:n{i}>" for i in range(4)] + ["_:b1", "_:b2"]
PREDICATES = ["<x:p>", "<x:q>", "<x:r>"]
LITERALS = [
    '"a"', '"b"', '"ab"@en', '"a"@fr', "1", "2", "3", "1.0", "2.5", "1e0", "true",
    '"2020-01-01T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>', '"c"^^<x:t>',
    '""', "0", "false",
]  # fmt: skip
TRUE_LITERALS = LITERALS[:-3]
"""Those of data: rdflib takes a literal that is false for a wildcard at the end of a path."""

BOOLEAN = "<http://www.w3.org/2001/XMLSchema#boolean>"
"""What Oxigraph does not order."""

UNUSUAL = "1e0"
"""A number that Python writes otherwise."""

CONDITIONS = ["false", "0", '""', '"x"^^<http://www.w3.org/2001/XMLSchema#integer>', "true", "1"]
"""Those of filters that are the same for all rows."""

GRAPHS = ["<x:g1>", "<x:g2>"]
MISSING = "<x:none>"
"""A graph that there is not."""

OUTERMOST = 2
"""How deep the parts of a query may stand in each other."""

VARIABLES = ["?a", "?b", "?c", "?d"]
AGGREGATES = ["COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE", "GROUP_CONCAT"]
_OPEN = {"MIN": "least", "MAX": "least", "SAMPLE": "any", "GROUP_CONCAT": "text"}


@dataclass
class Maker:
    """Makes the parts of one query; `features` names what the query has in it, `ends` the ends
    of paths of any length and negated property sets, `compared` the variables of expressions,
    `given` those of BIND."""

    chance: random.Random
    features: set[str] = field(default_factory=set)
    fresh: int = 0
    ends: set[str] = field(default_factory=set)
    compared: set[str] = field(default_factory=set)
    given: list[str] = field(default_factory=list)

    def one(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def is_likely(self, share: float) -> bool:
        return self.chance.random() < share

    def new(self) -> str:
        self.fresh += 1
        return f"?n{self.fresh}"

    def node(self) -> str:
        if self.is_likely(0.85):
            return self.one(*VARIABLES)
        return self.one(*(node for node in NODES if node[0] == "<"))

    def object(self) -> str:
        return self.one(*LITERALS) if self.is_likely(0.1) else self.node()

    def predicate(self) -> str:
        if self.is_likely(0.15):
            self.features.add("any predicate")
            return self.one(*VARIABLES)
        return self.path(2) if self.is_likely(0.25) else self.one(*PREDICATES)

    def path(self, depth: int) -> str:
        self.features.add("path")
        kind = self.one("", "^", "/", "|", "*", "+", "?", "!") if depth else ""
        if kind == "":
            return self.one(*PREDICATES)
        if kind == "!":
            return self.excluded()
        if kind in "/|":
            self.features |= {"either"} if kind == "|" else set()
            return f"({self.path(depth - 1)}{kind}{self.path(depth - 1)})"
        self.features |= {"zero"} if kind in "*?" else set()
        part = self.path(depth - 1)
        return f"(^{part})" if kind == "^" else f"({part}{kind})"

    def excluded(self) -> str:
        """A negated property set."""
        ways = [self.one("", "", "^") for _ in range(self.chance.randint(1, 3))]
        self.features |= {"either", "excluded backwards"} if "^" in ways else {"either"}
        return f"(!({'|'.join(way + self.one(*PREDICATES) for way in ways)}))"

    def triples(self) -> str:
        return " ".join(self.triple() for _ in range(self.chance.choice((1, 1, 2, 3))))

    def triple(self) -> str:
        predicate = self.predicate()
        is_path = predicate.startswith("(")
        start, end = self.node(), self.node() if is_path else self.object()
        if is_path and set("*+?!") & set(predicate):
            self.ends |= {start, end} if "^" in predicate else {start}
        return f"{start} {predicate} {end} ."

    def expression(self, depth: int = 2) -> str:
        """One whose value is of some kind, or an error."""
        kinds = ["variable", "variable", "literal"]
        kinds += ["compare", "logic", "arithmetic", "function", "in"] if depth else []
        return getattr(self, f"_{self.one(*kinds)}")(depth - 1)

    def _variable(self, depth: int) -> str:
        if self.given and self.is_likely(0.4):
            return self.one(*self.given)
        found = self.one(*VARIABLES)
        self.compared.add(found)
        return found

    def _literal(self, depth: int) -> str:
        return self.one(*LITERALS, *(node for node in NODES if node[0] == "<"))

    def _compare(self, depth: int) -> str:
        one, other = self.expression(depth), self.expression(depth)
        if self.is_likely(0.5):
            self.features.add("comparison")
            return f"({one} {self.one('=', '!=')} {other})"
        self.features |= {"order", *(["compared with itself"] if one == other else [])}
        one, other = (f"IF(DATATYPE({e}) != {BOOLEAN}, {e}, 1/0)" for e in (one, other))
        return f"({one} {self.one('<', '>', '<=', '>=')} {other})"

    def truth(self, depth: int) -> str:
        """One with no text in a language for a value."""
        found = self.expression(depth)
        if self.is_likely(0.5):
            return f"({found} = 1)"
        self.features.add("truth")
        return f'IF(LANG({found}) = "", {found}, 1/0)'

    def _logic(self, depth: int) -> str:
        self.features.add("logic")
        if self.is_likely(0.3):
            return f"(!{self.truth(depth)})"
        return f"({self.truth(depth)} {self.one('&&', '||')} {self.truth(depth)})"

    def _arithmetic(self, depth: int) -> str:
        self.features.add("arithmetic")
        return f"({self.expression(depth)} {self.one('+', '-', '*', '/')} {self.expression(depth)})"

    def _function(self, depth: int) -> str:
        one, other = self.expression(depth), self.expression(depth)
        found = self.one(
            f"BOUND({self.one(*VARIABLES)})", f"isIRI({one})", f"isLITERAL({one})",
            f"isBLANK({one})", f"isNUMERIC({one})", f"COALESCE({one}, {other})",
            f"IF({self.truth(depth)}, {other}, 1)", f"sameTerm({one}, {other})", f"STRLEN({one})",
            f"LANG({one})", f"DATATYPE({one})", f"ABS({one})", f"CONCAT({one}, {other})",
            f"CONTAINS({one}, {other})", f"UCASE({one})", f"STRBEFORE({one}, \"b\")",
        )  # fmt: skip
        self.features |= {"kind"} if found.startswith("is") else set()
        return found

    def _in(self, depth: int) -> str:
        self.features.add("order")
        self.compared.add("?a")
        return f"({self.expression(depth)} {self.one('IN', 'NOT IN')} ({self._literal(0)}, ?a))"

    def group(self, depth: int) -> str:
        parts = [self.triples()] if self.is_likely(0.9) else []
        for _ in range(self.chance.randint(0, 2)):
            kinds = ["filter", "bind", "values", "triples"]
            kinds += ["optional", "optional", "union", "minus", "select", "exists", "nested"]
            kinds += ["graph"] if depth else []
            kind = self.one(*(kinds if depth else kinds[:4]))
            parts.append(self.triples() if kind == "triples" else getattr(self, f"_{kind}")(depth))
        if parts and all(part.startswith("FILTER") for part in parts):
            self.features.add("filters alone")
        return f"{{ {' '.join(parts)} }}"

    def _filter(self, depth: int) -> str:
        if self.is_likely(0.15):
            self.features.add("constant condition")
            return f"FILTER({self.one(*CONDITIONS)})"
        self.features.add("expression")
        return f"FILTER({self.truth(2)})"

    def _bind(self, depth: int) -> str:
        self.features |= {"expression", "bind"}
        value = self.expression()
        self.given.append(self.new())
        return f"BIND({value} AS {self.given[-1]})"

    def _values(self, depth: int) -> str:
        self.features.add("values")
        one, other = self.chance.sample(VARIABLES, 2)
        cells = ["UNDEF", *(n for n in NODES if n[0] == "<"), *LITERALS]
        rows = " ".join(f"({self.one(*cells)} {self.one(*cells)})" for _ in range(2))
        return f"VALUES ({one} {other}) {{ {rows} }}"

    def _optional(self, depth: int) -> str:
        self.features.add("optional")
        return f"OPTIONAL {self.group(depth - 1)}"

    def _union(self, depth: int) -> str:
        self.features.add("union")
        branches = f"{self.group(depth - 1)} UNION {self.group(depth - 1)}"
        self.features |= {"exists in a branch"} if "EXISTS" in branches else set()
        return branches

    def _minus(self, depth: int) -> str:
        right = self.group(depth - 1)
        self.features |= {"minus"} if right.strip("{ }") else {"minus", "minus nothing"}
        self.features |= {"inner minus"} if depth < OUTERMOST else set()
        return f"MINUS {right}"

    def _nested(self, depth: int) -> str:
        self.features.add("nested")
        return self.group(depth - 1)

    def _exists(self, depth: int) -> str:
        existence = self.existence(depth)
        if self.is_likely(0.7):
            return f"FILTER {existence}"
        self.features |= {"bind", "exists anywhere"}
        return f"BIND({existence} AS {self.new()})"

    def existence(self, depth: int) -> str:
        self.features.add("exists")
        inner = f"{{ {self.triples()} }}"
        if self.is_likely(0.3):
            self.features.add("exists anywhere")
            inner = self.group(depth - 1)
            self.features |= {"exists over minus"} if "MINUS" in inner else set()
        return f"{self.one('', 'NOT ')}EXISTS {inner}"

    def _graph(self, depth: int) -> str:
        self.features.add("graph")
        name = self.one(*GRAPHS, "?g") if self.is_likely(0.8) else MISSING
        self.features |= {"missing graph"} if name == MISSING else set()
        group = self.group(depth - 1)
        self.features |= {"exists within a graph"} if "EXISTS" in group else set()
        over = name == "?g" and "MINUS" in group
        self.features |= {"all graphs over minus"} if over else set()
        holds = name == "?g" and any(word in group for word in ("GRAPH", "VALUES", "SELECT"))
        self.features |= {"a part within all graphs"} if holds else set()
        return f"GRAPH {name} {group}"

    def _select(self, depth: int) -> str:
        self.features.add("select")
        return f"{{ {self.select(depth - 1)} }}"

    def select(self, depth: int) -> str:
        """A SELECT without ORDER BY and LIMIT."""
        if self.is_likely(0.3):
            return self.grouped(depth)
        shown = self.chance.sample(VARIABLES, self.chance.randint(1, 4))
        distinct = self.one("", "", "DISTINCT ")
        self.features |= {"distinct"} if distinct else set()
        if self.is_likely(0.2):
            self.features.add("expression")
            shown.append(f"({self.expression()} AS {self.new()})")
        if self.is_likely(0.1):
            self.features.add("exists anywhere")
            shown.append(f"({self.existence(depth)} AS {self.new()})")
        return f"SELECT {distinct}{' '.join(shown)} {self.group(depth)}"

    def grouped(self, depth: int) -> str:
        self.features.add("group")
        keys = self.chance.sample(VARIABLES, self.chance.randint(0, 2))
        names = [self.one(*AGGREGATES) for _ in range(self.chance.randint(1, 2))]
        aggregates = [f"({self.aggregate(name)} AS {self.alias(name)})" for name in names]
        shown = [*keys, *aggregates]
        having = f" HAVING(COUNT({self.one('*', *VARIABLES)}) > 1)" if self.is_likely(0.2) else ""
        by = f" GROUP BY {' '.join(keys)}" if keys else ""
        return f"SELECT {' '.join(shown)} {self.group(depth)}{by}{having}"

    def alias(self, aggregate: str) -> str:
        """A variable whose name tells what of its value is open."""
        self.fresh += 1
        return f"?{_OPEN.get(aggregate, 'n')}{self.fresh}"

    def aggregate(self, name: str) -> str:
        self.features.add(name)
        distinct = self.one("", "", "DISTINCT ")
        if name == "COUNT" and self.is_likely(0.3):
            self.features |= {"count distinct rows"} if distinct else set()
            return f"COUNT({distinct}*)"
        value = self.expression(self.chance.randint(0, 1))
        if name == "COUNT":
            value = self.one(*VARIABLES)
        elif name == "GROUP_CONCAT":
            value = f'COALESCE(STR({value}), "z")'
        elif name in ("MIN", "MAX"):
            value = f"IF(isNUMERIC({value}), {value}, 1/0)"
        return f"{name}({distinct}{value})"


@dataclass(frozen=True)
class RandomQuery:
    text: str
    features: frozenset[str]


def random_query(chance: random.Random) -> RandomQuery:
    maker = Maker(chance)
    text = maker.select(OUTERMOST)
    maker.features |= {"unusual number"} if UNUSUAL in text else set()
    maker.features |= {"end compared"} if maker.ends & maker.compared else set()
    together = {f"{one} and {other}" for one, other in permutations(maker.features, 2)}
    return RandomQuery(text, frozenset(maker.features | together))


def random_group(chance: random.Random) -> str:
    """A group, or a sub-select of which it is open which of its rows are left, but not how many."""
    maker = Maker(chance)
    if maker.is_likely(0.7):
        return maker.group(2)
    cut = f"LIMIT {maker.one('0', '1', '2')} OFFSET {maker.one('0', '0', '1')}"
    return f"{{ SELECT (1 AS ?one) {maker.group(1)} ORDER BY ?a ?b {cut} }}"


Quad = tuple[str, str, str, str | None]


def random_quads(chance: random.Random) -> list[Quad]:
    """Statements of the default graph and of named ones, no statement in two of them; every node
    stands in every graph."""
    found: dict[tuple[str, str, str], str | None] = {}
    for p, graph in zip(PREDICATES, (None, *GRAPHS), strict=True):
        for s, o in zip(NODES, chance.sample(NODES, len(NODES)), strict=True):
            found[s, p, o] = graph
    for _ in range(chance.randint(2, 24)):
        s, p = chance.choice(NODES), chance.choice(PREDICATES)
        o = chance.choice(NODES if chance.random() < 0.7 else TRUE_LITERALS)
        found.setdefault((s, p, o), None if chance.random() < 0.7 else chance.choice(GRAPHS))
    return [(*triple, graph) for triple, graph in found.items()]


def shared_quads(chance: random.Random) -> list[Quad]:
    """Statements in several graphs each."""
    return [
        (*(chance.choice(terms) for terms in (NODES, PREDICATES, NODES)), graph)
        for _ in range(chance.randint(0, 8))
        for graph in chance.sample((None, *GRAPHS), 2)
    ]
