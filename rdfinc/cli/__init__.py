"""The `rdfinc` command."""

from __future__ import annotations

import sys

from rdfinc.errors import RdfincError


def main() -> None:
    """Runs the command line; what rdfinc or the system refuses is one message and status 2, and
    Ctrl-C is status 130."""
    try:
        from rdfinc.cli.app import app

        app(prog_name="rdfinc")
    except (RdfincError, OSError) as error:
        print(f"rdfinc: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
