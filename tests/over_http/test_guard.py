"""Who may ask: names, pages of other sites, tokens."""

from __future__ import annotations

import base64

import pytest

from over_http.places import client

ASK = "/sparql?query=ASK%7B%7D"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:7878", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:7878", 200),
        ("known.example:80", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("evil.example:localhost", 403),
        ("", 403),
        ("[", 403),
    ],
)
def test_the_name_that_it_is_called_by(host: str, status: int) -> None:
    got = client(hosts=("known.example",)).ask("GET", ASK, {"Host": host})
    assert got.status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("http://localhost", 200),
        ("http://evil.example", 403),
        ("null", 403),
        ("http://localhost:8080", 403),
        ("https://app.example", 200),
    ],
)
def test_pages_of_other_sites(origin: str | None, status: int) -> None:
    asked = client(origins=("https://app.example",), update=True)
    headers = {} if origin is None else {"Origin": origin}
    assert asked.ask("GET", ASK, headers).status_code == status
    changed = asked.ask("POST", "/update", headers, data={"update": "CLEAR GRAPH <a:none>"})
    assert changed.status_code in (status, 204)
    assert (changed.status_code == 403) == (status == 403)


def test_browsers_are_told_which_pages_may_read() -> None:
    asked = client(origins=("https://app.example",))
    got = asked.ask("GET", ASK, {"Origin": "https://app.example"})
    assert got.headers["Access-Control-Allow-Origin"] == "https://app.example"
    preflight = {"Origin": "https://app.example", "Access-Control-Request-Method": "PUT"}
    assert asked.ask("OPTIONS", "/graphs", preflight).status_code == 200
    preflight["Origin"] = "https://evil.example"
    assert asked.ask("OPTIONS", "/graphs", preflight).status_code == 400


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (None, 401),
        ("Bearer secret", 200),
        ("bearer  secret", 200),
        ("Bearer other", 401),
        ("Bearer", 401),
        ("secret", 401),
        ("Basic " + base64.b64encode(b"anyone:secret").decode(), 200),
        ("Basic " + base64.b64encode(b"secret:").decode(), 401),
        ("Basic no", 401),
    ],
)
def test_a_token(authorization: str | None, status: int) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    got = client(token="secret").ask("GET", ASK, headers)
    assert got.status_code == status
    if status == 401:
        assert got.headers["WWW-Authenticate"].startswith("Basic ")
        assert "secret" not in got.text


def test_a_server_that_everyone_could_change_is_not_started() -> None:
    pytest.importorskip("uvicorn")
    from rdfinc.plugins.server.running import Listening

    with pytest.raises(ValueError, match="give a --token, or leave out --update"):
        Listening("0.0.0.0", 0, update=True)
