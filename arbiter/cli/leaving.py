"""The end of a command."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn


def leave(code: int) -> NoReturn:
    """Exit as Python does, but leave it to the kernel to free the memory: Python takes a tenth of a short command for that."""
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
