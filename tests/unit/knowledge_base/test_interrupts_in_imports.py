"""An interrupt while a package is imported at its first use: the call made again succeeds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rdfinc.terms.whole_imports import WHOLE

SCRIPT = Path(__file__).with_name("interrupted_imports.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_call_whose_imports_were_broken_off_succeeds_when_made_again() -> None:
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True)
    *wrong, count = done.stdout.splitlines()
    assert not wrong
    assert int(count) > 10


def test_modules_without_their_package_go(monkeypatch: pytest.MonkeyPatch) -> None:
    import lark

    halves = [name for name in sys.modules if name.startswith("lark.")]
    for name in halves:
        monkeypatch.setitem(sys.modules, name, sys.modules[name])
    others = [name for name in sys.modules if name.partition(".")[0] != "lark"]
    monkeypatch.delitem(sys.modules, lark.__name__)
    with WHOLE:
        pass
    assert {*halves, *others} <= set(sys.modules)
    with pytest.raises(KeyboardInterrupt), WHOLE:
        raise KeyboardInterrupt
    assert set(halves).isdisjoint(sys.modules) and set(others) <= set(sys.modules)


def test_an_error_leaves_packages_that_are_there() -> None:
    before = dict(sys.modules)
    with pytest.raises(ZeroDivisionError), WHOLE:
        raise ZeroDivisionError
    assert sys.modules == before
