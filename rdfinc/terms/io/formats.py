"""The names of RDF formats: by file extension, by what rdflib calls them, by media type."""

from __future__ import annotations

from pathlib import PurePath

from pyoxigraph import RdfFormat

from rdfinc.terms.io.compression import is_compressed

_NAMES = {
    RdfFormat.N_TRIPLES: ("nt", "ntriples", "n-triples", "nt11", "application/n-triples"),
    RdfFormat.N_QUADS: ("nq", "nquads", "n-quads", "application/n-quads"),
    RdfFormat.TURTLE: ("ttl", "turtle", "longturtle", "text/turtle"),
    RdfFormat.TRIG: ("trig", "application/trig"),
    RdfFormat.N3: ("n3", "text/n3"),
    RdfFormat.RDF_XML: ("rdf", "xml", "owl", "rdfs", "rdfxml", "pretty-xml", "application/rdf+xml"),
    RdfFormat.JSON_LD: ("jsonld", "json-ld", "json", "application/ld+json"),
}
_FORMATS = {name: format for format, names in _NAMES.items() for name in names}

EXTENSIONS = " ".join(f".{names[0]}" for names in _NAMES.values())
"""The usual extension of each format."""

NAMES = " ".join(names[0] for names in _NAMES.values())
"""The usual name of each format."""

LINE_FORMATS = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS)


def format_named(name: str) -> RdfFormat:
    """The format called `name`, in any case. Raises ValueError listing the names there are."""
    found = _FORMATS.get(name.lower().lstrip("."))
    if found is None:
        known = ", ".join(names[0] for names in _NAMES.values())
        raise ValueError(f"unknown RDF format {name!r}; known are {known}")
    return found


def format_of(path: PurePath) -> RdfFormat:
    """The format that the extension of `path` tells, a final `.gz` or the like set aside."""
    inner = path.with_suffix("") if is_compressed(path) else path
    if not inner.suffix:
        raise ValueError(f"{path}: no extension tells the RDF format; give format=")
    try:
        return format_named(inner.suffix)
    except ValueError as error:
        raise ValueError(f"{path}: {error}; rename the file or give format=") from None


def is_known(path: PurePath) -> bool:
    """Whether the extension of `path` tells a format."""
    try:
        format_of(path)
    except ValueError:
        return False
    return True
