"""The command that serves a knowledge base over HTTP."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import click

import rdfinc
from rdfinc.cli import arguments as shared
from rdfinc.cli.console import complain
from rdfinc.cli.files import blaming, load_into, require_known
from rdfinc.cli.progress import silence
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.answers import Profile
from rdfinc.knowledge_base.extensions import extension

MIB = 1 << 20

_SITE = re.compile(r"\*|https?://[^/\s]+")
_NAME = re.compile(r"\*|[^/\s]+")


def _each(form: re.Pattern[str], given: tuple[str, ...], what: str) -> tuple[str, ...]:
    """What is given, if all of it has a form."""
    for each in given:
        if not form.fullmatch(each):
            raise click.BadParameter(f"{each} is no {what}")
    return given


def _mebibytes(name: str, default: int, what: str) -> Callable[..., Any]:
    return shared.number(name, default, f"MiB of {what}.")


@click.command()
@click.argument(
    "files", nargs=-1, metavar="[FILES…]", help="What to load at the start, as for `query`."
)
@click.option(
    "--path",
    type=shared.PATH,
    help="The directory that keeps it: changes are there when they are answered.",
)
@click.option("--update", is_flag=True, help="Let requests change the data.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=7878,
    show_default=True,
    help="0 for any that is free.",
)
@click.option(
    "--token",
    envvar="RDFINC_TOKEN",
    show_envvar=True,
    help="What everyone has to send who asks anything.",
)
@click.option(
    "--cors",
    multiple=True,
    callback=lambda context, option, sites: _each(_SITE, sites, "site, such as https://e.org or *"),
    help="A site whose pages may ask, such as https://example.org; or *.",
)
@click.option(
    "--allow-host",
    multiple=True,
    callback=lambda context, option, names: _each(_NAME, names, "name, such as e.org or *"),
    help="A further name that the server is called by; or *.",
)
@click.option("--remote", is_flag=True, help="Let requests ask other servers (SERVICE, LOAD).")
@click.option(
    "--timeout",
    type=shared.Seconds(min=0.1),
    default=30.0,
    show_default=True,
    help="Seconds that an answer may take.",
)
@_mebibytes("--max-memory", 512, "an answer's solutions")
@_mebibytes("--max-body", 64, "a request")
@shared.profile
@shared.lenient
@click.option("--quiet", "-q", is_flag=True, help="Log no requests, only faults.")
def serve(
    files: tuple[str, ...],
    path: Path | None,
    update: bool,
    host: str,
    port: int,
    token: str | None,
    cors: tuple[str, ...],
    allow_host: tuple[str, ...],
    remote: bool,
    timeout: float,
    max_memory: int,
    max_body: int,
    profile: Profile,
    skip_malformed: bool,
    quiet: bool,
) -> None:
    """Serve files or a directory over HTTP: SPARQL, graphs, and pages that show why. Read-only
    unless --update is given.

    It needs `pip install "rdfinc[server]"`.
    """
    silence(quiet)
    require_known(files)
    follows = path is not None and not (update or files)
    listen = extension("serve")
    options = {
        "update": update,
        "remote": remote,
        "token": token or None,
        "origins": cors,
        "timeout": timeout,
        "max_memory": max_memory * MIB,
        "max_body": max_body * MIB,
        "follows": follows,
    }
    with blaming("--host"):
        listening = listen(host, port, allow_host, **options)
    with _opened(path, profile, follows) as kb:
        if files:
            load_into(kb, files, not skip_malformed)
        logging.basicConfig(format="%(message)s", level=logging.WARNING if quiet else logging.INFO)
        listening.serve(kb, partial(_tell, listening.address, kb, update))
    complain("stopped")


def _opened(
    path: Path | None, profile: Profile, follows: bool
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
