"""Changes one after the other, and those who are told of them.

`input_facts` is what users hand in, `delta` the net change that they see. `compound_update` makes
several changes one, `vain_deletions` are those of what only follows, `update_stream` takes updates
from `update_sources` or `async_sources` with a look ahead, `watching` tells those who asked.
`net_change` makes one of many changes; `stated_changes` and `closure_changes` are what came and
went in a directory.
"""
