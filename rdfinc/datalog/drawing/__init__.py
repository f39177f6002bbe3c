"""Rules as pictures.

`hypergraph_text` and `hypergraph_svg` draw what depends on what; the latter puts boxes where
`layers` say and writes them by `svg`, as everything does that is drawn so. The strata shown are
those of `analysis.rule_hypergraph`.
"""
