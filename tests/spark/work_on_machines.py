"""A driver of its own: loads, closes and changes what a folder holds, on the machines of a cluster.

    python work_on_machines.py spark://host:port FOLDER PROFILE

It says what it begins with. Tasks do everything, each perhaps twice at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession

from quick_java import QUICK_JAVA
from rdfinc.plugins.spark import bulk_load, change, materialise
from rdfinc.plugins.spark.session import spark_session
from rdfinc.plugins.spark.spark_thresholds import SPARK
from thresholds import InForce

OPTIONS = {
    "spark.driver.memory": "1g",
    "spark.executor.memory": "1g",
    "spark.sql.shuffle.partitions": "2",
    "spark.shuffle.readHostLocalDisk": "false",  # the machines have one name, and no common disk
    "spark.deploy.maxExecutorRetries": "-1",
    "spark.driver.extraJavaOptions": QUICK_JAVA,
    "spark.executor.extraJavaOptions": QUICK_JAVA,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.speculation": "true",
    "spark.speculation.quantile": "0.1",
    "spark.speculation.multiplier": "1.01",
    "spark.speculation.minTaskRuntime": "10ms",
}


def steps(spark: SparkSession, folder: Path, profile: str) -> dict[str, Callable[[], object]]:
    loaded, closed, gone, new = (folder / name for name in ("loaded", "closed", "gone", "new"))
    files = sorted(folder.glob("data*"))
    return {
        "loading": lambda: bulk_load(spark, files, loaded),
        "closing": lambda: materialise(spark, loaded, closed, profile=profile),
        "loading what goes": lambda: bulk_load(spark, [folder / "gone.nt"], gone),
        "loading what comes": lambda: bulk_load(spark, [folder / "new.nt"], new),
        "changing": lambda: change(spark, closed, folder / "changed", insert=new, delete=gone),
    }


def main(master: str, folder: str, profile: str) -> None:
    in_force = InForce(SPARK)
    for name in ("read_here", "closed_here", "facts_around", "asked_here"):
        in_force[name] = 0
    in_force["few_rows"] = 1
    with spark_session(master, **OPTIONS) as spark:
        for name, step in steps(spark, Path(folder), profile).items():
            print(name, flush=True)
            step()


if __name__ == "__main__":
    main(*sys.argv[1:])
