"""RDF/XML with a care that fast parsers do not take: entities, XML literals, names.

`xml_care` finds out which documents need it, by their `rare_features`, and whether a document is
whole; `plain_xml` rewrites those by the grammar of `rdf_elements`, `xml_literals` is the canonical
form of what they hold. `xml_terms` is for writing.
"""
