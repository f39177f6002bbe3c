"""Random RDF terms, as pyoxigraph has them, with the characters that go wrong most easily."""

from __future__ import annotations

import pyoxigraph as ox
from hypothesis import strategies as st

XSD = "http://www.w3.org/2001/XMLSchema#"
AWKWARD = ['a "b" c', "\\", '\\"', "a\\", "tab\there", "line\nbreak\r", " . ", "<x> _:y .\n"]
CHARACTERS = st.characters(exclude_categories=["Cs"])

texts = st.text(CHARACTERS, max_size=8) | st.sampled_from([*AWKWARD, "\x00\x01\x02\x03", "é\ufffe"])
iris = st.builds(
    "{}{}{}".format,
    st.sampled_from(["http://e.org/", "http://h:80/", "urn:x:", "http://u@h/?q#", "tag:"]),
    st.sampled_from(["", "a/", "%41", "é"]),
    st.text("abcXYZ019-._~é", max_size=5),
)
labels = st.from_regex(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,4}[A-Za-z0-9_-])?", fullmatch=True)
languages = st.sampled_from(["en", "de-at", "zh-hant-tw", "x-a", "i-klingon"])
datatypes = iris | st.sampled_from([XSD + name for name in ("integer", "token", "string")])

named_nodes = st.builds(ox.NamedNode, iris)
blank_nodes = st.builds(ox.BlankNode, labels)
literals = (
    st.builds(ox.Literal, texts)
    | st.builds(lambda text, tag: ox.Literal(text, language=tag), texts, languages)
    | st.builds(lambda text, iri: ox.Literal(text, datatype=ox.NamedNode(iri)), texts, datatypes)
)
subjects = named_nodes | blank_nodes
terms = subjects | literals
graph_names = subjects | st.just(ox.DefaultGraph())
quads = st.builds(ox.Quad, subjects, named_nodes, terms, graph_names)
triples = st.builds(ox.Triple, subjects, named_nodes, terms)


def key(term: ox.NamedNode | ox.BlankNode | ox.Literal) -> bytes:
    """pyoxigraph's own canonical N-Triples."""
    return str(term).encode()
