"""Forms of several parts (multipart/form-data), by which graphs are written."""

from __future__ import annotations

import pytest

from over_http.places import client
from rdfinc.plugins.server.form_parts import LONGEST_HEAD, MOST_PARTS, parts_of
from rdfinc.plugins.server.refusals import RefusalError

FORM = {"Content-Type": "multipart/form-data; boundary=X"}
PLACE = "/graphs?graph=http://e/g"
TURTLE = {"Content-Type": "text/turtle"}


def form(*parts: str, end: str = "--X--\r\n") -> bytes:
    return "".join(f"--X\r\n{part}\r\n" for part in parts).encode() + end.encode()


def turtle(text: str, kind: str = "text/turtle") -> str:
    return f"Content-Disposition: form-data; name=f\r\nCONTENT-TYPE: {kind}\r\n\r\n{text}"


NO_FORMS = {
    "no form": b"<a:a> <b:b> 1 .",
    "nothing": b"",
    "no part": form(),
    "no end": form(turtle("<a:a> <b:b> 1 ."), end=""),
    "a broken end": form(turtle("<a:a> <b:b> 1 ."), end="--X-"),
    "another boundary": form(turtle("<a:a> <b:b> 1 .")).replace(b"--X", b"--Y"),
    "line feeds": form(turtle("<a:a> <b:b> 1 .")).replace(b"\r\n", b"\n"),
    "no empty line": b"--X\r\nContent-Type: text/turtle\r\n--X--\r\n",
    "text behind the boundary": form(turtle("<a:a> <b:b> 1 .")).replace(b"--X\r", b"--Xy\r"),
    "a long head": form(f"X: {'x' * LONGEST_HEAD}\r\n\r\n"),
    "many parts": form(*[turtle("")] * (MOST_PARTS + 1)),
}


@pytest.mark.parametrize("body", NO_FORMS.values(), ids=NO_FORMS)
def test_what_is_no_form_changes_nothing(body: bytes) -> None:
    asked = client(update=True)
    assert asked.ask("PUT", PLACE, TURTLE, content='<a:a> <b:b> "kept" .').status_code == 201
    for method in ("PUT", "POST"):
        assert asked.ask(method, PLACE, FORM, content=body).status_code == 400
    assert "kept" in asked.ask("GET", PLACE).text
    no_boundary = {"Content-Type": "multipart/form-data"}
    assert asked.ask("PUT", PLACE, no_boundary, content=form(turtle(""))).status_code == 400


def test_what_a_part_cannot_be() -> None:
    asked = client(update=True)
    coded = turtle("PGE6YT4=", "text/turtle\r\nContent-Transfer-Encoding: base64")
    for part in (turtle("", "text/plain"), turtle("", "text/turtle; charset=latin-1"), coded):
        assert asked.ask("PUT", PLACE, FORM, content=form(part)).status_code == 415


def test_all_parts_of_a_form_are_stated() -> None:
    asked = client(update=True)
    parts = (
        turtle("<a:a> <b:b> '--X' .", "\r\n text/turtle"),
        turtle("<a:c> <b:d> 2 .", "application/n-triples"),
    )
    quoted = {"Content-Type": 'Multipart/Form-Data; boundary="X"'}
    body = b"before\r\n" + form(*parts).replace(b"2", b'"2"') + b"behind\r\n--X\r\n"
    assert asked.ask("PUT", PLACE, quoted, content=body).status_code == 201
    got = asked.ask("GET", PLACE, {"Accept": "application/n-triples"}).text
    assert sorted(got.splitlines()) == ['<a:a> <b:b> "--X" .', '<a:c> <b:d> "2" .']


def test_contents_of_parts_are_as_they_were_sent() -> None:
    contents = [b"", b"\r\n", b"a\r\n\r\nb\r\n", b"x--X", b"\r\n-", b"\x00\xff" * 100]
    body = b"".join(b"--X \t\r\n\r\n" + each + b"\r\n" for each in contents) + b"--X--"
    assert list(parts_of(body, FORM["Content-Type"])) == [(each, "text/plain") for each in contents]
    with pytest.raises(RefusalError):
        list(parts_of(body[:-1], FORM["Content-Type"]))
