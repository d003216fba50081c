"""The command ``arbiter``."""

from __future__ import annotations

import signal


def main() -> None:
    """Run the command. Ctrl-C while its modules are imported ends it without a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until the command line installs its own handlers
    from arbiter.cli import main as run

    run()
