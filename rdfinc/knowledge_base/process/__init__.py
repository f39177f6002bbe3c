"""A knowledge base among threads, signals, forks and memory limits.

`exclusive_access`: one thread at a time changes it. `interrupts`: what Ctrl-C must not cut in
two. `forking`: children get whole ones. `memory`: what was needed for a while goes back.
`collector`: what makes no garbage starts no search for it. `processors`: how many it
may use. `warn`: at which line. `load_progress`: how far a load has come.
"""
