"""`spark.read.format("rdf")` and `df.write.format("rdf")`: what files state, in as many tasks as
they have pieces."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from unit.terms.random_turtle import RandomTurtle

from rdfinc.plugins.spark import register
from rdfinc.plugins.spark.options import Options
from rdfinc.plugins.spark.source import Part, StatementReader
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.reading import Loaded, read

NQUADS = ox.RdfFormat.N_QUADS
XML = """<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="a:">
<r:Description r:nodeID="x"><p r:parseType="Resource"><q>é &lt; .</q></p></r:Description></r:RDF>"""
GOOD = "".join(f"<a:{i}> <a:p> _:x .\n" for i in range(40))
STRUCT = "struct<kind:string,value:string,datatype:string,language:string>"


@pytest.fixture(scope="module")
def rdf(spark: SparkSession) -> SparkSession:
    register(spark)
    return spark


def load(rdf: SparkSession, *paths: Path, **options: str) -> DataFrame:
    return rdf.read.format("rdf").options(**options).load([str(path) for path in paths])


def lines(data: DataFrame) -> list[str]:
    return [" ".join((*filter(None, row), ".\n")) for row in data.collect()]


def local(paths: Iterable[Path]) -> list[str]:
    """The lines that the local loader makes of the same files."""
    dictionary = Dictionary()
    return [line for path in paths for line in told(read(str(path), dictionary), dictionary)]


def told(loaded: Loaded, dictionary: Dictionary) -> Iterator[str]:
    for row in zip(*loaded.columns(), strict=True):
        yield " ".join((*(dictionary.decode(int(id)).decode() for id in row if id), ".\n"))


def same(some: list[str], others: list[str]) -> bool:
    """Whether they state the same, up to the names of blank nodes."""

    def canonical(lines: list[str]) -> set[str]:
        dataset = ox.Dataset(ox.parse("".join(lines), format=NQUADS))
        dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
        return set(map(str, dataset))

    return len(some) == len(others) and canonical(some) == canonical(others)


def test_every_syntax_states_what_the_local_loader_reads(rdf: SparkSession, tmp_path: Path) -> None:
    texts = {f"{seed}.{'trig' if seed % 2 else 'ttl'}": nasty(seed) for seed in range(4)}
    texts |= {
        "a.nt": GOOD,
        "b.nt": GOOD.replace("\n", "\r\n"),
        "c.nq": GOOD.replace(" .", " <g:g> ."),
    }
    texts |= {
        "d.rdf": XML,
        "e.ttl": "",
        "f.n3": GOOD,
        "g.ttl": "_:x <a:p> _:aaaaaaaaaaaaaaaaaaaa .",
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "_SUCCESS").touch()
    files = sorted(tmp_path.glob("[!_]*"))
    data = load(rdf, tmp_path, splitBytes="1500")
    found = lines(data)
    assert same(found, local(files))
    assert lines(data) == found, "names of blank nodes depend on chance"


def nasty(seed: int) -> str:
    return RandomTurtle(seed, trig=seed % 2 == 1).document(40)


def test_one_long_turtle_file_is_read_by_many_tasks(rdf: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "long.ttl"
    with path.open("w") as file:
        for part in range(100):
            file.write(f"@prefix p: <http://e/{part % 7}/> .\n")
            file.writelines(f'p:s{i} p:p """a .\n{i} . """, [ p:q _:b ] .\n' for i in range(60))
    options = Options.read({"path": str(path), "splitBytes": "50000"})
    parts = StatementReader(options).partitions()
    sizes = [_bytes(part, path.stat().st_size) for part in parts]
    assert sum(sizes) == path.stat().st_size
    assert all(50_000 <= size < 51_000 for size in sizes[:-1]) and sizes[-1] < 51_000
    data = load(rdf, path, splitBytes="50000")
    tasks = data.selectExpr("spark_partition_id() AS task").groupBy("task").count().collect()
    assert len(tasks) == len(parts) > 4
    assert sum(row["count"] for row in tasks) == 100 * 60 * 3
    assert data.where("p LIKE '%q>'").select("o").distinct().count() == 1, "_:b is one node"
    assert data.where("p LIKE '%q>'").select("s").distinct().count() == 6000, "[] is always new"


def _bytes(part: Part, length: int) -> int:
    return (length if part.piece.end is None else part.piece.end) - part.piece.start


def test_terms_as_structs_and_the_options_of_load(rdf: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text('<s> <p> _:b , "x\\n"@EN , "a" , 1 .')
    data = load(rdf, path, terms="struct", syntax="ttl", base="http://b/", graph="<g:g>")
    assert data.dtypes == [(name, STRUCT) for name in "spog"]
    rows = data.collect()
    assert {tuple(row.s) for row in rows} == {("iri", "http://b/s", None, None)}
    assert {tuple(row.g) for row in rows} == {("iri", "g:g", None, None)}
    blank, *literals = (tuple(row.o) for row in rows)
    assert blank[0] == "blank" and blank[1].endswith("_b")
    xsd, rdf_ = "http://www.w3.org/2001/XMLSchema#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    assert literals == [
        ("literal", "x\n", f"{rdf_}langString", "en"),
        ("literal", "a", f"{xsd}string", None),
        ("literal", "1", f"{xsd}integer", None),
    ]
    data.write.format("rdf").mode("append").save(str(tmp_path / "again.nq"))
    assert same(local([tmp_path / "again.nq"]), local_in_graph(path))


def local_in_graph(path: Path) -> list[str]:
    dictionary = Dictionary()
    loaded = read(str(path), dictionary, format="ttl", base="http://b/", graph=b"<g:g>")
    return list(told(loaded, dictionary))


def test_malformed_statements(rdf: SparkSession, tmp_path: Path) -> None:
    for name in ("bad.ttl", "bad.nt"):
        (tmp_path / name).write_text(GOOD + "<a:a> <a:p> oh .\n" + GOOD + '<a:a> <a:p> "x .\n')
    with pytest.raises(PySparkException, match=r"bad\.ttl, line 41: (.*\n)+ *<a:a> <a:p> oh \."):
        load(rdf, tmp_path / "bad.ttl", splitBytes="100").count()
    assert load(rdf, tmp_path, strict="false", splitBytes="100").count() == 4 * 40
    rejects = load(rdf, tmp_path, rejects="true", splitBytes="100")
    found = sorted((Path(row.file).name, row.line, row.text) for row in rejects.collect())
    lines = [(41, "<a:a> <a:p> oh ."), (82, '<a:a> <a:p> "x .')]
    assert found == [(name, *line) for name in ("bad.nt", "bad.ttl") for line in lines]
    (tmp_path / "cut.nt.gz").write_bytes(gzip.compress(GOOD.encode())[:-9])
    with pytest.raises(
        PySparkException, match=r"cut\.nt\.gz: the compressed data .* end too early"
    ):
        load(rdf, tmp_path / "cut.nt.gz").count()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"path": "x", "strikt": "false"}, "there is no option 'strikt'; there are base, graph"),
        ({"path": "x", "strict": "no"}, "strict='no' is not available; there are true, false"),
        ({"path": "x", "splitBytes": "0"}, "splitBytes is a number of bytes, not '0'"),
        ({"terms": "struct"}, r"no files are named; say load\("),
        ({"path": "x", "graph": "g"}, "'g' is no N-Triples term"),
    ],
)
def test_options_that_there_are_not(given: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Options.read(given)


@pytest.mark.parametrize("name", ["data.nq.gz", "data.ttl"])
def test_written_statements_are_read_again(name: str, rdf: SparkSession, tmp_path: Path) -> None:
    source, target = tmp_path / "source.ttl", tmp_path / name
    source.write_text(nasty(2) + GOOD)
    data = load(rdf, source)
    data.repartition(3, "s").write.format("rdf").mode("append").save(str(target))
    assert same(sorted(set(local([target]))), sorted(set(local([source]))))
    with pytest.raises(PySparkException, match="exists; a file is replaced by mode"):
        data.write.format("rdf").mode("append").save(str(target))
    data.limit(3).select("s", "p", "o").write.format("rdf").mode("overwrite").save(str(target))
    assert len(local([target])) == 3
    assert {path.name for path in tmp_path.iterdir()} == {"source.ttl", name}


def test_statements_that_cannot_be_written_are_refused(rdf: SparkSession, tmp_path: Path) -> None:
    def save(name: str, row: str, columns: str = "s STRING, p STRING, o STRING") -> None:
        data = rdf.sql(f"SELECT {row}")
        data.write.format("rdf").mode("append").save(str(tmp_path / name))

    good = "'<a:a>' s, '<a:p>' p"
    for name, row, says in (
        ("a.rdf", f"{good}, '<a:o>' o", "RDF/XML cannot be written in parts; there are nt, nq"),
        ("a", f"{good}, '<a:o>' o", "no extension tells the RDF format"),
        ("a.nt", good, "columns are s, p, o and perhaps g, not s, p"),
        ("a.nt", f"{good}, 'oh' o", "'oh' is no N-Triples term"),
        ("a.nt", f"{good}, string(null) o", "a statement has no o"),
    ):
        with pytest.raises(PySparkException, match=says):
            save(name, row)
    assert list(tmp_path.iterdir()) == []
