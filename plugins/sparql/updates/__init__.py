"""SPARQL Update: the operations of a request, carried out in one atomic step.

Entry: `update_request`. What its operations state and withdraw waits in `edits` for maintenance;
`remote` has the documents that LOAD names, and refuses what is not allowed.
"""
