"""Pages that show a knowledge base to people: plain HTML, which works without script but for the
changes as they come.

Entry: `site`. `elements` are terms, facts and tables as HTML, escaped; `frame` is what all pages
have in common, with the `assets`. `query_page`, `resource_page`, `why_page`, `violations_page`,
`rules_page`, `statistics_page` and `changes_page` are what is told on one page each.
"""
