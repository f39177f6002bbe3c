"""How facts are kept: one interface, several storage schemes.

The layer knows pairs of integers and NumPy. `table` is the interface through which all of the
engine reads; `facts` are many relations together, as batches that travel and sets that grow.

Read first `table`, `kernels` (sorted arrays of packed pairs), `sorted_pairs` and `plain_table`;
then `views` and `transposed` (tables made of tables, without copying) and `facts`. A closed
relation is a `closed` table in the room `closure`, one with shared rows in `union`, one over equal
terms in `equality`. `pair_bits` are pairs that lie close together, `marks` are what an algorithm
has met, `matches` the look-ups of a column with repeated ids, `indexed_rows` several columns with
an index for each, `term_relations` the relations of each term. `hashed_table` is the oracle for all
of them. `table_thresholds` has the sizes at which another way is taken.
"""
