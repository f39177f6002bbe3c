"""Why a fact is there, and why one is not; searched when asked for, never stored.

`rule_instances` finds what derives a fact, `proof_search` proves it in few steps, `explain` gives
one proof, `k_best_proofs` all of them in order, `near_misses` the instances that lack least.
"""
