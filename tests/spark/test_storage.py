"""Files on a server of S3, by URIs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from spark.test_bulk_load import canonical, files

from rdfinc import DataSyntaxError, KnowledgeBase, StorageError
from rdfinc.plugins.spark import ChangeSink, bulk_load, materialise, register
from rdfinc.plugins.spark.storage.folder_places import by_number, take
from rdfinc.plugins.spark.storage.input_files import files_named, files_within
from rdfinc.plugins.spark.storage.local_folder import LocalFolder
from rdfinc.plugins.spark.storage.remote_folder import RemoteFolder
from rdfinc.plugins.spark.storage.remote_paths import RemotePath
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.reading import read

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


def test_without_rights_the_error_says_what_to_look_for(bucket: RemotePath, s3: str) -> None:
    (bucket / "a.nt").write(b"<a:a> <a:b> <a:c> .")
    (file,) = files_named([(bucket / "a.nt").uri])
    with closed_to_strangers(s3):
        for refused in (
            lambda: files_named([(bucket / "*.nt").uri]),
            lambda: read(file.source, Dictionary()),
            lambda: RemoteFolder.at(bucket / "folder"),
        ):
            with pytest.raises(StorageError, match=rf"{bucket}.*access is denied; .*AWS_ACCESS"):
                refused()
    (bucket / "a.nt").delete()
    with pytest.raises(FileNotFoundError, match=r"a\.nt"):
        read(file.source, Dictionary())


@contextmanager
def closed_to_strangers(s3: str) -> Iterator[None]:
    """The server knows nobody in the block."""

    def known(requests: str) -> None:
        told = requests.encode(), {"Content-Type": "text/plain"}
        urlopen(Request(f"http://{s3}/moto-api/reset-auth", *told)).close()

    known("0")
    try:
        yield
    finally:
        known("inf")


TABLE = pa.table({"id": [1, 2], "term": ["<a:a>", "<a:b>"]})


def test_a_folder_is_what_its_listing_names(bucket: RemotePath) -> None:
    place = bucket / "folder"
    with RemoteFolder.at(place).making() as made:
        made.put("terms/p=10/a.parquet", TABLE)
        made.put("terms/p=9/a.parquet", TABLE)
        made.put("terms/p=9/b.parquet", TABLE)
        made.remove("terms/p=9/b.parquet")
        assert not made.exists()
    (place / "terms/p=9/left.parquet").write(b"by a task that failed")
    found = RemoteFolder.at(place)
    assert found.exists() and found.has("terms") and not found.has("facts")
    assert by_number(found, "terms") == [(9, "terms/p=9/a.parquet"), (10, "terms/p=10/a.parquet")]
    assert found.rows("terms") == found.dataset("terms", TABLE.schema).count_rows() == 4
    found.clear()
    assert not found.exists() and not [*bucket.files()]


def test_nothing_is_left_of_a_folder_that_fails(bucket: RemotePath) -> None:
    with pytest.raises(ZeroDivisionError), RemoteFolder.at(bucket / "folder").making() as made:
        made.put("terms/a.parquet", TABLE)
        raise ZeroDivisionError
    assert not [*bucket.files()]


def test_folders_take_from_each_other(bucket: RemotePath, tmp_path: Path) -> None:
    here, there, other = (
        LocalFolder(tmp_path / "here"),
        RemoteFolder(bucket / "there"),
        RemoteFolder(bucket / "other"),
    )
    here.put("terms/p=1/a.parquet", TABLE)
    take(there, here, "terms")
    take(other, there, "terms")
    back = LocalFolder(tmp_path / "back")
    take(back, other, "terms")
    assert back.parquet("terms/p=1/a.parquet").read() == TABLE
    assert (
        other.sizes
        == there.sizes
        == {"terms/p=1/a.parquet": (tmp_path / "here/terms/p=1/a.parquet").stat().st_size}
    )


def test_folders_that_cannot_be_used(
    spark: SparkSession, bucket: RemotePath, s3: str, tmp_path: Path
) -> None:
    (tmp_path / "a.nt").write_text("<a:a> <a:b> <a:c> .")
    nowhere = f"s3://nowhere/folder?endpoint_override={s3}&scheme=http"
    for folder, why in (("ftp://a/b", "no file system"), (nowhere, "no such bucket")):
        with pytest.raises(StorageError, match=why):
            bulk_load(spark, [tmp_path / "a.nt"], folder)
    with pytest.raises(StorageError, match="are kept by paths only"):
        ChangeSink(KnowledgeBase(), (bucket / "changes").uri)
    (bucket / "data/a.nt").write(b"")
    with pytest.raises(FileExistsError, match=f"{bucket}/data exists"):
        bulk_load(spark, [tmp_path / "a.nt"], (bucket / "data").uri)
    assert (bucket / "data/a.nt").size() == 0
    (bucket / "data/a.nt").delete()
    with pytest.raises(DataSyntaxError, match=f"{bucket}/folder.*no bulk load made this folder"):
        materialise(spark, (bucket / "folder").uri, (bucket / "closed").uri)
    assert not [*bucket.files()]


def test_inputs_elsewhere_are_those_here(
    spark: SparkSession, files: list[Path], bucket: RemotePath, tmp_path: Path
) -> None:
    register(spark)
    chosen = [file for file in files if file.name in ("a.ttl", "c.trig.gz", "chain.nt")]
    for file in chosen:
        (bucket / file.name).write(file.read_bytes())
    here, there, base = KnowledgeBase(), KnowledgeBase(), "http://e/"
    folder, pattern = tmp_path / "bulk", (bucket / "*").uri
    manifest = bulk_load(spark, [pattern], folder, base=base, split_bytes=4000)
    assert manifest.files == tuple(str(bucket / file.name) for file in chosen)
    there.load(folder)
    here.load(*chosen, base=base)
    assert canonical(there, "explicit") == canonical(here, "explicit")
    rows = spark.read.format("rdf").load((bucket / "chain.nt").uri)
    assert rows.count() == 9
