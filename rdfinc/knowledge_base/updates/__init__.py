"""One change of a knowledge base, from asked to committed, by ids.

Entry: `engine.Engine.apply`. `stratifier` says which strata and modules are in use, and makes
them anew when the schema has changed. `lasting` is what keeps changes on disk, seen from here.
"""
