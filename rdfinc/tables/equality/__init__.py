"""Relations that are closed under an equality, kept over representatives.

The method is that of Motik, Nenov, Piro and Horrocks (2015).

`aliases` is what is equal, over the components of `tables.closure.components`; what becomes equal
is merged there, at the end of a stratum (`reasoning.maintenance.equality_update`). `expanded` shows
a relation that is kept over representatives to readers of all terms; `representative_pairs` shows
one over all terms to readers of representatives.
"""
