"""Transitive closures over condensed graphs: the interval storage scheme."""
