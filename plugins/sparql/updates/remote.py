"""What a request asks of other servers and of files, which has to be allowed."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from rdflib.parser import create_input_source
from rdflib.term import Variable
from rdflib.util import guess_format

from rdfinc import DataSyntaxError, FileAccessError, RemoteAccessError
from rdfinc.plugins.sparql.algebra.forbidden import parts_called

LOCAL_SCHEMES = ("", "file")


def refuse_services(algebra: Any) -> None:
    """Raises RemoteAccessError if a part of a query or update is a SERVICE."""
    for service in parts_called("ServiceGraphPattern", algebra):
        term = service.term
        raise RemoteAccessError("SERVICE", term.n3() if isinstance(term, Variable) else str(term))


def contents(iri: str, *, remote: bool, files: bool) -> tuple[bytes, str]:
    """The document at an IRI, and its format.

    Raises RemoteAccessError, FileAccessError, OSError where there is none,
    DataSyntaxError for an unknown format.
    """
    is_file = urlsplit(iri).scheme in LOCAL_SCHEMES
    if is_file and not files:
        raise FileAccessError("LOAD", iri)
    if not is_file and not remote:
        raise RemoteAccessError("LOAD", iri)
    source = create_input_source(location=iri)
    with source.getByteStream() as stream:  # type: ignore[union-attr]
        data = stream.read()
    format = getattr(source, "content_type", None) or guess_format(iri)
    if format is None:
        raise DataSyntaxError(iri, None, "", "nothing tells the RDF format")
    return data, format
