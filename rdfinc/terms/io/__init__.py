"""Documents in and out: files, streams and pieces of them -> ids, and keys -> text.

Entries: `reading.read` for one source in any syntax, the room `parallel` for large ones,
`writing.write`, `convert.key_of` for terms that people hand in.

`sources` opens what is to be read, also by `compression`; `formats` names its syntax, and
`sniffing` tells it. `lines` and `ntriples` read statements a line each, `parsing` all other
syntaxes through Oxigraph's parsers, with `problems` for what cannot be read; `quads` and `blanks`
turn what they give into ids. `pieces` and `turtle_cuts` take large files apart. `nesting_depth` and
the room `xml` keep from the parser what it cannot bear. `checks` is how readers tell how far they
are. `rdf_patch` reads changes. `statement_lines` and `prefixes` are for writing, `places` finds the
lines in which triples stand.
"""
