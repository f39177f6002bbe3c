"""Files in and out of a knowledge base, and folders that a bulk load has made."""

from __future__ import annotations

import os
import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, field

from rdfinc.datalog.model import Rule
from rdfinc.datalog.syntax.rule_file import is_rule_file, naming, rule_file_text
from rdfinc.datalog.syntax.rule_statements import declared_prefixes, safe_rules
from rdfinc.errors import DataSyntaxError, RuleSyntaxError
from rdfinc.knowledge_base.extensions import extension
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.interrupts import Uninterrupted
from rdfinc.knowledge_base.process.load_progress import Meter
from rdfinc.knowledge_base.process.warn import warn
from rdfinc.knowledge_base.rules.rule_intake import Fact, facts_apart
from rdfinc.knowledge_base.storage.term_freezing import FreezingCheck
from rdfinc.knowledge_base.streams.input_facts import (
    StatementColumns,
    Statements,
    of_blocks,
    refuse_reserved,
)
from rdfinc.knowledge_base.versions.fact_views import Reader, Triple, View
from rdfinc.tables.facts import size
from rdfinc.terms.dictionary import LITERAL, Dictionary
from rdfinc.terms.io.checks import Check
from rdfinc.terms.io.convert import graph_key
from rdfinc.terms.io.parallel.together import read_together
from rdfinc.terms.io.prefixes import agreed, meanings
from rdfinc.terms.io.problems import Problems
from rdfinc.terms.io.reading import Loaded, expand

MANIFEST = "manifest.json"
"""The file that a bulk load writes last (see `rdfinc.plugins.spark.load.layout`)."""
CLOSURE = "closure.json"
"""The file beside it that tells how a closure in a folder was made."""

ENGINES = ("auto", "local", "spark")


