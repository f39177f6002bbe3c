"""rdfinc beside what others use, on any data: `rdfinc bench`.

Entry: `comparison`, which runs the `peers` and tells `findings`; `report` makes Markdown of them,
`plots` a picture. Each library is measured in one of the `processes`, which run `child` with one
of the `programs`; `strata` are rules for those that do not read rdfinc's.
`agreement` compares what they derived; `generic_queries` suit any data.
"""
