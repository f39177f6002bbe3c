"""The site is built without a warning, its links lead somewhere, and it needs no other server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from documentation.page_blocks import FENCE, ROOT, SITE, pages

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src"}
LOADING = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch"}


def links(page: Path) -> list[str]:
    """The links of a page, without those in code."""
    return LINK.findall(re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text("utf-8"))))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Markdown makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE):
        text, _, given = heading.partition("{ #")
        slug = re.sub(r"[^\w\s-]", "", text).strip().lower()
        found.add(given.rstrip(" }") or re.sub(r"[\s-]+", "-", slug))
    return found


def targets(page: Path) -> set[Path]:
    """The pages of the site that a page links to."""
    return {
        (page.parent / link.partition("#")[0]).resolve()
        for link in links(page)
        if not urlsplit(link).scheme and link.partition("#")[0].endswith(".md")
    }


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        if not urlsplit(link).scheme:
            path, _, anchor = link.partition("#")
            target = page.parent / unquote(path) if path else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_every_page_is_two_clicks_from_the_start_at_most() -> None:
    start = SITE / "index.md"
    first = targets(start)
    second = {page for each in first for page in targets(each)}
    assert {page.resolve() for page in SITE.rglob("*.md")} <= {start, *first, *second}


def test_files_that_pages_name_exist() -> None:
    for page in pages():
        text = page.read_text("utf-8")
        found = re.findall(
            r"(?<![\w/])((?:examples|tests|ontologies|plugins|rdfinc)/[\w./]+\w)", text
        )
        for path in found:
            assert (ROOT / path).exists(), f"{page.name} names {path}"


class Loads(HTMLParser):
    """What a browser loads for a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in LOADED:
            self.found.append(given.get(LOADED[tag], ""))
        elif tag == "link" and LOADING & set(given.get("rel", "").split()):
            self.found.append(given.get("href", ""))


def test_the_site_is_built_strictly_and_needs_no_network(tmp_path: Path) -> None:
    for package in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(package)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    for page in tmp_path.rglob("*.html"):
        loads = Loads()
        loads.feed(page.read_text("utf-8"))
        assert loads.found
        assert not [path for path in loads.found if urlsplit(path).netloc], page
