"""`python -m rdfinc`: the `rdfinc` command."""

from rdfinc.cli import main

main()
