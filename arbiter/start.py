"""The command ``arbiter``."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command. Ctrl-C while its modules are imported, or one that is missing, ends it without a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until the command line installs its own handlers
    try:
        from arbiter.cli import main as run
    except ModuleNotFoundError as error:
        from arbiter.errors import EXIT_USAGE, missing_dependency

        if (problem := missing_dependency(error)) is None:
            raise
        print(f"arbiter: {problem}", file=sys.stderr)
        sys.exit(EXIT_USAGE)
    run()
