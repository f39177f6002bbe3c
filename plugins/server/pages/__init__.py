"""Pages that show a knowledge base to people: plain HTML, which works without script but for the
changes as they come, and for what the editor does beyond a field of text.

Entry: `site`. `elements` are terms, facts and tables as HTML, escaped; `frame` is what all pages
have in common, with the `assets`, which are a style and a script. `names` are completed in the
editor. `query_page`, `resource_page`, `why_page`, `violations_page`,
`rules_page`, `statistics_page` and `changes_page` are what is told on one page each; `yasgui_page`
has an editor that others have made, with its files.
"""
