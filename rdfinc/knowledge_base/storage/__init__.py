"""In which tables facts are kept, and when that changes.

`storage_choice` says which relations are worth a table of its own kind, `storage_migration` moves
facts from one into another, `term_freezing` packs the terms of large loads, `term_reclaiming`
forgets terms that nothing mentions, `sizes` counts bytes.
"""
