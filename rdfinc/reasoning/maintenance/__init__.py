"""One update of a materialisation, stratum by stratum; nothing changes until it commits.

Entry: `maintain.maintain`. `update` holds what all passes of an update share: the facts before,
those removed and those added so far. `verdict` is what it finds wrong with its strata, and
`counters` tell what the passes did.

Per stratum: `insertion` (semi-naive; `transitive_insertion` and `hierarchy_insertion` spare it
what follows from a closure, `equality_insertion` what equals have of each other; `unknown_heads`
collects what a round finds), and for deletions one of five. `backward_forward` is by Motik, Nenov,
Piro and Horrocks (their algorithms 1 and 2; `saturation` is the third), `fbf` its bounded form,
`dred` and `dred_counting` (Hu, Motik and Horrocks) delete and rederive, `rematerialise` begins
anew; `time_budget` says when to change over to that. At a stratum's end come `aggregate_update`,
`module_update` and `equality_update`. `untold` completes facts that were derived elsewhere.
`marking` looks at the next update of a stream (Illich and others).
"""
