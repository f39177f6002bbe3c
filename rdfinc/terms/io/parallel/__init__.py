"""Sources read by several processes at once, to the same ids, errors and reports as by one.

Entry: `together.read_together`, which leaves large sources to `by_workers`. `shares` cuts sources
into what one process reads at a time, `numbered_share` is what it makes of that, in numbers of its
own. `worker` is the process, `crew` all of them. `assembly` turns numbers into ids, share after
share in the order of the text.
"""
