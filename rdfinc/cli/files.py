"""Files in and out, with progress and warnings."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from rdfinc.cli.progress import steps, working
from rdfinc.datalog.syntax.rule_file import SUFFIX, is_rule_file
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.errors import DataSyntaxError, RdfincError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.explanations.violation_groups import told
from rdfinc.knowledge_base.extensions import extension
from rdfinc.knowledge_base.load_report import LoadReport
from rdfinc.terms.io.formats import EXTENSIONS, is_known
from rdfinc.terms.io.sources import expand

SHOWN = 5


@dataclass(frozen=True)
class Loading:
    """A knowledge base made of files."""

    kb: KnowledgeBase
    report: LoadReport

    def record(self) -> dict[str, Any]:
        """The counts, for JSON."""
        kb, report = self.kb, self.report
        return {
            "files": report.files,
            "triples": report.triples,
            "explicit": len(kb.explicit),
            "derived": len(kb.derived),
            "facts": len(kb),
            "skipped": report.skipped,
            "problems": report.problems,
            "imports": report.imports,
            "axioms": report.axioms,
            "violations": [str(violation) for violation in kb.violations()],
            "seconds": report.seconds,
        }


def loaded(files: list[str], profile: str, strict: bool, engine: str = "auto") -> Loading:
    """The closure of the files; warns about what was not read or used, or is contradictory."""
    found = read(files, profile, strict, engine)
    _warn("axioms that are not or not fully used", len(found.report.axioms), found.report.axioms)
    violations = found.kb.violations()
    if violations:
        groups = told(violations.groups(SHOWN)[:SHOWN]).replace("\n", "\n    ")
        print(
            f"warning: {len(violations):,} contradictions, all of which `rdfinc check` tells:"
            f"\n    {groups}",
            file=sys.stderr,
        )
    return found


def read(files: list[str], profile: str, strict: bool, engine: str = "auto") -> Loading:
    """The closure of the files; warns about what was not read."""
    _require_known(files)
    kb = KnowledgeBase(profile=profile)
    what = files[0] if len(files) == 1 else f"{len(files)} files"
    with working(f"reading {what} and deriving what follows"), _blaming("FILES"):
        report = kb.load(*files, strict=strict, engine=engine)
    _warn("malformed statements, skipped", report.skipped, report.problems)
    _warn("ontologies to import that are not among the files", len(report.imports), report.imports)
    return Loading(kb, report)


def bind_usual(kb: KnowledgeBase) -> None:
    """Makes the usual prefixes known."""
    for prefix in PREFIXES.keys() - kb.namespaces.keys():
        kb.bind(prefix, PREFIXES[prefix])


@contextmanager
def _blaming(argument: str) -> Iterator[None]:
    """Names the command line argument that a ValueError of the engine comes from."""
    try:
        yield
    except RdfincError:
        raise
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=argument) from None


def _warn(what: str, count: int, places: Sequence[str]) -> None:
    if not count:
        return
    shown = "".join(f"\n    {place}" for place in places[:SHOWN])
    more = f"\n    … and {count - SHOWN} more" if count > SHOWN else ""
    print(f"warning: {count} {what}:{shown}{more}", file=sys.stderr)


def into_folder(files: list[str], folder: Path, strict: bool, engine: str) -> dict[str, Any]:
    """Loads files into a folder; returns the counts, for JSON, and warns about what was skipped."""
    return _made(extension("bulk_load"), files, folder, strict=strict, engine=engine)


def closure_into_folder(
    files: list[str], folder: Path, profile: str, strict: bool
) -> dict[str, Any]:
    """The same for all that follows from the files, by Spark."""
    return _made(extension("bulk_closure"), files, folder, strict=strict, profile=profile)


def _made(
    make: Callable[..., Any], files: list[str], folder: Path, **options: Any
) -> dict[str, Any]:
    start = time.perf_counter()
    _require_known(files)
    with steps() as say, _blaming("FILES"):
        done = make(expand(files), folder, say=say, **options)
    problems = [str(DataSyntaxError(*problem)) for problem in done.problems]
    _warn("malformed statements, skipped", done.skipped, problems)
    return {
        "files": done.files,
        "triples": done.triples,
        "facts": done.facts,
        "terms": done.terms,
        "skipped": done.skipped,
        "problems": problems,
        "folder": str(folder),
        "seconds": time.perf_counter() - start,
    }


_KNOWN = f"there are {EXTENSIONS}, each also with .gz"


def _require_known(patterns: list[str]) -> None:
    """Refuses files of which no extension tells what they hold, before any work is done."""
    for path in expand(patterns):
        if not (path.is_dir() or is_rule_file(path) or is_known(path)):
            raise typer.BadParameter(
                f"{path}: its extension tells no format; {_KNOWN}, and {SUFFIX} for rules",
                param_hint="FILES",
            )


def require_writable(output: Path) -> None:
    """Refuses a file that cannot be written, before any work is done."""
    with _blaming("--output"):
        if not is_known(output):
            raise ValueError(
                f"{output}: its extension tells no RDF format; {_KNOWN}"
                " (a folder is made with --engine spark)"
            )
        if not output.resolve().parent.is_dir():
            raise ValueError(f"there is no folder {output.parent}; make it first")


def written(kb: KnowledgeBase, output: Path, what: str) -> float:
    """Writes facts to a file; the seconds it took."""
    start = time.perf_counter()
    with working(f"writing {output}"):
        kb.dump(output, what=what)
    return time.perf_counter() - start
