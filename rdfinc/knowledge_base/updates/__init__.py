"""One change of a knowledge base, from asked to committed, by ids.

Entry: `engine.Engine.apply`, which commits as well. An update is tried over the strata in use. If
its facts do not fit them, `stratifier` notes what was met and has `reasoning.program` make others,
and `engine` tries again; each attempt but the last adds a note, so there is a last one (ALGORITHMS
§3). `change_log` is the interface of what keeps changes on disk.
"""
