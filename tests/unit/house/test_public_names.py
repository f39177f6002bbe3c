"""What users import is what the design promises and what is documented."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from pathlib import Path

import rdfinc
from rdfinc import errors


def test_every_public_name_exists_and_is_documented() -> None:
    for name in rdfinc.__all__:
        assert inspect.getdoc(getattr(rdfinc, name)), name


def test_all_names_are_sorted() -> None:
    assert rdfinc.__all__ == sorted(rdfinc.__all__)


def test_every_error_is_public_and_drawn_in_the_tree() -> None:
    tree = errors.__doc__ or ""
    leaves = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, rdfinc.RdfincError)
    }
    assert {name for name in leaves if name not in tree} == set()
    assert leaves - set(rdfinc.__all__) == set()


def test_public_methods_of_a_knowledge_base_are_documented() -> None:
    for name, member in inspect.getmembers(rdfinc.KnowledgeBase):
        if not name.startswith("_"):
            assert inspect.getdoc(member), name


def test_a_class_name_stands_once_in_engine_and_adapters() -> None:
    root = Path(__file__).parents[3]
    files = (path for part in ("rdfinc", "plugins") for path in (root / part).rglob("*.py"))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in files)
    classes = (node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    times = Counter(node.name for node in classes)
    assert [name for name, number in times.items() if number > 1] == []


def test_a_module_name_stands_once_in_engine_and_adapters() -> None:
    root = Path(__file__).parents[3]
    modules = (path for part in ("rdfinc", "plugins") for path in (root / part).rglob("*.py"))
    times = Counter(path.stem for path in modules if not path.stem.startswith("__"))
    assert [name for name, number in times.items() if number > 1] == []
