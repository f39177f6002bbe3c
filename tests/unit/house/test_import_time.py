"""`import rdfinc` is quick: what not everyone needs is imported when it is needed."""

from __future__ import annotations

import subprocess
import sys

LATE = (
    "rdfinc.knowledge_base", "rdfinc.terms", "rdflib", "lark", "click", "fastapi", "uvicorn",
    "rich", "pyspark", "pyarrow", "pyparsing", "rdfinc.plugins", "rdfinc.cli",
)  # fmt: skip

PROGRAM = """
import sys, time
start = time.perf_counter()
import numpy
middle = time.perf_counter()
import rdfinc
end = time.perf_counter()
print(f"{middle - start:.3f} {end - middle:.3f}")
print(*sys.modules)
"""


def test_import_is_lean() -> None:
    command = [sys.executable, "-c", PROGRAM]
    times, modules = subprocess.check_output(command, text=True).splitlines()
    numpy, rest = times.split()
    print(f"numpy {numpy} s, the rest of rdfinc {rest} s")
    assert sorted(set(modules.split()) & set(LATE)) == []


def test_names_are_there_though_they_are_imported_late() -> None:
    program = (
        "import rdfinc\n"
        "assert {*rdfinc.__all__} <= {*dir(rdfinc)}\n"
        "from rdfinc import *\n"
        "assert KnowledgeBase() is not None and Delta.__module__.startswith('rdfinc.')\n"
        "assert not hasattr(rdfinc, 'Knowledge')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_without_pyspark_the_error_says_how_to_install_it() -> None:
    program = (
        "import sys, rdfinc\n"
        "sys.modules['pyspark'] = None\n"
        "try: rdfinc.KnowledgeBase().load(sys.argv[1], engine='spark')\n"
        "except rdfinc.UnsupportedError as error: print(error)\n"
    )
    command = [sys.executable, "-c", program, __file__]
    printed = subprocess.check_output(command, text=True)
    assert "'spark' without pyspark.sql; run `pip install rdfinc[spark]`" in printed


def test_without_fastapi_the_error_says_how_to_install_it() -> None:
    program = (
        "import sys\n"
        "sys.modules['fastapi'] = None\n"
        "sys.argv[1:] = ['serve']\n"
        "from rdfinc.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "'serve' without fastapi; run `pip install rdfinc[server]`" in done.stderr


def test_a_knowledge_base_without_terms_needs_no_rdflib() -> None:
    program = (
        "import sys, rdfinc\n"
        "kb = rdfinc.KnowledgeBase()\n"
        "kb.update(insert=[('<a:a>', '<a:p>', '<a:b>')])\n"
        "assert len(kb) == 1 and 'rdflib' not in sys.modules\n"
        "assert list(kb) and 'rdflib' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
