"""Whatever the number of workers, the same ids, errors and reports."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from unit.terms.random_turtle import START, RandomTurtle

from rdfinc.errors import DataSyntaxError, UnsupportedError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.parallel import crew
from rdfinc.terms.io.parallel.together import read_together
from rdfinc.terms.io.problems import told
from rdfinc.terms.io.reading import Loaded, read
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

Readables = Callable[[], list[Any]]

TERMS_OF_LINES = (
    "<a:a>", "<a:b>", "<a:c>", "<a:\\u0064>", "_:a", "_:b", "_:aabbccddeeff00112233445566778899",
    '"a"', '"a b"@en', '"é . \\" "', '"1"^^<a:int>', '"a"^^<http://www.w3.org/2001/XMLSchema#string>',
    '"x"@EN', "<http://www.w3.org/2002/07/owl#imports>",
)  # fmt: skip
BAD_TERMS = (
    "oh",
    "<a b>",
    '"open',
    '"x"@en--ltr',
    "<<( <a:a> <a:b> <a:c> )>>",
    "<rel>",
    "_:",
    "\t",
)
ENDS = ("\n", "\n", "\n", "\r\n", " # comment\n", "\n\n", "\r")
SPOILERS = ('"', '"""', "<", ">", " . ", "\\", "}", "]", "[", "( ", "@prefix", "x:y ", "<<( ",
            "oh ", "<a b> ", "@base <y> .\n", "prefix : <x>\n")  # fmt: skip
XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">
<rdf:Description rdf:nodeID="n"><e:p rdf:parseType="Resource"><e:p>{}</e:p></e:p></rdf:Description>
</rdf:RDF>
"""
JSON = '{{"@id": "http://e/{0}", "http://e/p": [{{"http://e/q": "{0}"}}, {{"@id": "_:n"}}]}}'


class RandomFiles:
    """Sources of all kinds and syntaxes, some of which are malformed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def sources(self, folder: Path) -> Readables:
        """A function that opens them anew."""
        made = [self._source(folder, number) for number in range(self._random.randint(1, 3))]
        return lambda: [make() for make in made]

    def _source(self, folder: Path, number: int) -> Callable[[], Any]:
        suffix = self._random.choice(
            ("nt", "nq", "nt", "nq", "ttl", "trig", "ttl", "rdf", "jsonld")
        )
        kind, bad = self._random.random(), self._random.random() < 0.3
        data, path = self._document(suffix, bad).encode(), folder / f"{number}.{suffix}"
        if kind < 0.2:
            return lambda: _Named(data, path.name)
        if kind < 0.4:
            path = path.with_suffix(f".{suffix}.gz")
            packed = gzip.compress(data)
            data = packed[:-9] if kind < 0.23 and not bad else packed
        path.write_bytes(data)
        return lambda: path

    def _document(self, suffix: str, bad: bool) -> str:
        if suffix in ("nt", "nq"):
            return self._lines(suffix, 0.05 if bad else 0)
        if suffix == "rdf":
            return XML.format(self._random.choice(("1", "2", "<" if bad else "3")))
        if suffix == "jsonld":
            return JSON.format(self._random.choice(("1", "2", '"' if bad else "3")))
        text = RandomTurtle(self._random.randint(0, 10**6), trig=suffix == "trig").document(25)
        for _ in range(self._random.randint(1, 2) if bad else 0):
            place = self._random.randint(len(START), len(text))
            text = text[:place] + self._random.choice(SPOILERS) + text[place:]
        return text

    def _lines(self, suffix: str, errors: float) -> str:
        return "".join(self._line(suffix, errors) for _ in range(self._random.randint(0, 40)))

    def _line(self, suffix: str, errors: float) -> str:
        choice, random = self._random.choice, self._random.random
        terms = [choice(TERMS_OF_LINES[:7]), choice(TERMS_OF_LINES[:4]), choice(TERMS_OF_LINES)]
        if suffix == "nq" and random() < 0.4:
            terms.append(choice(TERMS_OF_LINES[:7]))
        if random() < errors:
            terms[choice((0, 1, 2))] = choice(BAD_TERMS)
        end = choice(ENDS) if random() < 0.3 else "\n"
        return f"{' '.join(terms)} .{end}"


