"""What each command says to good and bad input, and with which status it ends."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

FILES = {
    "clash.ttl": "@prefix : <http://e/> . :A <http://www.w3.org/2002/07/owl#disjointWith> :B . "
    ":x a :A, :B .",
    "slip.ttl": "<http://e/A> <http://www.w3.org/2000/01/rdf-schema#subclassOf> <http://e/B> .",
    "broken.ttl": "<http://e/A> a\n",
    "broken.nt": "<http://e/A> <http://e/B> .\n",
    "broken.rdf": "<a>&</a>",
    "turtle.owl": "<http://e/A> a <http://e/B> .",
    "functional.owl": "Ontology(<http://e>)",
    "table.csv": "a,b\n",
    "good.dlog": "<http://e/p>[?x, ?y] :- <http://e/q>[?y, ?x] .",
    "facts.dlog": "<http://e/q>[<http://e/a>, <http://e/b>] .",
    "bad.dlog": "<http://e/p>[?x ?y] :- <http://e/q>[?y, ?x] .",
    "graphs.nq": "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n",
    "bad.rq": "# a note\nINSERT DATE { }",
    "short.rdfp": "A e:x e:y e:z .",
    "ask.rq": "ASK { <http://e/b> <http://e/p> <http://e/a> }",
    "change.rdfp": "TX .\nD <http://e/x> <http://e/y> <http://e/z> .\nA _:b <http://e/y> 'z' .",
    "q.txt": "ASK { :tom a :Animal }",
    "wild.ttl": '<http://e/a> <http://e/b> "\\u001B[31mred\\u202E\\nmore" .',
}
TURTLE = "@prefix : <http://e/> . :a :b :c ."

TABLE = [  # arguments, standard input, status, what is printed, what is complained of
    ("", "", 2, "Usage: rdfinc", ""),
    ("-h", "", 0, "Usage: rdfinc", ""),
    ("--version", "", 0, r"\d+\.\d+", ""),
    ("dance", "", 2, "", "rdfinc: No such command 'dance'\n"),
    ("stat zoo.ttl", "", 2, "", "No such command 'stat'; there is stats: Count the facts"),
    ("save zoo.ttl", "", 2, "", "No such command 'save'; there is convert: Write what files state"),
    ("rules ad zoo.ttl", "", 2, "", "No such command 'ad'; there is add: Put rules"),
    ("--loud stats zoo.ttl", "", 2, "", "No such option '--loud'"),
    ("load zoo.ttl", "", 2, "", "-o names the folder to make; .*`rdfinc materialise`"),
    ("stats", "", 2, "", r"Missing argument.*\n`rdfinc stats -h`"),
    ("stats -h", "", 0, "Count the facts", ""),
    ("stats zoo.ttl", "", 0, r"derived +2", "reading zoo.ttl"),
    ("stats -q zoo.ttl", "", 0, r"derived +2", "^$"),
    ("stats -q zoo.ttl --json", "", 0, '"derived": 2', "^$"),
    ("stats -q zoo.ttl --profile owl3", "", 2, "", "owl3"),
    ("stats -q nowhere.ttl", "", 2, "", "there is no file 'nowhere.ttl'"),
    ("stats -q nothing/*.ttl", "", 2, "", "no file matches 'nothing/"),
    ("stats -q table.csv", "", 2, "", "its extension tells no format; there are .nt"),
    ("stats -q broken.ttl", "", 2, "", "broken.ttl, line"),
    ("stats -q broken.nt", "", 2, "", "broken.nt, line 1"),
    ("stats -q broken.nt --skip-malformed", "", 0, "facts", "warning: 1 malformed"),
    ("stats -q broken.rdf", "", 2, "", "line 1: .*& is written &amp;"),
    ("stats -q turtle.owl", "", 0, r"explicit +1", "^$"),
    ("stats -q functional.owl", "", 2, "", "OWL functional syntax.*robot convert"),
    ("stats -q bad.dlog", "", 2, "", r"bad.dlog, line 1, column \d+"),
    ("stats -q slip.ttl", "", 0, "facts", "did you mean rdfs:subClassOf"),
    ("stats -q clash.ttl", "", 0, "facts", "warning: 1 contradiction,.*\n.*by cax-dw"),
    ("stats -q -", TURTLE, 0, r"explicit +1", "^$"),
    ("stats -q -", "hello", 2, "", "begins like no format; give --format"),
    ("stats -q - --format nt", "hello", 2, "", "<stdin>.nt, line 1"),
    ("stats -q - --format word", "hello", 2, "", "unknown RDF format 'word'"),
    ("stats -q -", "Ontology(<http://e>)", 2, "", "OWL functional syntax"),
    ("query", "", 2, "", "Missing argument"),
    ("query|ASK {}", "", 2, "", "after QUERY come the files"),
    ("query|zoo.ttl|ASK {}", "", 2, "", "the QUERY comes first, and then the files, such as zoo.t"),
    ("query|-|ASK {}", TURTLE, 2, "", "the QUERY comes first, and then the files, such as -"),
    ("update|zoo.ttl|INSERT DATA {}", "", 2, "", "the REQUEST comes first, and then the files"),
    ("query|-q|ASK { :tom a :Animal }|zoo.ttl", "", 0, "^true$", "^$"),
    ("query|-q|ASK { :tom a :Plant }|zoo.ttl", "", 0, "^false$", "^$"),
    ("query -q --query-file q.txt zoo.ttl", "", 0, "^true$", "^$"),
    ("query -q --query-file - zoo.ttl", "ASK {}", 0, "^true$", "^$"),
    ("query -q --query-file none.rq zoo.ttl", "", 2, "", "there is no file 'none.rq'"),
    ("query|-q|ASK { :a :b :c }|-", TURTLE, 0, "^true$", "^$"),
    ("query|-q|SELECT|zoo.ttl", "", 2, "", "query, line 1, column 7: no SPARQL"),
    ("query|-q|SELECT * { ?x a no:Cat }|zoo.ttl", "", 2, "", "unknown prefix no:.*PREFIX no: <"),
    ("query|-q|INSERT DATA {}|zoo.ttl", "", 2, "", "no query but an update.*rdfinc update"),
    ("query|-q|SELECT * { ?x a :Cat }|zoo.ttl|-o|cats.csv", "", 0, "^$", "^$"),
    ("query|-q|SELECT * { ?x a :Cat }|zoo.ttl|-o|cats.ttl", "", 2, "", "rows are written as"),
    ("query|-q|DESCRIBE :tom|zoo.ttl|-o|cats.csv", "", 2, "", "a graph is written as one of .ttl"),
    ("query|-q|ASK {}|zoo.ttl|-o|zoo.ttl", "", 2, "", "is an input: name another file"),
    ("query|-q|ASK {}|zoo.ttl|-o|none/a.txt", "", 2, "", "there is no folder none; make it first"),
    ("query|-q|ASK {}|zoo.ttl|-o|a.txt|--explain", "", 2, "", "--explain prints a plan"),
    ("query|-q|SELECT ?x { ?x a :Animal } ORDER BY ?x|zoo.ttl|--limit|1", "", 0,
     r"\?x\n:jerry\n\n1 row, and 1 more", "^$"),
    ("query|-q|SELECT ?x { ?x a :Cat }|zoo.ttl|--results|csv", "", 0, r"^x\nhttp://\S+#tom$", "^$"),
    ("query|-q|SELECT ?x { ?x a :Cat }|zoo.ttl|--results|tsv", "", 0, r"^\?x\n<\S+#tom>$", "^$"),
    ("query|-q|SELECT ?x { ?x a :Cat }|zoo.ttl|--results|xml", "", 0, "<uri>", "^$"),
    ("query|-q|SELECT ?x { ?x a :Cat }|zoo.ttl|--results|json|--limit|0", "", 0,
     r'"bindings": \[\]', "^$"),
    ("query|-q|SELECT ?x { ?x a :Cat }|zoo.ttl|--results|word", "", 2, "", "word"),
    ("query|-q|CONSTRUCT WHERE { ?x a :Cat }|zoo.ttl|--results|csv", "", 2, "", "a graph is no"),
    ("query|-q|SELECT * { ?x ?y ?z . ?a ?b ?c }|zoo.ttl|--timeout|0", "", 2, "", "timeout=0"),
    ("query|-q|SELECT ?o { ?s ?p ?o }|wild.ttl", "", 0, r'"\\u001B\[31mred\\u202E\\nmore"', "^$"),
    ("explain -q :tom a :Animal zoo.ttl", "", 0, "by cax-sco", "^$"),
    ("explain -q :tom a :Plant zoo.ttl", "", 1, "^$", "is not stated, and does not follow"),
    ("explain -q tom a :Plant zoo.ttl", "", 2, "", "'tom' is no term; write prefix:name"),
    ("check -q zoo.ttl", "", 0, "no contradiction", "^$"),
    ("check -q slip.ttl", "", 0, "did you mean rdfs:subClassOf", "^$"),
    ("check -q slip.ttl --every-axiom", "", 1, "did you mean rdfs:subClassOf", "^$"),
    ("check -q clash.ttl", "", 1, "contradictions: 1\n  1 by cax-dw", "^$"),
    ("check -q clash.ttl", "", 1, ":x rdf:type :A   clash.ttl, line 1", "^$"),
    ("check -q clash.ttl --results github", "", 1,
     "^::error file=clash.ttl,line=1,title=cax-dw::1 by cax-dw.*%0A.*:x rdf:type :A", "^$"),
    ("check -q slip.ttl --results github", "", 0, "^::warning title=.*did you mean", "^$"),
    ("check -q zoo.ttl --results github", "", 0, "^$", "^$"),
    ("check -q clash.ttl --results sarif", "", 1, '"startLine": 1', "^$"),
    ("check -q zoo.ttl --results sarif", "", 0, '"results": \\[\\]', "^$"),
    ("check -q clash.ttl --results word", "", 2, "", "word"),
    ("explain -q :tom a :Animal zoo.ttl -o why.svg", "", 0, "^$", "^$"),
    ("explain -q :tom a :Animal zoo.ttl -o why.html", "", 0, "^$", "^$"),
    ("explain -q :tom a :Animal zoo.ttl -o why.docx", "", 2, "", "written as one of .txt, .dot"),
    ("explain -q :tom a :Animal zoo.ttl -o zoo.ttl", "", 2, "", "is an input: name another file"),
    ("explain -q :tom a :Plant zoo.ttl -o why.dot", "", 1, "^$", "is not stated"),
    ("explain -q :tom a :Animal zoo.ttl -o why.svg --format dot", "", 2, "", "which is not dot"),
    ("explain -q :tom a :Animal zoo.ttl -o why.svg --format svg", "", 0, "^$", "^$"),
    ("explain -q :tom a :Animal zoo.ttl -o why.svg --json", "", 2, "", "which is not json"),
    ("query|-q|SELECT * {?x a ?y}|zoo.ttl|-o|a.csv|--json", "", 2, "", "which is not json"),
    ("query|-q|SELECT * {?x a ?y}|zoo.ttl|-o|a.json|--json", "", 0, "^$", "^$"),
    ("query -q --query-file - -", "ASK {}", 2, "", "- is the QUERY, and cannot be a file as well"),
    ("stats -q -", "", 2, "", "standard input is empty"),
    ("stats -q - --format nt", "", 0, "facts", "^$"),
    ("convert -q zoo.ttl -o z.nt --to ttl", "", 2, "", "--to: .*the extension of z.nt tells its f"),
    ("convert -q graphs.nq", "", 0, "e/o>", "warning: which named graph states what is lost"),
    ("convert -q graphs.nq --to nq", "", 0, "<http://e/g>", "^$"),
    ("convert -q graphs.nq good.dlog -o g.trig", "", 0, "^$", "^warning: rules are no triples"),
    ("update|-q|INSERT DATA { GRAPH :g { :a :b :c } }|zoo.ttl", "", 2, "^$",
     "zoo.ttl would lose which named graph states what: .*nothing is written"),
    ("update|-q|INSERT DATA { GRAPH :g { :a :b :c } }|zoo.ttl|-o|zoo.trig", "", 0, "1 came", "^$"),
    ("update|-q|INSERT DATA { :a :b 7 }|-", TURTLE, 0, "7", "^$"),
    ("update|-q|INSERT DATA { :a :b 7 }|-|--json", TURTLE, 2, "", "--json: .*standard output"),
    ("update|-q|INSERT DATA { :a :b 7 }|-|--json|--dry-run", TURTLE, 0, '":a :b 7"', "^$"),
    ("diff -q zoo.ttl", "", 2, "", "OLD and NEW are two files, not 1"),
    ("diff -q zoo.ttl zoo.ttl clash.ttl", "", 2, "", "not 3; --data FILE adds one to both"),
    ("query -q zoo.ttl --query-file bad.rq", "", 2, "", "line 2, column 1: this is no query"),
    ("query -q bad.rq zoo.ttl", "", 2, "", "line 2, column 1: this is no query"),
    ("query -q --query-file - zoo.ttl", "SELECT", 2, "", "input, line 1, column 7: no SPARQL"),
    ("update -q bad.rq zoo.ttl", "", 2, "", "bad.rq, line 2, column 8: no SPARQL"),
    ("serve --cors example.org", "", 2, "", "'--cors': example.org is no site, such as https://"),
    ("serve --allow-host http://e.org", "", 2, "", "'--allow-host': http://e.org is no name, such"),
    ("update|-q|LOAD <zoo.ttl>|zoo.ttl", "", 2, "", "LOAD <\\S*zoo.ttl> reads a file: name that a"),
    ("update -q short.rdfp zoo.ttl", "", 2, "", "short.rdfp, line 1: .*; terms are written whole"),
    ("watch", "", 2, "", "Missing argument"),
    ("watch nowhere.ttl", "", 2, "", "there is no file 'nowhere.ttl'"),
    ("watch -", "", 2, "", "FILES: standard input cannot be looked at again: name files"),
    ("watch table.csv", "", 2, "", "its extension tells no format"),
    ("watch broken.ttl", "", 2, "", "broken.ttl, line"),
    ("materialise -q zoo.ttl --what derived", "", 0, r"^@prefix(.|\n)*:tom a :Animal \.$", "^$"),
    ("materialise clash.ttl --profile none", "", 0, ":x a :A", "^reading clash.ttl …$"),
    ("convert zoo.ttl", "", 0, "^@prefix", "^reading zoo.ttl …$"),
    ("explain|-q|:tom a :Animal|zoo.ttl", "", 0, "by cax-sco", "^$"),
    ("explain|-q|<http://example.org/zoo#tom>  a :Animal .|zoo.ttl", "", 0, "by cax-sco", "^$"),
    ('explain|-q|:tom :name "Tom"|zoo.ttl', "", 0, "stated", "^$"),
    ("explain|-q|:tom|a :Animal|zoo.ttl", "", 2, "", "after SUBJECT PREDICATE OBJECT come the"),
    ("explain|-q|:tom a|zoo.ttl", "", 2, "", "after SUBJECT PREDICATE OBJECT come the"),
    ("explain -q", "", 2, "", "Missing argument 'SUBJECT PREDICATE OBJECT FILES"),
    ("explain -q zoo.ttl :tom a :Animal", "", 2, "", "OBJECT come first, .*such as zoo.ttl"),
    ("materialise -q zoo.ttl -o zoo.ttl", "", 2, "", "is an input; --force writes over it"),
    ("materialise -q zoo.ttl -o ./zoo.ttl --force", "", 0, "8 facts", "^$"),
    ("materialise -q zoo.ttl -o out.docx", "", 2, "", "its extension tells no RDF format"),
    ("materialise -q zoo.ttl -o no/out.nt", "", 2, "", "there is no folder no; make it first"),
    ("materialise -q zoo.ttl -o - --to nt", "", 0, r"^<(.* \.\n){7}.* \.$", "^$"),
    ("convert -q -", TURTLE, 0, "^@prefix : <http://e/> \\.\n", "^$"),
    ("convert -q - --to nt", TURTLE, 0, r"^<http://e/a> <http://e/b> <http://e/c> \.$", "^$"),
    ("convert -q - --to word", TURTLE, 2, "", "unknown RDF format 'word'"),
    ("convert -q zoo.ttl -o zoo.ttl", "", 2, "", "is an input; --force writes over it"),
    ("update|-q|DELETE DATA { :tom a :Cat }|zoo.ttl|--dry-run", "", 0,
     "- :tom rdf:type :Animal\n- :tom rdf:type :Cat\n0 came, 2 went", "^$"),
    ("update|-q|DELETE DATA { :tom a :Cat }|zoo.ttl", "", 0, "0 came, 2 went", "^$"),
    ("update|-q|DELETE DATA { :jerry a :Animal }|zoo.ttl", "", 0, "0 came, 0 went",
     "^warning: what is not stated cannot be deleted: it follows, .*\n  :jerry rdf:type :Animal "),
    ("update -q change.rdfp zoo.ttl --dry-run", "", 2, "", "change.rdfp, line 3: "),
    ("update|-q|--request-file|-|zoo.ttl|--dry-run", "A <http://e/x> <http://e/y> <http://e/z> .",
     0, "1 came, 0 went", "^$"),
    ("update|-q|--request-file|-|zoo.ttl|--dry-run", "D _:b <http://e/y> <http://e/z> .",
     2, "", "-, line 1: a blank node of a file has no name by which to delete"),
    ("update|-q|CLEAR ALL|zoo.ttl|slip.ttl", "", 2, "", "of several files name the --output"),
    ("update|-q|SELECT * {}|zoo.ttl", "", 2, "", "no request but a query.*rdfinc query"),
    ("diff -q zoo.ttl zoo.ttl", "", 0, "0 came, 0 went", "^$"),
    ("diff -q slip.ttl turtle.owl", "", 1, "1 came, 1 went", "^$"),
    ("rules check good.dlog", "", 0, "0 errors", ""),
    ("diff -q - -", TURTLE, 2, "", r"standard input \(-\) can be read once"),
    ("stats -q - zoo.ttl -", TURTLE, 2, "", r"standard input \(-\) can be read once"),
    ("check -q zoo.ttl --format github", "", 2, "", "and --results that of what is printed\n"),
    ("stats -q zoo.ttl --format nt", "", 2, "", "a file's extension tells its format\n"),
    ("rules check zoo.ttl", "", 2, "", r"none of them is a file of rules \(\.dlog\)"),
    ("rules check facts.dlog", "", 0, "1 rule, 0 errors", ""),
    ("rules list facts.dlog", "", 0, r"<http://e/q>, <http://e/b>\] \.\n +fact;", ""),
    ("query -q --query-file ask.rq facts.dlog good.dlog", "", 0, "^true$", "^$"),
    ("rules check bad.dlog", "", 1, "line 1, column", ""),
]  # fmt: skip


@pytest.fixture
def there(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all files, which is the current one."""
    for name, text in FILES.items():
        zoo.with_name(name).write_text(text)
    monkeypatch.chdir(zoo.parent)
    return zoo.parent


