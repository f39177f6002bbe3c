"""Options of a Java that runs briefly: it is warm soon, and not optimised."""

QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
