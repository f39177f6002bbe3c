"""What is installed is what is in the repository."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rdfinc

ROOT = Path(__file__).parents[3]


def test_every_package_is_installed() -> None:
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    listed = re.search(r"^packages = \[\n(.*?)^\]", settings, re.DOTALL | re.MULTILINE)
    assert listed is not None
    places = {"rdfinc": "rdfinc", "plugins": "rdfinc.plugins", "ontologies": "rdfinc.ontologies"}
    there = {
        ".".join((name, *file.parent.relative_to(ROOT / folder).parts))
        for folder, name in places.items()
        for file in (ROOT / folder).rglob("__init__.py")
    }
    assert set(re.findall(r'"([\w.]+)"', listed[1])) == there


FROM_THE_TREE = """
import sys
sys.meta_path = [finder for finder in sys.meta_path if "__editable__" not in str(finder)]
import rdfinc
assert rdfinc.__file__.startswith(sys.argv[1]), rdfinc.__file__
from importlib.resources import files
from rdflib import Graph, URIRef
graph = Graph(store="rdfinc")
graph.add((URIRef("a:a"), URIRef("a:p"), URIRef("a:b")))
assert len(graph.store.kb.query("SELECT * { ?s ?p ?o }")) == 1
assert list(files("rdfinc.ontologies").iterdir())
"""


def test_a_python_started_in_the_tree_finds_all_of_it() -> None:
    """Also where another copy is what is installed."""
    subprocess.run([sys.executable, "-c", FROM_THE_TREE, str(ROOT)], cwd=ROOT, check=True)


def test_the_package_is_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rdfinc", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{rdfinc.__version__}\n"


def test_what_an_earlier_build_left_is_not_installed(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    (tmp_path / "rdfinc").mkdir()
    (tmp_path / "rdfinc" / "__init__.py").touch()
    stale = tmp_path / "build" / "lib" / "rdfinc" / "stale.py"
    stale.parent.mkdir(parents=True)
    stale.touch()
    shutil.copy(ROOT / "setup.py", tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "rdfinc"\nversion = "1"\n')
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build"], cwd=tmp_path, check=True, capture_output=True
    )
    assert stale.with_name("__init__.py").exists()
    assert not stale.exists()
