"""For mkdocstrings: the package as it is once installed, where `plugins` is `rdfinc.plugins`."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mkdocs.plugins import event_priority

ROOT = Path(__file__).resolve().parents[1]
TREE = TemporaryDirectory()


@event_priority(100)  # before mkdocstrings reads the paths
def on_config(config: Any) -> Any:
    """Has the docstrings read from copies of the packages of the repository."""
    package = Path(TREE.name) / "rdfinc"
    if not package.exists():
        shutil.copytree(ROOT / "rdfinc", package)
        shutil.copytree(ROOT / "plugins", package / "plugins")
    config.plugins["mkdocstrings"].config["handlers"]["python"]["paths"] = [TREE.name]
    return config
