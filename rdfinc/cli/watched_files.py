"""Files that are looked at again and again, and what their changes change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import Struct

from rdfinc.cli.comparing import changes_text, differences
from rdfinc.cli.files import bind_usual, require_known
from rdfinc.datalog.model import Rule
from rdfinc.datalog.syntax.rule_file import is_rule_file
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.errors import RdfincError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.answers import Profile
from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.terms.io.prefixes import agreed, meanings
from rdfinc.terms.io.sources import expand

Stamp = tuple[int, int, int]


class FileContents(Struct, frozen=True):
    """What a file stated when it had a stamp; its blank nodes are its own."""

    stamp: Stamp
    facts: frozenset[Any]
    rules: tuple[Rule, ...]
    prefixes: Mapping[str, str]


class FileChange(Struct, frozen=True):
    """What changed, as text, when `files` did, of which some are `gone`; the contradictions before
    and after."""

    files: list[str]
    gone: list[str]
    added: list[str]
    removed: list[str]
    contradictions: tuple[int, int]


class WatchedFiles:
    """A knowledge base that states what files state, whenever `look` is called."""

    def __init__(self, patterns: Sequence[str], profile: Profile, strict: bool) -> None:
        self._patterns, self._strict = patterns, strict
        self._known: dict[Path, FileContents] = {}
        self._refused: dict[Path, Stamp] = {}
        self._reads = count()
        self.kb = KnowledgeBase(profile)
        require_known(patterns)
        first: dict[Path, FileContents] = {}
        for path in _data_first(expand(patterns)):
            first[path] = self._read(path, _stamp(path), first)
        self._take_in(first)
        bind_usual(self.kb)

    def look(self, refused: Callable[[str], object]) -> FileChange | None:
        """Takes in what has changed since; None if nothing has. A file that cannot be read stays as
        it was, `refused` is told why."""
        changed: dict[Path, FileContents | None] = {}
        for path in _data_first(self._there()):
            stamp = _stamp(path)
            known = self._known.get(path)
            if stamp in (known and known.stamp, self._refused.get(path)):
                continue
            try:
                changed[path] = self._read(path, stamp, {**self._known, **changed})
            except (RdfincError, OSError) as error:
                self._refused[path] = stamp
                refused(f"{error}\n{path} stays as it was")
        changed |= {path: None for path in self._known if not path.exists()}
        return self._told(changed, refused) if changed else None

    def _told(
        self, changed: dict[Path, FileContents | None], refused: Callable[[str], object]
    ) -> FileChange | None:
        before = len(self.kb.violations())
        try:
            delta = self._take_in(changed)
        except RdfincError as error:
            self._refused |= {path: each.stamp for path, each in changed.items() if each}
            refused(f"{error}\nall stays as it was")
            return None
        prefixes = {**PREFIXES, **self.kb.namespaces}
        added, removed = differences(delta.removed, delta.added, prefixes)
        counts = before, len(self.kb.violations())
        gone = sorted(str(path) for path, contents in changed.items() if contents is None)
        return FileChange(sorted(map(str, changed)), gone, added, removed, counts)

    def _there(self) -> list[Path]:
        """The files of the moment; a pattern may match none."""
        there: dict[Path, None] = {}
        for pattern in self._patterns:
            with suppress(FileNotFoundError):
                there |= dict.fromkeys(expand([pattern]))
        return [path for path in there if path.exists()]

    def _read(
        self, path: Path, stamp: Stamp, others: Mapping[Path, FileContents | None]
    ) -> FileContents:
        """What a file states; rules know the prefixes on which the other files agree."""
        read = KnowledgeBase("none")
        if is_rule_file(path):
            beside = meanings(each.prefixes for each in others.values() if each)
            for prefix, iri in agreed(beside).items():
                read.bind(prefix, iri)
        read.load(path, strict=self._strict)
        for prefix, iri in read.namespaces.items():
            self.kb.namespaces.setdefault(prefix, iri)
        facts, rules = frozenset(_facts(read, next(self._reads))), tuple(read.program)
        return FileContents(stamp, facts, rules, {} if is_rule_file(path) else {**read.namespaces})

    def _take_in(self, changed: Mapping[Path, FileContents | None]) -> Delta:
        """Makes one step of what files state now instead; what others state too stays."""
        left = {path: each for path, each in self._known.items() if path not in changed}
        left |= {path: each for path, each in changed.items() if each}
        (old, old_rules), (new, new_rules) = _stated(self._known), _stated(left)
        with self.kb.transaction() as kb:
            delta = kb.update(delete=old - new, insert=new - old)
            delta = delta.then(kb.remove_rules([r for r in old_rules if r not in new_rules]))
            delta = delta.then(kb.add_rules([r for r in new_rules if r not in old_rules]))
        self._known = left
        return delta


def _stated(files: Mapping[Path, FileContents]) -> tuple[set[Any], list[Rule]]:
    """The facts and rules of all files together."""
    facts = {fact for each in files.values() for fact in each.facts}
    return facts, list(dict.fromkeys(rule for each in files.values() for rule in each.rules))


def _data_first(paths: Iterable[Path]) -> list[Path]:
    """Files, those of rules after the others, whose prefixes they know."""
    return sorted(paths, key=is_rule_file)


def _facts(kb: KnowledgeBase, number: int) -> Iterator[tuple[str, ...]]:
    """What is stated, in N-Triples' terms, with blank nodes of its own for each number."""
    decode = kb.dictionary.decode
    for fact in kb.reader().explicit.match():
        texts = (decode(id).decode() for id in fact)
        yield tuple(f"_:w{number}-{t[2:]}" if t.startswith("_:") else t for t in texts)


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def changes(
    watched: WatchedFiles, seconds: float, refused: Callable[[str], object]
) -> Iterator[FileChange]:
    """Each change of the files, without end."""
    while True:
        time.sleep(seconds)
        found = watched.look(refused)
        if found is not None:
            yield found


def change_text(change: FileChange) -> str:
    """What a change of files changed, for people."""
    before, after = change.contradictions
    told = f"\ncontradictions: {after:,} ({before:,} before)" if before or after else ""
    files = ", ".join(f"{file} (gone)" if file in change.gone else file for file in change.files)
    return f"{files}:\n{changes_text(change.added, change.removed)}{told}"
