"""A standalone cluster of Spark whose two machines have nothing in common but one folder.

The machines are processes of this one in mount namespaces of their own: what lies beside the shared
folder is hidden by an empty file system, and what a task writes there nobody else sees.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark

from quick_java import QUICK_JAVA
from rdfinc.plugins.spark.java import java_for_spark

_HIDING = (
    'mount -t tmpfs none "$1"; mkdir "$1/work" "$1/local"; export SPARK_LOCAL_DIRS="$1/local"'
    ' TMPDIR="$1/local"; hidden=$1; shift; exec "$@" --work-dir "$hidden/work"'
)
"""What a machine begins with: the folder that it hides comes first."""

_SECONDS = 60
"""In which a master answers."""


def are_possible() -> bool:
    """Whether this process may make mount namespaces."""
    if shutil.which("unshare") is None:
        return False
    tried = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs none /mnt"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


@contextmanager
def machines(hidden: Path) -> Iterator[str]:
    """The address of a cluster of two machines, of one core each, that do not see what there is in
    a folder."""
    with java_for_spark(), ExitStack() as stack:
        port = _free_port()
        master = f"spark://127.0.0.1:{port}"
        ports = "--port", str(port), "--webui-port", "0"
        stack.enter_context(_running("master.Master", "--host", "127.0.0.1", *ports))
        _wait_for(port)
        worker = "worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "-c", "1", "-m", "1g"
        for _ in range(2):
            stack.enter_context(_running(*worker, master, hidden=hidden))
        yield master


def kill_a_task(master: str) -> bool:
    """Kills a process that runs tasks for a master, like a machine that fails; whether there is
    one."""
    _, _, port = master.rpartition(":")
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = place.read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command and f"spark-{port}".encode() in command:
            os.kill(int(place.parent.name), signal.SIGKILL)
            return True
    return False


@contextmanager
def _running(name: str, *options: str, hidden: Path | None = None) -> Iterator[None]:
    """A process of the cluster, and those that it starts."""
    home = Path(pyspark.__file__).parent
    command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *options]
    if hidden is not None:
        command = ["unshare", "--mount", "sh", "-ec", _HIDING, "sh", str(hidden), *command]
    settings = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    process = subprocess.Popen(
        command,
        env={
            **os.environ,
            **settings,
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_JAVA,
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


def _wait_for(port: int) -> None:
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError("no master of Spark answers")
