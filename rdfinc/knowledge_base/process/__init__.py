"""A knowledge base among threads, signals, forks and memory limits.

`exclusive_access`: one thread at a time changes it. `interrupts`: what Ctrl-C must not cut in
two. `forking`: children get whole ones. `memory`: what was needed for a while goes back.
`machine_memory`: the last of it is not taken. `collector`: what makes no garbage starts no search
for it. `processors`: how many it may use. `control_groups`: what shares both out. `warn`: at which
line. `load_progress`: how far a load has come.
"""
