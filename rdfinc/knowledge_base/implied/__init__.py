"""Auxiliary facts that follow from what is stated without a rule, kept in step with it.

Entry: `implied_facts`. One file for each kind: `alike_restrictions` (class expressions that are
written alike), `literal_facts` (values of literals), `literal_names` (names that are the same as
literals, and whether the literals of one name agree), `stated_properties` (predicates of explicit
triples).
"""
