"""The end of a command."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn


def exit_quickly(code: int) -> NoReturn:
    """Exit as Python does, but let the kernel free the memory, which takes Python a tenth of the time of a short command."""
    observed = sys.gettrace() or sys.getprofile()
    if threading.active_count() == 1 and not observed:  # Python waits for other threads
        try:
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:  # Python says so, and has a status for it
            sys.exit(code)
        os._exit(code)
    sys.exit(code)
