"""Queries whose answers are kept up with while facts change.

Entry: `watched_query`. `watchable` says which queries can be watched, and in which form;
`differences` finds the change of their solutions from the change of the facts.
"""
