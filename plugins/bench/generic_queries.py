"""Queries that can be asked of any data."""

_RDFS = "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "

GENERIC = {
    "facts": "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "predicates": "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p",
    "classes": "SELECT ?c (COUNT(?x) AS ?n) { ?x a ?c } GROUP BY ?c",
    "subjects": "SELECT DISTINCT ?s { ?s ?p ?o }",
    "twice typed": "SELECT ?x ?c ?d { ?x a ?c, ?d FILTER(?c != ?d) }",
    "links of classes": (
        "SELECT ?c ?p ?d (COUNT(*) AS ?n) { ?x ?p ?y . ?x a ?c . ?y a ?d } GROUP BY ?c ?p ?d"
    ),
    "unlabelled": f"{_RDFS}SELECT ?x {{ ?x a ?c FILTER NOT EXISTS {{ ?x rdfs:label ?l }} }}",
    "superclasses": f"{_RDFS}SELECT ?c ?d {{ ?c rdfs:subClassOf+ ?d }}",
    "texts": 'SELECT ?s ?o { ?s ?p ?o FILTER(isLiteral(?o) && CONTAINS(LCASE(STR(?o)), "a")) }',
}
