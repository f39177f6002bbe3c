"""RDF/XML with a care that fast parsers do not take: entities, XML literals, names.

`xml_care` finds out which documents need it, `plain_xml` rewrites those, `xml_literals` is the
canonical form of what they hold, `xml_witness` checks that a document is whole. `xml_terms` and
`xml_names` are for writing.
"""
