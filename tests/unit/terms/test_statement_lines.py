"""The fast path through N-Triples and N-Quads gives what pyoxigraph's parser gives."""

from __future__ import annotations

from collections import Counter

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unit.terms.term_strategies import literals, quads, subjects, terms, triples

from rdfinc.errors import DataSyntaxError, UnsupportedError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.ntriples import StatementEncoder
from rdfinc.terms.io.reading import read
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

SCOPE = "_:f1_"


def stated(text: bytes, format: str, *, strict: bool = True) -> Counter[tuple[str, ...]]:
    """What `read` finds, as texts."""
    dictionary = Dictionary()
    loaded = read(text, dictionary, format=format, strict=strict)
    dictionary._check()
    rows = zip(*loaded.columns().tolist(), strict=True)
    return Counter(
        tuple(dictionary.decode(id).decode() if id else "" for id in row) for row in rows
    )


def expected(text: bytes, format: ox.RdfFormat) -> Counter[tuple[str, ...]]:
    """What pyoxigraph finds, blank nodes named as `BlankScope` does."""

    def shown(term: object) -> str:
        if isinstance(term, ox.DefaultGraph):
            return ""
        return str(term).replace("_:", SCOPE, 1) if isinstance(term, ox.BlankNode) else str(term)

    return Counter(tuple(map(shown, quad)) for quad in ox.parse(text, format=format))


def line(statement: ox.Triple | ox.Quad) -> str:
    return f"{statement} ."


def oddly(statement: ox.Triple | ox.Quad, blanks: list[str], tail: str) -> str:
    """The statement with other white space, other escapes, and something behind the dot."""
    parts = [str(part) for part in statement if not isinstance(part, ox.DefaultGraph)]
    parts = [part.replace("é", "\\u00E9").replace("@en", "@EN") for part in parts]
    return blanks[0] + "".join(p + b for p, b in zip(parts, blanks[1:], strict=False)) + "." + tail


blanks = st.lists(st.sampled_from([" ", "  ", "\t", " \t "]), min_size=5, max_size=5)
tails = st.sampled_from(["", " ", "\t", " # comment .", "# <a:b> <a:b> <a:b> .", "\r"])
noise = st.sampled_from(["", " ", "# comment", "# a . b .", '# "', "\t", "#\r"])


def texts(statements: st.SearchStrategy) -> st.SearchStrategy[bytes]:
    usual = st.builds(line, statements)
    odd = st.builds(oddly, statements, blanks, tails)
    rows = st.lists(usual, max_size=12) | st.lists(usual | odd | noise, max_size=12)
    ends = st.sampled_from(["\n", "\r\n", "\n\n"])
    return st.builds(lambda rows, end: end.join(rows).encode(), rows, ends)


@given(texts(triples))
@example(b'<a:a> <a:b> "x . y .\\" . " .\n<a:a> <a:b> "\\\\" .\n')
@example(b'<a:a> <a:b> "\x00" .\n<a:a> <a:b> "\x01 \x02" .\n')
def test_ntriples(text: bytes) -> None:
    assert stated(text, "nt") == expected(text, ox.RdfFormat.N_TRIPLES)


@given(texts(quads))
@example(b'<a:a> <a:b> "x <a:g>" .\n<a:a> <a:b> "x" <a:g> .\n')
def test_nquads(text: bytes) -> None:
    assert stated(text, "nq") == expected(text, ox.RdfFormat.N_QUADS)


@given(st.lists(triples, min_size=1, max_size=5))
def test_usual_lines_need_no_parser(statements: list[ox.Triple]) -> None:
    """Else the property tests above would not test the fast path at all."""
    text = "".join(f"{line(s)}\n" for s in statements).encode()
    odd = any(byte in text for byte in (b"\xef\xbf\xbe", b"\xef\xbf\xbf"))
    dictionary = Dictionary()
    columns = StatementEncoder(dictionary, lambda key: key, quads=False).encode(text)
    assert odd or columns is not None
    if columns is not None:
        keys = [dictionary.decode_many(row) for row in columns[:3].T]
        assert keys == [[str(term).encode() for term in s] for s in statements]
        assert not columns[3].any()


