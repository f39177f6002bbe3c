"""Relations that are kept as a function of their external facts.

`intervals` for transitive ones, `components` for those that are symmetric as well; `schemes` says
which suits which closure.
"""
