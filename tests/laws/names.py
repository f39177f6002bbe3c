"""The few terms of which the random cases are made, so that they meet often."""

from __future__ import annotations

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"

Fact = tuple[str, str, str]
Quad = tuple[str, str, str, "str | None"]


def ex(name: str) -> str:
    return f"<http://example.org/{name}>"


def rdf(name: str) -> str:
    return f"<{RDF}{name}>"


def rdfs(name: str) -> str:
    return f"<{RDFS}{name}>"


def owl(name: str) -> str:
    return f"<{OWL}{name}>"


def xsd(name: str) -> str:
    return f"<{XSD}{name}>"


TYPE, FIRST, REST, NIL = map(rdf, ("type", "first", "rest", "nil"))
INDIVIDUALS = [ex(f"i{n}") for n in range(4)]
NAMED_CLASSES = [ex(f"C{n}") for n in range(4)]
NEW = ex("New")
CLASSES = [*NAMED_CLASSES, "_:x1"]
PROPERTIES = [ex(f"p{n}") for n in range(3)]
LITERALS = ['"a"', *(f'"{text}"^^<{XSD}integer>' for text in ("1", "01")), f'"256"^^<{XSD}byte>']
"""Two of one value, and one that is none of its datatype."""
VALUE = ex("value")
NUMERALS = [
    *(f'"{text}"^^<{XSD}integer>' for text in ("1", "01", "2", "3")),
    *(f'"{text}"^^<{XSD}decimal>' for text in ("0.5", "1.50")),
    *(f'"{text}"^^<{XSD}double>' for text in ("0.1", "0.2", "0.3", "1e16")),
    '"2"',
]
ABOVE = [ex(f"u{n}") for n in range(2)]
"""What rules with negation derive more often than other relations."""
GRAPHS = [None, None, None, ex("g1"), ex("g2")]
LISTS = ["_:l1", "_:l2", "_:l3"]
CELLS = ["_:m1", "_:m2"]
NOUGHT, *ONES = f'"0"^^<{XSD}nonNegativeInteger>', f'"1"^^<{XSD}nonNegativeInteger>', LITERALS[1]