@pytest.mark.parametrize(("line", "given", "status", "printed", "complained"), TABLE)
def test_status_and_message(
    run, there: Path, monkeypatch, line: str, given: str, status: int, printed: str, complained: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    done = run(*(line.split("|") if "|" in line else line.split()))
    assert done.status == status, done
    assert re.search(printed, done.out.strip()), done.out
    assert re.search(complained, done.err.strip(), re.DOTALL), done.err
    assert "Traceback" not in done.err


def test_files_are_written_as_they_are_told(run, there: Path) -> None:
    before = Path("zoo.ttl").read_text()
    run("update", "DELETE DATA { :tom a :Cat }", "zoo.ttl", "--dry-run")
    assert Path("zoo.ttl").read_text() == before
    run("update", "DELETE DATA { :tom a :Cat }", "zoo.ttl", "-o", "other.ttl")
    assert Path("zoo.ttl").read_text() == before
    assert run("diff", "zoo.ttl", "other.ttl").out.endswith("0 came, 2 went\n")
    run("update", "DELETE DATA { :tom a :Cat }", "zoo.ttl")
    assert run("diff", "zoo.ttl", "other.ttl").status == 0


def command(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "rdfinc", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


@pytest.mark.skipif(os.name != "posix", reason="pipes are closed otherwise")
def test_a_closed_pipe_is_silent(there: Path) -> None:
    lines = "".join(f"<http://e/{i}> <http://e/p> <http://e/{i + 1}> .\n" for i in range(20_000))
    Path("many.nt").write_text(lines)
    for rest in (["convert", "-q", "many.nt", "--to", "nt"],
                 ["query", "-q", "SELECT * { ?s ?p ?o }", "many.nt"]):  # fmt: skip
        running = command(*rest)
        assert running.stdout.readline()
        running.stdout.close()
        assert (running.wait(), running.stderr.read()) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="pipes are closed otherwise")
def test_what_is_closed_or_full_is_no_fault_of_the_program(there: Path) -> None:
    told = command("stats", "-q", "zoo.ttl", preexec_fn=partial(os.close, 1))
    assert (told.wait(), told.stderr.read()) == (
        2, b"rdfinc: standard output: it is closed; -o names a file\n",
    )  # fmt: skip
    lost = command("stats", "clash.ttl", preexec_fn=partial(os.close, 2))
    assert (lost.wait(), b"warning" in lost.stdout.read()) == (0, False)
    for words in (["query", "ASK {}", "-"], ["convert", "-", "--format", "turtle"],
                  ["query", "--query-file", "-", "zoo.ttl"]):  # fmt: skip
        closed = command(*words, "-q", preexec_fn=partial(os.close, 0))
        assert (closed.wait(), closed.stderr.read()) == (
            2, b"rdfinc: standard input: it is closed; name a file\n",
        )  # fmt: skip


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device is full")
def test_a_full_disk_is_told_with_its_place(there: Path) -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.Popen(
            [sys.executable, "-m", "rdfinc", "stats", "-q", "zoo.ttl"],
            stdout=full, stderr=subprocess.PIPE,
        )  # fmt: skip
    told = ran.communicate()[1]
    assert (ran.returncode, told) == (2, b"rdfinc: standard output: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are others")
def test_an_interrupt_is_silent(there: Path) -> None:
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # also if pytest ignores it
    running = command("query", "ASK {}", "-", stdin=subprocess.PIPE, preexec_fn=heard)
    assert running.stderr.readline().startswith(b"reading standard input")
    running.send_signal(signal.SIGINT)
    assert (running.wait(timeout=60), running.stderr.read()) == (130, b"")


@pytest.mark.skipif(os.name != "posix", reason="signals are others")
def test_a_watch_tells_of_changes_until_it_is_interrupted(there: Path) -> None:
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    running = command("watch", "zoo.ttl", "--every", "0.05", preexec_fn=heard)
    lines = (running.stderr.readline() for _ in range(2))
    assert any(line.startswith(b"8 facts; waiting") for line in lines)
    text = Path("zoo.ttl").read_text()
    Path("zoo.ttl").write_text(text + ":felix a :Cat .\n")
    told = b"".join(running.stdout.readline() for _ in range(4)).decode()
    assert told == "zoo.ttl:\n+ :felix rdf:type :Animal\n+ :felix rdf:type :Cat\n2 came, 0 went\n"
    running.send_signal(signal.SIGINT)
    assert (running.wait(timeout=60), running.stderr.read()) == (130, b"")
