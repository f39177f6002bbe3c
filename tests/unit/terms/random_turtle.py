"""Random Turtle and TriG that is as nasty as the standards allow."""

from __future__ import annotations

from random import Random

SPACES = (
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " # a . comment \"'<\n",
    "#.\n",
    "#'''\r",
)
STRINGS = (
    '"a"', '""', "''", "'b . '", '"c # . <d>"', "'\"'", '"\'"', "'\"\"\"'", '"\'\'\'"', '"\\""',
    '"\\\\"', "'\\''", '"\\u0041 ."', '"é . ü"', '"@prefix : <http://no/> ."', "'PREFIX x: <y>'",
    '""" """', '""""""', "''''''", '"""a\n. \n"""', '"""\\""" . """', '"""" . """', '""""" . """',
    "'''x'' . \r\n@base <http://no/> .\n'''", '"""\n# \' \n"""', "'''\\\\'''", '"""base <x> . """',
)  # fmt: skip
TAGS = ("", "", "", "@en", "@de-at", "@base", " @prefix", "^^:d", "^^<http://d/#e>", " ^^ :d")
NUMBERS = ("1", "-2.5", ".5", "1.e3", "1E-4", "true", "+7")
NAMES = (":a", ":b", "p:c", "p:", ":", "p:d.e", ":%2e", ":f\\.", ":\\'g", ":\\#h", "q.r:i", ":é.j",
         ":prefix", "p:base", "prefix:a", "base:b", ":1", ":k\\,", "p:x:y")  # fmt: skip
IRIS = ("<a>", "<http://e/b#c>", "<#d>", "<>", "<?q='\\u0041'>", "<http://e/.>", "<//x/prefix>")
BLANKS = ("_:a", "_:b.c", "_:1", "_:aabbccddeeff00112233445566778899")
BASES = ("<http://b/>", "<x/>", "<http://c/d?e>", "<../up/>")
PREFIXES = ("", "p", "q.r", "prefix", "base")
START = "".join(f"@prefix {p}: <http://{p or 'e'}/> .\n" for p in PREFIXES)


class RandomTurtle:
    """Documents of some statements; all names have prefixes, which change in between."""

    def __init__(self, seed: int, *, trig: bool = False) -> None:
        self._random, self._trig = Random(seed), trig

    def document(self, statements: int) -> str:
        made = (self._piece() for _ in range(self._random.randint(0, statements)))
        return START + "".join(made)

    def _piece(self) -> str:
        kind = self._random.random()
        if kind < 0.15:
            return self._directive()
        if self._trig and kind < 0.5:
            return self._block()
        return self._statement()

    def _one(self, things: tuple[str, ...]) -> str:
        return self._random.choice(things)

    def _space(self) -> str:
        return "".join(self._one(SPACES) for _ in range(self._random.randint(1, 2)))

    def _maybe(self) -> str:
        return self._space() if self._random.random() < 0.4 else ""

    def _behind(self) -> str:
        """What comes behind a statement; where a line ends there, it may be cut."""
        return self._one(("\n", " \r\n", self._maybe()))

    def _directive(self) -> str:
        prefix, iri = f"{self._one(PREFIXES)}:", self._one(BASES)
        end, prefix_word = self._maybe() + "." + self._maybe(), self._one(("PREFIX", "PreFix"))
        return self._one((
            f"@prefix{self._space()}{prefix}{self._maybe()}{iri}{end}",
            f"@base{self._maybe()}{iri}{end}",
            f"{prefix_word}{self._space()}{prefix}{self._maybe()}{iri}",
            f"{self._one(('BASE', 'base', 'Base'))}{self._maybe()}{iri}{self._maybe()}",
        ))  # fmt: skip

    def _statement(self) -> str:
        return self._triples() + self._one((" ", "\n", "")) + "." + self._behind()

    def _triples(self) -> str:
        if self._random.random() < 0.1:
            return f"[{self._properties(1)}]"
        return self._subject() + self._properties(2)

    def _block(self) -> str:
        inside = ""
        for _ in range(self._random.randint(0, 4)):
            inside += self._triples() + " ." + self._behind()
        if self._random.random() < 0.5:
            inside += self._triples() + self._space()
        name = self._one(("", self._one(IRIS), self._one(NAMES), self._one(BLANKS), "[]", "[ ]"))
        if name and self._random.random() < 0.4:
            name = self._one(("GRAPH", "graph")) + self._space() + name
        return f"{name}{self._space()}{{{self._maybe()}{inside}}}{self._maybe()}"

    def _subject(self) -> str:
        return self._one((self._one(NAMES), self._one(IRIS), self._one(BLANKS), "[]", "( 1 :a )"))

    def _properties(self, depth: int) -> str:
        parts = []
        for _ in range(self._random.randint(1, 2)):
            verb = self._one((self._one(NAMES), self._one(IRIS), "a"))
            objects = (
                self._space() + self._object(depth) for _ in range(self._random.randint(1, 2))
            )
            parts.append(f"{self._space()}{verb}{' ,'.join(objects)}")
        return (" ;" + self._maybe()).join(parts) + " "

    def _object(self, depth: int) -> str:
        kind = self._random.random()
        if depth and kind < 0.12:
            return f"[{self._properties(depth - 1)}]"
        if depth and kind < 0.2:
            return f"({self._space()}{self._object(depth - 1)} {self._object(depth - 1)} )"
        if kind < 0.65:
            return self._one(STRINGS) + self._one(TAGS)
        return self._one((self._one(NUMBERS), self._one(NAMES), self._one(IRIS), self._one(BLANKS)))
