"""Why a fact is there, and why one is not; searched when asked for, never stored.

`rule_instances` finds what derives a fact, `explain` gives one proof, with the fewest steps,
`k_best_proofs` all of them in order, `near_misses` the instances that lack least.
"""
