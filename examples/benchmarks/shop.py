"""A shop: products, offers, reviews, and people who follow each other and buy.

    python examples/benchmarks/shop.py 1000 shop.nt

Data for questions after two benchmarks: "The Berlin SPARQL Benchmark" (Bizer and Schultz, 2009),
whose shop has products with features of a tree of types, offers of vendors and reviews of people,
and "Diversified Stress Testing of RDF Data Management Systems" (Aluç et al., 2014), where people
follow, like and buy. Types are below each other by rdfs:subClassOf, so that a product is of all
types above its own. What is said of a thing is a function of its number and of the seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from measure import at_least_one

NAMESPACE = "http://example.org/shop#"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
BELOW = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
XSD = "http://www.w3.org/2001/XMLSchema#"
WORDS = [
    "amber",
    "barley",
    "cedar",
    "delta",
    "ember",
    "fennel",
    "garnet",
    "hazel",
    "indigo",
    "jasper",
    "kelp",
    "linden",
    "maple",
    "nettle",
    "ochre",
    "poplar",
    "quartz",
    "rowan",
    "saffron",
    "thistle",
    "umber",
    "velvet",
    "willow",
    "yarrow",
    "zinc",
]
COUNTRIES = ["us", "gb", "de", "fr", "jp", "cn", "ru", "es", "at", "kr"]
BRANCHES = 4  # types below each type
LEVELS = 4
OFFERS, REVIEWS, FRIENDS, LIKES = 10, 6, 8, 3


def ontology() -> str:
    """The tree of types, in N-Triples."""
    types = sum(BRANCHES**level for level in range(LEVELS))
    return "".join(
        f"{thing('ProductType', n)} {BELOW} {thing('ProductType', (n - 1) // BRANCHES)} .\n"
        for n in range(1, types)
    )


def triples(products: int, seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """The facts as N-Triples terms, some 40 a product."""
    yield from _makers(products, seed)
    for number in range(products):
        yield from _product(number, products, seed)
    for number in range(products * OFFERS):
        yield from _offer(number, products, seed)
    for number in range(products * REVIEWS):
        yield from _review(number, products, seed)
    for number in range(people_of(products)):
        yield from _person(number, products, seed)


def people_of(products: int) -> int:
    """How many people a shop with so many products has."""
    return max(products // 2, 1)


def thing(kind: str, number: int) -> str:
    """The name of a thing."""
    return f"<{NAMESPACE}{kind}{number}>"


def term(name: str) -> str:
    """A class or a property."""
    return f"<{NAMESPACE}{name}>"


def _makers(products: int, seed: int) -> Iterator[tuple[str, str, str]]:
    for kind, count in (("Producer", products // 20 + 1), ("Vendor", products // 40 + 1)):
        for number in range(count):
            rnd = Random(f"{seed} {kind} {number}")
            yield thing(kind, number), RDF_TYPE, term(kind)
            yield thing(kind, number), term("label"), _text(rnd, 2)
            yield thing(kind, number), term("country"), term(rnd.choice(COUNTRIES))


def _product(number: int, products: int, seed: int) -> Iterator[tuple[str, str, str]]:
    rnd, product = Random(f"{seed} product {number}"), thing("Product", number)
    leaves = BRANCHES ** (LEVELS - 1)
    first = (leaves - 1) // (BRANCHES - 1)
    yield product, RDF_TYPE, thing("ProductType", first + rnd.randrange(leaves))
    yield product, term("label"), _text(rnd, 3)
    yield product, term("comment"), _text(rnd, 30)
    yield product, term("producer"), thing("Producer", rnd.randrange(products // 20 + 1))
    for feature in sorted({int(rnd.paretovariate(0.8)) % 500 for _ in range(9)}):
        yield product, term("feature"), thing("Feature", feature)
    for place in (1, 2, 3):
        yield product, term(f"numeric{place}"), _typed(rnd.randrange(1, 2000), "integer")
    if rnd.random() < 0.5:
        yield product, term("numeric4"), _typed(rnd.randrange(1, 2000), "integer")


def _offer(number: int, products: int, seed: int) -> Iterator[tuple[str, str, str]]:
    rnd, offer = Random(f"{seed} offer {number}"), thing("Offer", number)
    yield offer, RDF_TYPE, term("Offer")
    yield offer, term("offerOf"), thing("Product", rnd.randrange(products))
    yield offer, term("vendor"), thing("Vendor", rnd.randrange(products // 40 + 1))
    yield offer, term("price"), _typed(f"{rnd.randrange(500, 1000000) / 100:.2f}", "decimal")
    yield offer, term("validFrom"), _typed(_day(rnd, 2023), "date")
    yield offer, term("validTo"), _typed(_day(rnd, 2024), "date")
    yield offer, term("deliveryDays"), _typed(rnd.randrange(1, 15), "integer")


def _review(number: int, products: int, seed: int) -> Iterator[tuple[str, str, str]]:
    rnd, review = Random(f"{seed} review {number}"), thing("Review", number)
    yield review, RDF_TYPE, term("Review")
    yield review, term("reviewOf"), thing("Product", rnd.randrange(products))
    yield review, term("reviewer"), thing("Person", _often(rnd, people_of(products)))
    yield review, term("title"), _text(rnd, 4)
    yield review, term("text"), f"{_text(rnd, 20)}@{rnd.choice(['en', 'de', 'fr'])}"
    yield review, term("reviewDate"), _typed(f"{_day(rnd, 2024)}T10:00:00Z", "dateTime")
    for place in (1, 2, 3, 4):
        if rnd.random() < 0.7:
            yield review, term(f"rating{place}"), _typed(rnd.randrange(1, 11), "integer")


def _person(number: int, products: int, seed: int) -> Iterator[tuple[str, str, str]]:
    rnd, person, people = Random(f"{seed} person {number}"), thing("Person", number), products // 2
    yield person, RDF_TYPE, term("Person")
    yield person, term("name"), _text(rnd, 2)
    yield person, term("country"), term(rnd.choice(COUNTRIES))
    if rnd.random() < 0.4:
        yield person, term("homepage"), thing("Site", rnd.randrange(people + 1))
    for _ in range(rnd.randrange(FRIENDS)):
        yield person, term("follows"), thing("Person", _often(rnd, people_of(products)))
    for _ in range(rnd.randrange(FRIENDS)):
        yield person, term("friendOf"), thing("Person", rnd.randrange(people_of(products)))
    for _ in range(rnd.randrange(LIKES)):
        yield person, term("likes"), thing("Product", _often(rnd, products))
    if rnd.random() < 0.6:
        purchase = thing("Purchase", number)
        yield person, term("makesPurchase"), purchase
        yield purchase, term("purchaseFor"), thing("Product", _often(rnd, products))
        yield purchase, term("purchaseDate"), _typed(_day(rnd, 2024), "date")


def _often(rnd: Random, count: int) -> int:
    """A number below `count`, small ones more often."""
    return int(count * rnd.random() ** 3)


def _day(rnd: Random, year: int) -> str:
    return f"{year}-{rnd.randrange(1, 13):02}-{rnd.randrange(1, 29):02}"


def _text(rnd: Random, words: int) -> str:
    return '"' + " ".join(rnd.choice(WORDS) for _ in range(words)) + '"'


def _typed(value: object, datatype: str) -> str:
    return f'"{value}"^^<{XSD}{datatype}>'


def main(products: int, path: Path | None) -> None:
    out = sys.stdout if path is None else path.open("w")
    out.write(ontology())
    out.writelines(f"{s} {p} {o} .\n" for s, p, o in triples(products))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("products", type=at_least_one, help="how many products")
    parser.add_argument("path", type=Path, nargs="?", help="the file to write (standard output)")
    options = parser.parse_args()
    main(options.products, options.path)
