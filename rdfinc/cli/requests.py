"""What the command line is asked, before the files that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os.path import exists
from pathlib import Path

import click

from rdfinc.cli.files import STANDARD, standard_input
from rdfinc.errors import DataSyntaxError
from rdfinc.terms.io.formats import is_known


def text_and_files(
    arguments: Sequence[str], file: str | None, name: str, suffixes: tuple[str, ...]
) -> tuple[str, Sequence[str]]:
    """The text of a request and the files that it is about."""
    if file is None:
        first, files = arguments[0], arguments[1:]
        if first.endswith(suffixes):
            text = _file_text(first)
        else:
            require_later(first, f"the {name} comes first, and then the files")
            text = first
    else:
        if file == STANDARD and STANDARD in arguments:
            raise click.BadParameter(f"- is the {name}, and cannot be a file as well")
        text, files = _file_text(file), arguments
    if not files:
        raise click.BadParameter(f"after {name} come the files that it is about")
    return text, files


@contextmanager
def naming(text: str, name: str) -> Iterator[None]:
    """Calls a text by the file that it is in, if it is in one, where it is no SPARQL."""
    try:
        yield
    except DataSyntaxError as error:
        if name == text or error.file not in ("query", "request"):
            raise
        file = "standard input" if name == STANDARD else name
        raise error.within(file) from None


def fact_and_files(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The three words of a fact, which may be one argument, and the files that it is about."""
    require_later(arguments[0], f"{_FACT} come first, and then the files")
    whole = _WHOLE_FACT.fullmatch(arguments[0])
    words, files = (whole.groups(), arguments[1:]) if whole else (arguments[:3], arguments[3:])
    if not files:
        raise click.BadParameter(f"after {_FACT} come the files that it is about")
    return words, files


_FACT = "SUBJECT PREDICATE OBJECT"
_WHOLE_FACT = re.compile(r"\s*(<[^>]*>|\S+)\s+(<[^>]*>|\S+)\s+(\S.*?)\s*\.?\s*", re.DOTALL)


def require_later(argument: str, order: str) -> None:
    """Refuses a file where something else is told first, and says in which order."""
    if argument == STANDARD or exists(argument) or _is_file_name(argument):
        raise click.BadParameter(f"{order}, such as {argument}")


def _is_file_name(argument: str) -> bool:
    """Whether it is a word that ends as files of RDF do, and no IRI."""
    is_word = ":" not in argument and len(argument.split()) == 1
    return is_word and is_known(Path(argument))


def _file_text(name: str) -> str:
    if name == STANDARD:
        return standard_input().read()
    try:
        return Path(name).read_text("utf-8")
    except FileNotFoundError:
        raise click.BadParameter(f"there is no file {name!r}") from None
    except UnicodeDecodeError:
        raise click.BadParameter(f"{name} is no UTF-8: save it in that encoding") from None
