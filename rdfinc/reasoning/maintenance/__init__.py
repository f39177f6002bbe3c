"""One update of a materialisation, stratum by stratum; nothing changes until it commits.

Entry: `maintain.maintain`. `update` is what all passes of an update share, `counters` what they
did.

Per stratum: `insertion` (semi-naive), and for deletions one of `backward_forward` with
`saturation` and `proved` (Motik, Nenov, Piro and Horrocks), its bounded form `fbf`, `dred`,
`dred_counting` (Hu, Motik and Horrocks) or `rematerialise`; `time_budget` says when to change
over to the last. At a stratum's end come `aggregate_update`, `module_update` and
`equality_update`. `marking` looks at the next update of a stream (Illich and others).
"""
