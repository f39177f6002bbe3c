"""Changes one after the other, and those who are told of them.

`input_facts` are the facts that users hand in, `delta` is the net change that they see.
`compound_update` is several changes that count as one; `vain_deletions` are deletions of facts that
nobody states. `update_stream` takes updates from `update_sources` or `async_sources` with a look
ahead, `watching` calls those who watch. `net_change` is the sum of many changes; `stated_changes`
and `closure_changes` are the changes in a directory, of statements and of the closure.
"""