GOOD = b"<a:a> <a:b> <a:c> ."
BAD = [
    b"<a:a> <a:b> <a:c>",
    b"<a:a> <a:b> .",
    b"<a:a> <a:b> <a:c> <a:d> .",
    b"<a:a> <a:b> <a:c> . <a:a> <a:b> <a:c> .",
    b"<a:a> <a:b> <a:c> . .",
    b"<a:a> . <a:b> <a:c>",
    b'"a" <a:b> <a:c> .',
    b'<a:a> "b" <a:c> .',
    b"<a:a> _:b <a:c> .",
    b"<rel> <a:b> <a:c> .",
    b"<a:a b> <a:b> <a:c> .",
    b"<a:a> <a:b> <a:%zz> .",
    b'<a:a> <a:b> "c .',
    b'<a:a> <a:b> "c" d" .',
    b'<a:a> <a:b> "\\q" .',
    b'<a:a> <a:b> "\xff" .',
    b'<a:a> <a:b> "c"@e .',
    b'<a:a> <a:b> "c"^^<rel> .',
    b'<a:a> <a:b> <a:c> "g" .',
    b"<a:a> <a:b>\n<a:c> . <a:a> <a:b> <a:c> .",
    b"<a:a> <a:b> . <a:c>\n<a:a> . <a:b> <a:c> .",
    b"<a:a> <a:b> <a:c>\n.",
    b"junk",
    b'# "\n<a:a> <a:b> "c .',
]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("format", ["nt", "nq"])
@pytest.mark.parametrize("before", [0, 1, 3])
@pytest.mark.parametrize("after", [[], [GOOD], [GOOD, b"more junk"]])
def test_the_first_malformed_statement_is_named(
    bad: bytes, format: str, before: int, after: list[bytes]
) -> None:
    if format == "nq" and bad.endswith(b"<a:d> ."):
        pytest.skip("a statement of N-Quads")
    text = b"\n".join([GOOD] * before + [bad, *after])
    with pytest.raises(DataSyntaxError) as caught:
        read(text, Dictionary(), format=format)
    comments = bad.startswith(b"#")
    assert caught.value.line == before + 1 + comments
    assert caught.value.text == bad.split(b"\n")[comments].decode(errors="replace")
    assert caught.value.file == "<data>"
    assert caught.value.reason


def test_old_line_ends() -> None:
    with pytest.raises(DataSyntaxError) as caught:
        read(b"\r".join([GOOD, GOOD, b"junk", GOOD]), Dictionary(), format="nt")
    assert (caught.value.line, caught.value.text) == (3, "junk")


@pytest.mark.parametrize("bad", [b"junk", b'<a:a> <a:b> "\xff" .', b'"a" <a:b> <a:c> .'])
def test_line_numbers_across_blocks(bad: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TERMS, line_block_bytes=50)
    text = b"\r\n".join([GOOD] * 10 + [bad] + [GOOD] * 5)
    with pytest.raises(DataSyntaxError) as caught:
        read(text, Dictionary(), format="nt")
    assert caught.value.line == 11


@given(triples.flatmap(lambda _: st.lists(triples, max_size=9)), st.integers(1, 200))
def test_blocks_do_not_matter(statements: list[ox.Triple], size: int) -> None:
    text = "\n".join(map(line, statements)).encode()
    with pytest.MonkeyPatch.context() as patch:
        put(patch, TERMS, line_block_bytes=size)
        assert stated(text, "nt") == expected(text, ox.RdfFormat.N_TRIPLES)


def test_lenient_reading_skips_and_lists() -> None:
    text = b"\n".join([GOOD, b"junk", GOOD, b'<a:a> <a:b> "\xff" .', b"<a:x> <a:y> <a:z> ."])
    loaded = read(text, Dictionary(), format="nt", strict=False)
    assert len(loaded) == 3
    assert loaded.skipped.count == 2
    assert [problem.line for problem in loaded.skipped.first] == [2, 4]
    assert loaded.skipped.first[0].text == "junk"


def test_lenient_reading_keeps_odd_iris() -> None:
    assert stated(b"<rel> <a:b> <a b> .", "nt", strict=False) == {
        ("<rel>", "<a:b>", "<a b>", ""): 1
    }


def test_the_list_of_skipped_statements_is_bounded() -> None:
    loaded = read(b"junk\n" * 500, Dictionary(), format="nt", strict=False)
    assert loaded.skipped.count == 500
    assert len(loaded.skipped.first) == 100


@pytest.mark.parametrize("object_", [b"<<( <a:b> <a:b> <a:b> )>>", b'"a"@en--ltr'])
def test_statements_of_rdf_1_2(object_: bytes) -> None:
    text = GOOD + b"\n<a:b> <a:c> " + object_ + b" .\n" + GOOD
    with pytest.raises(UnsupportedError, match="line 2"):
        read(text, Dictionary(), format="nt")
    loaded = read(text, Dictionary(), format="nt", strict=False)
    assert (len(loaded), loaded.skipped.count) == (2, 1)


@given(st.lists(st.tuples(subjects, literals | terms), min_size=1, max_size=4))
def test_forgetting_tokens_changes_nothing(pairs) -> None:
    text = "".join(f"{s} <a:p> {o} .\n" for s, o in pairs).encode()
    dictionary = Dictionary()
    encoder = StatementEncoder(dictionary, lambda key: key, quads=False)
    first = encoder.encode(text)
    encoder._odd.clear()
    encoder._trusted[:] = False
    second = encoder.encode(text)
    assert (first is None) == (second is None)
    assert first is None or (first == second).all()


def test_terms_that_the_dictionary_knows_are_validated_all_the_same() -> None:
    """It may hold what only rdflib tolerates, blank nodes of others, and auxiliary terms."""
    dictionary = Dictionary()
    dictionary.auxiliary("x")
    for key in (b"<a:{x}>", b"<rel>", b"_:b"):
        dictionary.encode(key)
    for subject in (b"<a:{x}>", b"<rel>", b"!x"):
        with pytest.raises(DataSyntaxError):
            read(subject + b" <a:p> <a:o> .\n", dictionary, format="nt")
    loaded = read(b"_:b <a:p> _:b .\n", dictionary, format="nt")
    assert loaded.columns()[0][0] == loaded.columns()[2][0] != dictionary.find(b"_:b")
