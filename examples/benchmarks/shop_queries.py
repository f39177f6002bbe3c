"""Three mixes of queries over a shop's closure, beside Oxigraph.

    python examples/benchmarks/shop_queries.py
    python examples/benchmarks/shop_queries.py --products 30000 --mixes explore

`explore` asks what a visitor of the shop does and `intelligence` what its owner does, after the two
use cases of the Berlin SPARQL Benchmark (version 3.1); `shapes` has lines, stars, snowflakes and
complex patterns after those of WatDiv. The data are those of `shop.py`. A line is one query: its
rows, the processor time of both stores with all rows read (the least of some runs in turn), and
their ratio.
"""

from __future__ import annotations

import argparse
import tempfile
from functools import partial
from pathlib import Path
from statistics import geometric_mean

import pyoxigraph as ox
import shop
from measure import at_least_one, duration
from query_kinds import least, read

from rdfinc import KnowledgeBase

PREFIX = f"""PREFIX : <{shop.NAMESPACE}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""

EXPLORE = {
    "1 with features": "SELECT DISTINCT ?p ?l { ?p :label ?l ; a :ProductType22 ; "
    ":feature :Feature1 , :Feature2 ; :numeric1 ?n FILTER(?n > 300) } ORDER BY ?l LIMIT 10",
    "2 one product": "SELECT * { :Product11 :label ?l ; :comment ?c ; :producer ?p . "
    "?p :label ?m . :Product11 :feature ?f ; :numeric1 ?n ; :numeric2 ?k "
    "OPTIONAL { :Product11 :numeric4 ?q } }",
    "3 but not": "SELECT ?p ?l { ?p :label ?l ; a :ProductType6 ; :feature :Feature1 ; "
    ":numeric1 ?n ; :numeric3 ?k FILTER(?n > 100) FILTER(?k < 1500) "
    "OPTIONAL { ?p :feature :Feature4 ; :label ?no } FILTER(!BOUND(?no)) } ORDER BY ?l LIMIT 10",
    "4 either feature": "SELECT DISTINCT ?p ?l ?n { { ?p :label ?l ; a :ProductType6 ; "
    ":feature :Feature1 , :Feature2 ; :numeric1 ?n FILTER(?n > 700) } UNION { ?p :label ?l ; "
    "a :ProductType6 ; :feature :Feature1 , :Feature3 ; :numeric2 ?n FILTER(?n > 900) } } "
    "ORDER BY ?l OFFSET 5 LIMIT 10",
    "5 similar": "SELECT DISTINCT ?p ?l { ?p :label ?l FILTER(:Product11 != ?p) "
    ":Product11 :feature ?f . ?p :feature ?f . :Product11 :numeric1 ?a . ?p :numeric1 ?n "
    "FILTER(?n < ?a + 120 && ?n > ?a - 120) :Product11 :numeric2 ?b . ?p :numeric2 ?k "
    "FILTER(?k < ?b + 170 && ?k > ?b - 170) } ORDER BY ?l LIMIT 5",
    "6 by words": 'SELECT ?p ?l { ?p :label ?l ; :producer ?m FILTER(REGEX(?l, "amber cedar")) }',
    "7 offers, reviews": "SELECT * { :Product11 :label ?l OPTIONAL { ?o :offerOf :Product11 ; "
    ":price ?c ; :vendor ?v . ?v :label ?t ; :country :de ; ^:vendor ?o . ?o :validTo ?d "
    'FILTER(?d > "2024-06-01"^^xsd:date) } OPTIONAL { ?r :reviewOf :Product11 ; :reviewer ?w . '
    "?w :name ?n . ?r :title ?h OPTIONAL { ?r :rating1 ?a } OPTIONAL { ?r :rating2 ?b } } }",
    "8 newest reviews": "SELECT ?t ?x ?d ?n { ?r :reviewOf :Product11 ; :title ?t ; :text ?x "
    'FILTER(langMatches(lang(?x), "en")) ?r :reviewDate ?d ; :reviewer ?w . ?w :name ?n '
    "OPTIONAL { ?r :rating1 ?a } } ORDER BY DESC(?d) LIMIT 20",
    "9 about a reviewer": "DESCRIBE ?w { :Review11 :reviewer ?w }",
    "10 quick offers": "SELECT DISTINCT ?o ?c { ?o :offerOf :Product11 ; :vendor ?v ; "
    ":deliveryDays ?n ; :price ?c ; :validTo ?d . ?v :country :us "
    'FILTER(?n <= 3) FILTER(?d > "2024-02-01"^^xsd:date) } ORDER BY xsd:double(str(?c)) LIMIT 10',
    "11 all of an offer": "SELECT ?p ?v ?i { { :Offer11 ?p ?v } UNION { ?i ?p :Offer11 } }",
    "12 export": "CONSTRUCT { :Offer11 :product ?p ; :productLabel ?l ; :vendorName ?t ; "
    ":cost ?c } { :Offer11 :offerOf ?p ; :vendor ?v ; :price ?c . ?p :label ?l . ?v :label ?t }",
}

INTELLIGENCE = {
    "1 reviewed types": "SELECT ?t (COUNT(?r) AS ?k) { ?p a ?t ; :producer ?m . ?m :country :de . "
    "?r :reviewOf ?p ; :reviewer ?w . ?w :country :fr } GROUP BY ?t ORDER BY DESC(?k) ?t LIMIT 10",
    "2 most in common": "SELECT ?q (COUNT(?f) AS ?k) { :Product11 :feature ?f . ?q :feature ?f "
    "FILTER(?q != :Product11) } GROUP BY ?q ORDER BY DESC(?k) ?q LIMIT 10",
    "3 growth": "SELECT ?p (xsd:float(?now) / ?then AS ?by) { { SELECT ?p (COUNT(?r) AS ?now) "
    '{ ?r :reviewOf ?p ; :reviewDate ?d FILTER(?d >= "2024-07-01T00:00:00Z"^^xsd:dateTime) } '
    "GROUP BY ?p } { SELECT ?p (COUNT(?r) AS ?then) { ?r :reviewOf ?p ; :reviewDate ?d "
    'FILTER(?d < "2024-07-01T00:00:00Z"^^xsd:dateTime) } GROUP BY ?p } } '
    "ORDER BY DESC(xsd:float(?now) / ?then) ?p LIMIT 10",
    "4 price by feature": "SELECT ?f (AVG(?c) AS ?mean) { ?p a :ProductType6 ; :feature ?f . "
    "?o :offerOf ?p ; :price ?c } GROUP BY ?f ORDER BY DESC(?mean) ?f LIMIT 10",
    "5 by country": "SELECT ?n ?p ?k { { SELECT ?n (MAX(?k) AS ?most) { { SELECT ?n ?p "
    "(COUNT(?r) AS ?k) { ?p a :ProductType6 . ?r :reviewOf ?p ; :reviewer ?w . ?w :country ?n } "
    "GROUP BY ?n ?p } } GROUP BY ?n } { SELECT ?n ?p (COUNT(?r) AS ?k) { ?p a :ProductType6 . "
    "?r :reviewOf ?p ; :reviewer ?w . ?w :country ?n } GROUP BY ?n ?p } FILTER(?k = ?most) }",
    "6 harsh reviewers": "SELECT ?w (AVG(xsd:float(?a)) AS ?mean) { { SELECT (AVG(xsd:float(?b)) "
    "AS ?all) { ?p :producer :Producer2 . ?s :reviewOf ?p ; :rating1 ?b } } ?p :producer "
    ":Producer2 . ?r :reviewOf ?p ; :reviewer ?w ; :rating1 ?a } GROUP BY ?w "
    "HAVING (AVG(xsd:float(?a)) > 6)",
    "7 offered nowhere": "SELECT ?p { ?p a :ProductType30 FILTER NOT EXISTS { ?o :offerOf ?p ; "
    ":vendor ?v . ?v :country :de } }",
    "8 cheap vendors": "SELECT ?v (xsd:float(?low) / ?all AS ?share) { { SELECT ?v "
    "(COUNT(?o) AS ?all) { ?o :vendor ?v ; :offerOf ?p . ?p a :ProductType22 } GROUP BY ?v } "
    "{ SELECT ?v (COUNT(?o) AS ?low) { ?o :vendor ?v ; :offerOf ?p ; :price ?c . "
    "?p a :ProductType22 { SELECT ?p (AVG(?d) AS ?mean) { ?p a :ProductType22 . "
    "?x :offerOf ?p ; :price ?d } GROUP BY ?p } FILTER(?c < ?mean) } GROUP BY ?v } } "
    "ORDER BY DESC(xsd:float(?low) / ?all) ?v LIMIT 10",
}

SHAPES = {
    "line 1": "SELECT ?a ?b { ?a :follows ?b . ?b :likes :Product0 }",
    "line 2": "SELECT ?w ?p { ?w :makesPurchase ?x . ?x :purchaseFor ?p . ?p :producer ?m . "
    "?m :country :jp }",
    "line 3": "SELECT ?p ?l { ?p a :ProductType50 ; :label ?l }",
    "line 4": "SELECT ?a ?c { ?a :friendOf ?b . ?b :follows ?c . ?c :homepage :Site3 }",
    "star 1": "SELECT * { ?o :vendor :Vendor1 ; :offerOf ?p ; :price ?c ; :validFrom ?f ; "
    ":validTo ?t ; :deliveryDays ?d }",
    "star 2": "SELECT * { ?r :reviewer :Person0 ; :rating1 ?a ; :rating2 ?b ; :rating3 ?c ; "
    ":rating4 ?d ; :title ?t }",
    "star 3": "SELECT * { ?p a :ProductType25 ; :label ?l ; :numeric4 ?n ; :producer ?m }",
    "star 4": "SELECT * { ?w :country :kr ; :name ?n ; :homepage ?h ; :likes ?p }",
    "star 5": "SELECT * { ?p :feature :Feature1 , :Feature2 , :Feature3 ; :numeric1 ?n }",
    "snowflake 1": "SELECT * { ?o :offerOf ?p ; :vendor ?v ; :price ?c . ?p a :ProductType22 ; "
    ":label ?l . ?v :country :ru ; :label ?t }",
    "snowflake 2": "SELECT * { ?r :reviewOf ?p ; :reviewer ?w ; :rating1 10 . ?p :producer "
    ":Producer1 ; :label ?l . ?w :country ?n ; :likes ?q }",
    "snowflake 3": "SELECT * { ?w :makesPurchase ?x ; :country ?n . ?x :purchaseFor ?p ; "
    ":purchaseDate ?d . ?p a :ProductType6 ; :producer ?m ; :feature :Feature5 . ?m :label ?l }",
    "snowflake 4": "SELECT * { ?w :likes ?p ; :homepage ?h ; :name ?n . ?p :label ?l ; "
    ":feature :Feature7 . ?o :offerOf ?p ; :deliveryDays 2 ; :vendor ?v }",
    "complex 1": "SELECT * { ?a :friendOf ?b . ?b :friendOf ?c . ?c :friendOf ?a . "
    "?a :likes ?p . ?b :likes ?p }",
    "complex 2": "SELECT ?p ?w ?v { ?o :offerOf ?p ; :vendor ?v ; :deliveryDays 1 . "
    "?v :country ?n . ?r :reviewOf ?p ; :reviewer ?w ; :rating2 1 . ?w :country ?n ; "
    ":makesPurchase ?x . ?x :purchaseFor ?q . ?q :feature :Feature11 }",
    "complex 3": "SELECT ?w { ?w :likes ?p ; :friendOf ?b ; :country ?n ; :name ?l ; :follows ?c }",
}
MIXES = {"explore": EXPLORE, "intelligence": INTELLIGENCE, "shapes": SHAPES}


def stores(products: int) -> tuple[KnowledgeBase, ox.Store]:
    """The closure of the shop, in both."""
    kb, store = KnowledgeBase(), ox.Store()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "shop.nt"
        shop.main(products, data)
        kb.load(data)
        kb.dump(Path(folder) / "closure.nt")
        store.bulk_load(path=Path(folder) / "closure.nt")
    store.optimize()
    return kb, store


def compare(kb: KnowledgeBase, store: ox.Store, text: str, runs: int) -> tuple[int, float, float]:
    """How many rows a query has in both, and what it takes in each."""
    asked = PREFIX + text
    rows = read(kb, asked)
    assert rows == read(store, asked), text
    return rows, *least([partial(read, kb, asked), partial(read, store, asked)], runs)


def main(products: int, runs: int, mixes: list[str]) -> None:
    kb, store = stores(products)
    print(f"{len(kb):,} facts{'rows':>22}{'rdfinc':>12}{'Oxigraph':>12}   ratio")
    for mix in mixes:
        ratios = []
        for name, text in MIXES[mix].items():
            rows, own, others = compare(kb, store, text, runs)
            ratios.append(own / others)
            shown = f"{duration(own):>12}{duration(others):>12}{own / others:>7.2f}x"
            print(f"{mix + ', ' + name:34}{rows:>9,}{shown}", flush=True)
        print(f"{mix}: geometric mean {geometric_mean(ratios):.2f}x", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--products", type=at_least_one, default=3000, help="(%(default)s)")
    parser.add_argument("--runs", type=at_least_one, default=7, help="(%(default)s)")
    parser.add_argument("--mixes", nargs="+", default=[*MIXES], choices=MIXES, help="(all)")
    options = parser.parse_args()
    main(options.products, options.runs, options.mixes)
