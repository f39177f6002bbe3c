"""Files on a server of S3, by URIs."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from spark.test_bulk_load import canonical, files

from rdfinc import KnowledgeBase, StorageError
from rdfinc.plugins.spark import bulk_load, register
from rdfinc.plugins.spark.storage.input_files import files_named, files_within
from rdfinc.plugins.spark.storage.remote_paths import RemotePath

__all__ = ["files"]

NAMES = "a.nt", "a.ttl", "b/a.nt", "b/c/a.nt", "b/c/.a.nt", ".b/a.nt", "b/_a.nt", "x y[1]%.nt"
PATTERNS = "*.nt", "**/*.nt", "b/**/a.nt", "b/**", "*/*", "[ab].*", ".b/*", "b/c/a.nt", "b/[!_].nt"


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_find_what_they_find_here(
    pattern: str, bucket: RemotePath, tmp_path: Path
) -> None:
    for name in NAMES:
        (bucket / name).write(b"")
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = files_named([(bucket / pattern).uri])
    expected = files_named([tmp_path / pattern])
    here = [Path(file.name).relative_to(tmp_path) for file in expected]
    assert [file.uri for file in found] == [str(bucket / name.as_posix()) for name in here]


def test_a_folder_is_all_that_is_in_it(bucket: RemotePath) -> None:
    for name in NAMES:
        (bucket / "data" / name).write(b"12")
    found = files_within([(bucket / "data").uri])
    assert {file.uri for file in found} == {
        str(bucket / "data" / name) for name in ("a.nt", "a.ttl", "b/a.nt", "b/c/a.nt", NAMES[-1])
    }
    assert {file.size for file in found} == {2}


def test_what_cannot_be_used_is_told(bucket: RemotePath, s3: str) -> None:
    with pytest.raises(StorageError, match="ftp://a/b: 'ftp' is no file system that is known"):
        files_named(["ftp://a/b"])
    with pytest.raises(FileNotFoundError, match=f"there is no file '{bucket}/a.nt'"):
        files_named([(bucket / "a.nt").uri])
    with pytest.raises(FileNotFoundError, match=r"no file matches .*/\*\.nt"):
        files_named([(bucket / "*.nt").uri])
    with pytest.raises(StorageError, match="s3://nowhere: there is no such bucket") as found:
        files_named([f"s3://nowhere/*?endpoint_override={s3}&scheme=http"])
    assert found.value.uri == "s3://nowhere"


def test_inputs_elsewhere_are_those_here(
    spark: SparkSession, files: list[Path], bucket: RemotePath, tmp_path: Path
) -> None:
    register(spark)
    chosen = [file for file in files if file.stem not in ("b", "chain2", "crlf")]
    for file in chosen:
        (bucket / file.name).write(file.read_bytes())
    here, there, base = KnowledgeBase(), KnowledgeBase(), "http://e/"
    manifest = bulk_load(spark, [(bucket / "*").uri], tmp_path / "bulk", base=base, split_bytes=500)
    assert manifest.files == tuple(str(bucket / file.name) for file in chosen)
    there.load(tmp_path / "bulk")
    here.load(*chosen, base=base)
    assert canonical(there, "explicit") == canonical(here, "explicit")
    rows = spark.read.format("rdf").load((bucket / "chain.nt").uri)
    assert rows.count() == 9
