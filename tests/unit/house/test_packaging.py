"""What is installed is what is in the repository."""

import re
from pathlib import Path

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
