"""Files in and out, with progress and warnings."""

from __future__ import annotations

import errno
import io
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO

import click
from msgspec import Struct

import rdfinc
from rdfinc.cli.console import complain, put_bytes
from rdfinc.cli.progress import steps, working
from rdfinc.datalog.syntax.rule_file import SUFFIX, is_rule_file
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.errors import DataSyntaxError, RdfincError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.answers import LoadEngine, Part, Profile
from rdfinc.knowledge_base.explanations.violation_groups import told
from rdfinc.knowledge_base.extensions import extension
from rdfinc.knowledge_base.load_report import LoadReport
from rdfinc.terms.io.compression import COMPRESSIONS
from rdfinc.terms.io.formats import EXTENSIONS, NAMES, format_named, format_of, is_known
from rdfinc.terms.io.sniffing import HEAD, refusal, syntax_of
from rdfinc.terms.io.sources import expand
from rdfinc.terms.io.writing import replacing

SHOWN = 5
_WORKERS: ContextVar[int | None] = ContextVar("_WORKERS", default=None)
STANDARD = "-"
"""Standard input or output, where a file is named."""


class Loading(Struct, frozen=True):
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


def read_by(workers: int | None) -> None:
    """Lets at most so many processes read large files from now on."""
    _WORKERS.set(workers)


def asked(
    files: Sequence[str], profile: Profile, strict: bool, format: str | None = None
) -> KnowledgeBase:
    """What is asked about: the closure of files, or the knowledge base that is kept there."""
    found = kept(files)
    return loaded(files, profile, strict, format=format).kb if found is None else found


def kept(files: Sequence[str]) -> KnowledgeBase | None:
    """The knowledge base in a directory that rdfinc.open has made, if nothing else is named; open
    until the command ends."""
    if len(files) != 1 or not _is_kept(Path(files[0])):
        return None
    with working(f"opening {files[0]}"):
        kb = rdfinc.open(files[0], read_only=True)
    click.get_current_context().call_on_close(kb.close)
    return kb


def _is_kept(path: Path) -> bool:
    """Whether rdfinc.open has made a directory."""
    if not path.is_dir():
        return False
    from rdfinc.durable.founding import holds_ours

    return holds_ours(path)


def loaded(
    files: Sequence[str],
    profile: Profile,
    strict: bool,
    engine: LoadEngine = "auto",
    format: str | None = None,
) -> Loading:
    """The closure of the files; warns about what was not read or used, or is contradictory."""
    found = read(files, profile, strict, engine, format)
    _warn("axioms that are not or not fully used", len(found.report.axioms), found.report.axioms)
    violations = found.kb.violations()
    if violations:
        groups = told(violations.groups(SHOWN)[:SHOWN]).replace("\n", "\n    ")
        complain(
            f"warning: {len(violations):,} contradiction{'s' * (len(violations) != 1)},"
            f" all of which `rdfinc check` tells:\n    {groups}"
        )
    return found


def read(
    files: Sequence[str],
    profile: Profile,
    strict: bool,
    engine: LoadEngine = "auto",
    format: str | None = None,
) -> Loading:
    """The closure of the files, - being standard input; warns about what was not read."""
    return load_into(KnowledgeBase(profile=profile), files, strict, engine, format)


def load_into(
    kb: KnowledgeBase,
    files: Sequence[str],
    strict: bool,
    engine: LoadEngine = "auto",
    format: str | None = None,
) -> Loading:
    """The same, with what a knowledge base holds already."""
    require_known(files)
    require_one_input(files)
    if format is not None and STANDARD not in files:
        raise click.BadParameter(
            "it says what standard input (-) is; a file's extension tells its format"
            + _of_output(),
            param_hint="--format",
        )
    what = files[0] if len(files) == 1 else f"{len(files)} files"
    what = "standard input" if what == STANDARD else what
    what = f"reading {what}" + " and deriving what follows" * (kb.profile != "none")
    with working(what) as tell, blaming("FILES"):
        sources = [_standard_input(format) if file == STANDARD else file for file in files]
        workers = _WORKERS.get()
        report = kb.load(*sources, strict=strict, engine=engine, workers=workers, progress=tell)
    _warn("malformed statements, skipped", report.skipped, report.problems)
    _warn("ontologies to import that are not among the files", len(report.imports), report.imports)
    return Loading(kb, report)


def require_one_input(files: Sequence[str]) -> None:
    """Refuses standard input that is to be read twice."""
    if list(files).count(STANDARD) > 1:
        raise click.BadParameter("standard input (-) can be read once", param_hint="FILES")


def _of_output() -> str:
    """Which option of the command tells the form of what it prints, if one does."""
    options = {param.name for param in click.get_current_context().command.params}
    found = next((name for name in ("to", "results") if name in options), None)
    return f", and --{found} that of what is printed" if found else ""


class _Piped(io.BytesIO):
    """What came in by standard input; the extension of its name says in which format it is."""

    def __init__(self, data: bytes, extension: str) -> None:
        super().__init__(data)
        self.name = f"<stdin>.{extension}"


def _standard_input(format: str | None) -> _Piped:
    """Raises ValueError where nobody tells the format, and OSError where nothing can be read."""
    data = standard_input().buffer.read()
    if format is not None:
        return _Piped(data, format_named(format).file_extension)
    if not data:
        raise ValueError("standard input is empty; if that is meant, give --format")
    refused = refusal(data[:HEAD])
    if refused:
        raise DataSyntaxError("standard input", None, "", refused)
    syntax = syntax_of(data[:HEAD])
    if syntax is None:
        raise ValueError(
            f"standard input begins like no format; give --format: {NAMES}; or a file, whose"
            " extension tells it"
        )
    return _Piped(data, syntax.file_extension)