class SourceContents(Struct):
    """All that some sources hold, `facts` among their rules; `repeated` counts statements that
    occur more than once."""

    statements: Statements = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    prefixes: dict[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    triples: int = 0
    repeated: int = 0
    skipped: int = 0
    problems: tuple[str, ...] = ()


def load(
    dictionary: Dictionary,
    prefixes: Mapping[str, str],
    sources: Iterable[Any],
    graph: Any,
    format: str | None,
    base: str | None,
    strict: bool,
    imports: Mapping[str, str | os.PathLike[str]],
    engine: str,
    workers: int,
    check: Check,
    meter: Meter | None,
) -> SourceContents:
    """Reads sources, and the imports that `imports` resolves, without changing any fact; `check` is
    called now and then, and may raise."""
    key = None if graph is None else graph_key(graph)
    refuse_reserved(key)
    check = FreezingCheck(dictionary, check)
    found = SourceContents()
    loaded: list[Loaded] = []
    done: set[str] = set()
    data: list[Any] = []
    rule_files: dict[Path, RuleText] = {}
    for source in _sources(sources):
        if isinstance(source, Path) and is_rule_file(source):
            rule_files[source] = RuleText.read(source, prefixes)
        else:
            data.append(source)
    if meter is not None:
        meter.begin(data)
    grouped = _grouped(data, engine)
    waiting = _runs(grouped, each=bool(imports))[::-1]
    options = {"graph": key, "format": format, "base": base, "strict": strict}
    while waiting:
        check()
        before = len(loaded)
        loaded += _read(waiting.pop(), dictionary, workers, check, **options)
        read = {iri: None for one in loaded[before:] for iri in one.imports}
        new = [iri for iri in read if iri in imports and iri not in done]
        done.update(new)
        waiting += [(Path(imports[iri]),) for iri in new]
    if rule_files:
        _read_rules(rule_files, prefixes, loaded, found)
    if found.facts:
        loaded.append(_stated(found.facts, key, dictionary))
    return _gathered(found, loaded, done, dictionary)


def _grouped(sources: list[Any], engine: str) -> list[Any]:
    """The sources; if Spark is to read the files, all at once, they are one list in front."""
    files = [each for each in sources if isinstance(each, Path) and not each.is_dir()]
    if not files or engine == "local" or (engine == "auto" and not spark_pays(files)):
        return sources
    others = [each for each in sources if not isinstance(each, Path) or each.is_dir()]
    return [files, *others]


def spark_pays(files: Iterable[Path]) -> bool:
    """Whether Spark, if installed, can be expected to be done before worker processes are: with
    some forty processors or more, and some gigabytes."""
    here = os.cpu_count() or 1
    spark, workers = here * KNOWLEDGE.spark_speed, min(here, KNOWLEDGE.workers_speed)
    if spark <= workers or find_spec("pyspark") is None:
        return False
    size = sum(file.stat().st_size for file in files)
    return size * (1 / workers - 1 / spark) > KNOWLEDGE.spark_start_bytes


def _runs(sources: list[Any], *, each: bool) -> list[Any]:
    """The sources, of which those that are read here are in tuples: `each` for itself, because it
    may name others to be read behind it, or neighbours together."""
    found: list[Any] = []
    for is_other, run in groupby(sources, lambda one: isinstance(one, list) or _is_folder(one)):
        neighbours = tuple(run)
        if is_other:
            found += neighbours
        else:
            found += [(one,) for one in neighbours] if each else [neighbours]
    return found


def _is_folder(source: Any) -> bool:
    return isinstance(source, Path) and source.is_dir()


def _read(
    source: Any, dictionary: Dictionary, workers: int, check: Check, **options: Any
) -> list[Loaded]:
    if isinstance(source, list):
        return [extension("spark")(source, dictionary, **options)]
    if isinstance(source, tuple):
        return read_together(source, dictionary, workers=workers, check=check, warn=warn, **options)
    require_bulk_folder(source)
    return [extension("bulk")(source, dictionary, graph=options["graph"])]


def _sources(sources: Iterable[Any]) -> Iterator[Any]:
    """Paths with globs expanded; open streams and bytes as they are. Raises TypeError."""
    for source in sources:
        if isinstance(source, (str, os.PathLike)):
            yield from expand([source])
        elif isinstance(source, bytes | bytearray) or callable(getattr(source, "read", None)):
            yield source
        else:
            raise TypeError(
                "load takes paths, patterns such as 'data/*', bytes and open files, each for itself"
                f" (load(*files)), not {type(source).__name__} {reprlib.repr(source)};"
                " triples and graphs go into update(insert=…)"
            )


class RuleText(Struct, frozen=True):
    """The text of a rule file; its `rules`, unless they need prefixes that other files bind."""

    text: str
    rules: list[Rule] | None

    @classmethod
    def read(cls, path: Path, prefixes: Mapping[str, str]) -> RuleText:
        """Raises RuleError for faults that no prefix mends."""
        text = rule_file_text(path)
        with Uninterrupted(), naming(path):
            with suppress(RuleSyntaxError):
                return cls(text, safe_rules(text, prefixes))
            safe_rules(text, dict.fromkeys(_PREFIX.findall(text), "urn:any:"))
            return cls(text, None)


_PREFIX = re.compile(r"(?<![^\s:,()\[\]])([^\s:,()\[\]]*):")


def _read_rules(
    files: Mapping[Path, RuleText],
    prefixes: Mapping[str, str],
    loaded: Iterable[Loaded],
    found: SourceContents,
) -> None:
    """Reads rule files by the prefixes that are bound and, where these are free, by those of the
    files beside them that are of one mind."""
    meant = meanings(one.prefixes for one in loaded)
    known = agreed(meant)
    unclear = {prefix: iris for prefix, iris in meant.items() if prefix not in known}
    for path, file in files.items():
        text, read = file.text, file.rules
        with Uninterrupted(), naming(path), _telling_of(unclear, text):
            read = safe_rules(text, {**known, **prefixes}) if read is None else read
            rules, facts = facts_apart(read)
        found.rules += rules
        found.facts += facts
        found.prefixes.update(declared_prefixes(text))
    found.files += tuple(map(str, files))


@contextmanager
def _telling_of(unclear: Mapping[str, Iterable[str]], text: str) -> Iterator[None]:
    """An error for a prefix that is not known says so if files do not agree on it."""
    try:
        yield
    except RuleSyntaxError as error:
        for prefix, iris in unclear.items():
            if f"the prefix `{prefix}:` is not known" in error.reason:
                meanings = " and ".join(f"<{iri}>" for iri in sorted(iris)[:3])
                reason = (
                    f"the prefix `{prefix}:` stands for {meanings} in the files that are loaded;"
                    f" declare which is meant: @prefix {prefix}: <…> ."
                )
                raise RuleSyntaxError(reason, text, error.line, error.column) from None
        raise


def _stated(facts: list[Fact], graph: bytes | None, dictionary: Dictionary) -> Loaded:
    """Facts that stand among rules, in a graph."""
    terms = [term.encode() for fact in facts for term in fact]
    ids = np.array(list(map(dictionary.encode, terms)), np.uint32).reshape(-1, 3)
    place = 0 if graph is None else dictionary.encode(graph)
    columns = np.stack((*ids.T, np.full(len(ids), place, np.uint32)))
    return Loaded((), [columns], {}, Problems(), ())


def _gathered(
    found: SourceContents, loaded: list[Loaded], resolved: set[str], dictionary: Dictionary
) -> SourceContents:
    """All that was loaded as one; takes the columns of what was loaded away."""
    found.files += tuple(name for one in loaded for name in one.sources)
    for one in loaded:
        found.prefixes.update(one.prefixes)
    missing = dict.fromkeys(iri for one in loaded for iri in one.imports if iri not in resolved)
    found.imports = tuple(missing)
    found.skipped = sum(one.skipped.count for one in loaded)
    found.problems = tuple(str(problem) for one in loaded for problem in one.skipped.first)
    if loaded:
        found.triples = sum(len(one) + one.repeated for one in loaded)
        blocks: list[StatementColumns] = [block for one in loaded for block in one.blocks]
        loaded.clear()
        found.statements = of_blocks(blocks, dictionary)
        found.repeated = found.triples - sum(map(size, found.statements.values()))
    return found


def statements_of(
    reader: Reader, dictionary: Dictionary, what: str
) -> Iterator[tuple[bytes, bytes, bytes, bytes | None]]:
    """The statements of a dump of "all" | "explicit" | "derived" facts, with their graphs."""
    views: list[tuple[View, bytes | None]] = []
    if what in ("all", "explicit"):
        views.append((reader.stated_in_default, None))
        views += [(reader.graph(g), dictionary.decode(g)) for g in reader.graphs()]
    if what in ("all", "derived"):
        views.append((reader.derived, None))
    decode = dictionary.decode
    for view, graph in views:
        for s, p, o in _of_rdf(view.match(), reader, dictionary):
            yield decode(s), decode(p), decode(o), graph


def _of_rdf(found: Iterable[Triple], reader: Reader, dictionary: Dictionary) -> Iterable[Triple]:
    """The facts that are RDF: those with a literal as subject are none."""
    if not reader.visibility.axiomatic:
        return found
    return (fact for fact in found if dictionary.kind(fact[0]) != LITERAL)


def require_bulk_folder(folder: Path) -> None:
    """Raises DataSyntaxError for a folder that no bulk load has made."""
    if not (folder / MANIFEST).exists():
        raise no_bulk_folder(str(folder))


def no_bulk_folder(folder: str) -> DataSyntaxError:
    """The error about a folder that no bulk load has made."""
    advice = (
        f'no bulk load made this folder; to read the files in it, say "{folder}/*"; what'
        " rdfinc.open has made is opened by it"
    )
    return DataSyntaxError(folder, None, "", advice)
