"""The style and the script of all pages; they come from the server itself, as all does."""

from __future__ import annotations

from importlib.resources import files

_HERE = files("rdfinc.plugins.server.pages")

STYLE = _HERE.joinpath("style.css").read_text(encoding="utf-8")
SCRIPT = _HERE.joinpath("script.js").read_text(encoding="utf-8")