def standard_input() -> TextIO:
    """Raises OSError where it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed; name a file", "standard input")
    return sys.stdin


def bind_usual(kb: KnowledgeBase) -> None:
    """Makes the usual prefixes known."""
    for prefix in PREFIXES.keys() - kb.namespaces.keys():
        kb.bind(prefix, PREFIXES[prefix])


@contextmanager
def blaming(argument: str) -> Iterator[None]:
    """Names the command line argument that a ValueError of the engine comes from."""
    try:
        yield
    except RdfincError:
        raise
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=argument) from None


def _warn(what: str, count: int, places: Sequence[str]) -> None:
    if not count:
        return
    shown = "".join(f"\n    {place}" for place in places[:SHOWN])
    more = f"\n    … and {count - SHOWN} more" if count > SHOWN else ""
    complain(f"warning: {count:,} {what}:{shown}{more}")


def into_folder(
    files: Sequence[str], folder: Path, strict: bool, engine: LoadEngine
) -> dict[str, Any]:
    """Loads files into a folder; returns the counts, for JSON, and warns about what was skipped."""
    workers = _WORKERS.get()
    return _made("bulk_load", files, folder, strict=strict, engine=engine, workers=workers)


def closure_into_folder(
    files: Sequence[str], folder: Path, profile: Profile, strict: bool
) -> dict[str, Any]:
    """The same for all that follows from the files, by Spark."""
    return _made("bulk_closure", files, folder, strict=strict, profile=profile)


def _made(how: str, files: Sequence[str], folder: Path, **options: Any) -> dict[str, Any]:
    start = time.perf_counter()
    require_known(files)
    make = extension(how)
    with steps() as say, blaming("FILES"):
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


_KNOWN = f"there are {EXTENSIONS}, each also with {COMPRESSIONS}"


def require_known(patterns: Sequence[str]) -> None:
    """Refuses files of which no extension tells what they hold, before any work is done; standard
    input is none."""
    for path in expand(pattern for pattern in patterns if pattern != STANDARD):
        if _is_kept(path):
            raise click.BadParameter(
                f"{path}: a knowledge base is kept there; query, explain, stats and check take it"
                " if it is all they are given, and serve by --path",
                param_hint="FILES",
            )
        if not (path.is_dir() or is_rule_file(path) or is_known(path)):
            why = refusal(b"", path.suffix)
            raise click.BadParameter(
                f"{path}: {why}"
                if why
                else f"{path}: its extension tells no format; {_KNOWN}, and {SUFFIX} for rules",
                param_hint="FILES",
            )


def require_writable(output: Path, inputs: Sequence[str], *, force: bool) -> None:
    """Refuses a file that cannot be written, or that is an input, before any work is done."""
    if str(output) == STANDARD:
        return
    with blaming("--output"):
        if not force:
            refuse_input(output, inputs, "; --force writes over it")
        if not is_known(output):
            raise ValueError(
                f"{output}: its extension tells no RDF format; {_KNOWN}"
                " (a folder is made with --engine spark)"
            )
        _require_folder(output)


def require_unnamed(to: str | None, output: Path) -> None:
    """Refuses a format for standard output where a file is written."""
    if to is not None and str(output) != STANDARD:
        raise click.BadParameter(
            f"it says what is written to standard output; the extension of {output} tells its"
            " format",
            param_hint="--to",
        )


def require_other(option: str, output: Path, inputs: Sequence[str]) -> None:
    """Refuses a file that is an input, or in no folder, before any work is done."""
    with blaming(option):
        refuse_input(output, inputs, ": name another file")
        _require_folder(output)


def _require_folder(output: Path) -> None:
    if not output.resolve().parent.is_dir():
        raise ValueError(f"there is no folder {output.parent}; make it first")


def refuse_input(output: Path, inputs: Sequence[str], advice: str) -> None:
    """Raises ValueError for an output that is one of the inputs."""
    if output.exists():
        there = [path for path in expand(f for f in inputs if f != STANDARD) if path.exists()]
        if any(path.samefile(output) for path in there):
            raise ValueError(f"{output} is an input{advice}")


def loses_graphs(kb: KnowledgeBase, output: Path, format: str | None = None) -> bool:
    """Whether the format of a file, or of standard output, has no place for the named graphs that
    state something."""
    if not kb.reader().graphs():
        return False
    syntax = format_named(format or "ttl") if str(output) == STANDARD else format_of(output)
    return not syntax.supports_datasets


def written(kb: KnowledgeBase, output: Path, what: Part, format: str | None = None) -> float:
    """Writes facts to a file, or to standard output in a format; the seconds it took."""
    start = time.perf_counter()
    if str(output) == STANDARD:
        facts = io.BytesIO()
        with blaming("--to"):
            kb.dump(facts, what=what, format=format or "ttl")
        put_bytes(facts.getvalue())
    else:
        with working(f"writing {output}"):
            kb.dump(output, what=what, format=format)
    return time.perf_counter() - start


def write_text(output: Path, text: str) -> None:
    """Writes a text to a file, which appears when it is complete. Raises OSError."""
    with replacing(output) as stream:
        stream.write(text.encode())
