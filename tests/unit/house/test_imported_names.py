"""What the code imports of itself is there, also what only a late import asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = {"rdfinc": "rdfinc", "rdfinc.plugins": "plugins", "rdfinc.ontologies": "ontologies"}
ENTRY_POINT = re.compile(r'^[\w-]+ = "(rdfinc[\w.]*):(\w+)"$', re.MULTILINE)


@cache
def modules() -> Mapping[str, Path]:
    """The file of each module of rdfinc, by the name that the module is imported by."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in (ROOT / folder).rglob("*.py"):
            parts = (package, *path.relative_to(ROOT / folder).with_suffix("").parts)
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def names(module: str) -> frozenset[str]:
    """What a module binds when it runs, what it lists in `__all__`, and the modules below it."""
    body = tree(modules()[module]).body
    below = (m.removeprefix(f"{module}.") for m in modules() if m.startswith(f"{module}."))
    return frozenset((*bound(body), *listed(body), *below))


def bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                yield from bound(node.orelse)
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                yield name
            case ast.Import(aliases) | ast.ImportFrom(names=aliases):
                yield from (alias.asname or alias.name for alias in aliases)
            case ast.Name(name, ast.Store()):
                yield name
            case ast.Lambda() | ast.comprehension():
                pass
            case _:
                yield from bound(ast.iter_child_nodes(node))


def listed(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.Assign([ast.Name("__all__")], value):
                yield from ast.literal_eval(value)


def not_there(file: ast.AST) -> Iterator[str]:
    """The modules of rdfinc, and names in them, that a file imports in vain."""
    for node in ast.walk(file):
        match node:
            case ast.Import(aliases):
                asked = [alias.name for alias in aliases if is_ours(alias.name)]
                yield from (name for name in asked if name not in modules())
            case ast.ImportFrom(str(module), aliases) if is_ours(module):
                there = names(module) if module in modules() else frozenset[str]()
                yield from (f"{module}.{a.name}" for a in aliases if a.name not in there)


def is_ours(module: str) -> bool:
    return module.partition(".")[0] == "rdfinc"


FILES = [*modules().values(), *(ROOT / "examples").rglob("*.py")]


def test_each_name_imported_is_there() -> None:
    """No import is relative (`test_layers`)."""
    vain = {
        str(path.relative_to(ROOT)): found for path in FILES if (found := [*not_there(tree(path))])
    }
    assert vain == {}


def test_each_entry_point_is_there() -> None:
    found = ENTRY_POINT.findall((ROOT / "pyproject.toml").read_text("utf-8"))
    assert len(found) > 20
    assert [f"{module}:{name}" for module, name in found if name not in names(module)] == []


@pytest.mark.parametrize(
    "text",
    [
        "from rdfinc.tables.kernels import no_such_function",
        "from rdfinc.no_such_module import kernels",
        "from rdfinc.tables import no_such_module",
        "import rdfinc.tables.no_such_module",
        "def late():\n    from rdfinc.errors import NoSuchError",
        # known to type checkers only
        "from rdfinc.plugins.sparql.store_requests import StatementStore",
    ],
)
def test_an_import_in_vain_is_found(text: str) -> None:
    assert len([*not_there(ast.parse(text))]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "from rdfinc import Delta, RdfincError, open, terms",
        "from rdfinc.plugins.sparql import store_requests",
        "from rdfinc.tables.kernels import KeyArray",
        "import rdfinc.plugins.sparql.store_requests",
    ],
)
def test_an_import_of_what_is_there_is_not(text: str) -> None:
    assert [*not_there(ast.parse(text))] == []