class _Named(io.BytesIO):
    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def used(seed: int) -> Dictionary:
    """A dictionary in which something is taken, and something free or waiting."""
    dictionary = Dictionary()
    if seed % 3 == 0:
        dictionary.encode_many((b"<a:b>", b"_:f1_a", b"_:f2-0", b"<a:x>", b"<a:c>", b"<a:y>"))
        for mentioned in ([0, 1, 0, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0, 1][: 7 if seed % 2 else 0]):
            if mentioned:
                dictionary.sweep(np.array(mentioned, np.bool_))
    return dictionary


def outcome(sources: Readables, seed: int, workers: int, options: Any) -> tuple[Any, ...]:
    """What was read, or the error, and what the dictionary is like afterwards."""
    dictionary = used(seed)
    try:
        if workers == 1:
            read_ones = [read(each, dictionary, **options) for each in sources()]
        else:
            read_ones = read_together(sources(), dictionary, workers=workers, **options)
        found: Any = list(map(_told, read_ones))
    except (DataSyntaxError, UnsupportedError) as error:
        found = type(error), str(error), told(error)
    dictionary._check()
    if "damaged" in str(found):  # where reading stops is up to those who read ahead
        return (found,)
    return found, list(dictionary.terms), dictionary.free, dictionary.counts


def _told(loaded: Loaded) -> tuple[Any, ...]:
    columns = [column.tolist() for column in loaded.columns()]
    skipped = loaded.skipped.count, [(str(each), told(each)) for each in loaded.skipped.first]
    return loaded.sources, columns, loaded.prefixes, skipped, loaded.imports


def test_the_same_by_any_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "_started", lambda: None)  # threads are quicker to start
    errors = skipped = 0
    for seed in range(300):
        random = Random(seed)
        put(
            monkeypatch,
            TERMS,
            bytes_a_worker=1,
            distinct_block=random.choice((1, 4, 4000)),
            line_block_bytes=random.choice((1, 60, 300)),
            document_block=random.choice((1, 4, 4000)),
            line_share_bytes=random.choice((1, 100, 1000)),
            document_share_bytes=random.choice((1, 100, 1000)),
            cut_block_bytes=random.choice((11, 64, 1 << 19)),
        )
        strict, graph = random.random() < 0.6, random.choice((None, b"<a:g>"))
        options: Any = {"strict": strict, "graph": graph}
        sources = RandomFiles(seed).sources(tmp_path)
        expected = outcome(sources, seed, 1, options)
        for workers in (2, 3):
            assert outcome(sources, seed, workers, options) == expected, (seed, workers)
        errors += isinstance(expected[0], tuple)
        skipped += isinstance(expected[0], list) and any(each[3][0] for each in expected[0])
    assert errors > 40 and skipped > 15


@pytest.mark.parametrize(
    ("bad", "strict"),
    [
        (
            "<http://e/a> <http://e/p>\n@base <http://no/> .\n",
            False,
        ),  # which the parser passes over
        (
            "<http://e/a> <http://e/p> <\n1 , 2 , 333333333333333333 .\n",
            True,
        ),  # an IRI whose end the parser looks for
        (
            "@prefix e: <http://\n/> .\n" + "e:a e:p 'a'@prefix , 'b'@base .\n" * 10,
            False,
        ),  # which the parser accepts
    ],
)
@pytest.mark.parametrize("name", ["data.ttl", "data.ttl.gz"])
def test_what_is_malformed_beyond_a_cut(
    bad: str, strict: bool, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "_started", lambda: None)
    put(monkeypatch, TERMS, bytes_a_worker=1, document_share_bytes=60)
    good = "<a> <http://e/p> <b> .\n" * 10
    text = (good + bad + good).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    found = [outcome(lambda: [path], 1, workers, {"strict": strict}) for workers in (1, 2)]
    assert found[0] == found[1]
