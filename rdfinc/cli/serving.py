"""The command that serves a knowledge base over HTTP."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import rdfinc
from rdfinc.cli.arguments import Lenient, Profile, Rules
from rdfinc.cli.console import complain
from rdfinc.cli.files import blaming, load_into, require_known
from rdfinc.cli.progress import silence
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.extensions import extension

MIB = 1 << 20


def serve(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="What to load at the start, as for `query`.", metavar="FILES…"),
    ] = None,
    path: Annotated[
        Path | None,
        typer.Option(help="The directory that keeps it: changes are there when they are answered."),
    ] = None,
    update: Annotated[bool, typer.Option("--update", help="Let requests change the data.")] = False,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free.")] = 7878,
    token: Annotated[
        str | None,
        typer.Option(envvar="RDFINC_TOKEN", help="What everyone has to send who asks anything."),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(help="A site whose pages may ask, such as https://example.org; or *."),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A further name that the server is called by; or *.")
    ] = None,
    remote: Annotated[
        bool, typer.Option("--remote", help="Let requests ask other servers (SERVICE, LOAD).")
    ] = False,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds that an answer may take.")] = 30,
    max_memory: Annotated[int, typer.Option(min=1, help="MiB of an answer's solutions.")] = 512,
    max_body: Annotated[int, typer.Option(min=1, help="MiB of a request.")] = 64,
    profile: Rules = Profile.owl2rl,
    skip_malformed: Lenient = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Log no requests, only faults.")
    ] = False,
) -> None:
    """Serve files or a directory over HTTP: SPARQL, graphs, and pages that show why. Read-only
    unless --update is given. Needs `pip install "rdfinc\\[server]"`.
    """
    silence(quiet)
    named = files or []
    require_known(named)
    follows = path is not None and not (update or named)
    listen = extension("serve")
    options = {
        "update": update,
        "remote": remote,
        "token": token or None,
        "origins": tuple(cors or ()),
        "timeout": timeout,
        "max_memory": max_memory * MIB,
        "max_body": max_body * MIB,
        "follows": follows,
    }
    with blaming("--host"):
        listening = listen(host, port, tuple(allow_host or ()), **options)
    with _opened(path, profile.value, follows) as kb:
        if named:
            load_into(kb, named, not skip_malformed)
        logging.basicConfig(format="%(message)s", level=logging.WARNING if quiet else logging.INFO)
        listening.serve(kb, partial(_tell, listening.address, kb, update))
    complain("stopped")


def _opened(
    path: Path | None, profile: str, follows: bool
) -> AbstractContextManager[KnowledgeBase]:
    """A knowledge base in memory or in a directory; one that is only read there may be written by
    another process."""
    if path is None:
        return KnowledgeBase(profile=profile)
    if follows:
        return rdfinc.open(path, read_only=True)
    return rdfinc.open(path, profile=profile)


def _tell(address: str, kb: KnowledgeBase, update: bool) -> None:
    how = "requests may change them" if update else "read-only (--update lets requests change them)"
    facts = f"{len(kb):,} facts, {len(kb.explicit):,} stated"
    complain(f"{address} answers browsers and programs: {facts}; {how}")
    complain("Ctrl-C stops it")
