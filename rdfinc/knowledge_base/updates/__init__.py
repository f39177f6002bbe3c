"""One change of a knowledge base, from asked to committed, by ids.

Entry: `engine.Engine.apply`, which commits as well. `stratifier` keeps the strata and modules in
use, and has them made anew by `reasoning.program` when the schema has changed. `change_log` is the
interface of what keeps changes on disk.
"""
