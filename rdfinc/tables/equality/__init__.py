"""Relations that are closed under an equality, kept over representatives.

The method is that of Motik, Nenov, Piro and Horrocks (2015).

`aliases` is what is equal, `expanded` a relation over all terms read through it, `image` what
pairs say of representatives.
"""
