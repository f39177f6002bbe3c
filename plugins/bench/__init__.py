"""rdfinc beside what others use, on any data: `rdfinc bench`.

Entry: `library_comparison`, which runs the `peers` and tells `bench_findings`; `markdown_report`
makes a text of them, `plots` a picture. Each library is measured in one of the `processes`, which
run `child` with one of the `programs`; `stratified_rules` are rules for those that do not read
rdfinc's. `agreement` compares what they derived; `generic_queries` suit any data.
"""
