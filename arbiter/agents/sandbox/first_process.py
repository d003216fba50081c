"""The first process of a box: started through the zygote, and ended with everything below it."""

from __future__ import annotations

import contextlib
import os

from arbiter.agents.zygote.zygote import start_program

_FOLDER = os.path.dirname(__file__)
_EXIT_MS = 2_000
"""How long it may take to end by itself."""


class FirstProcess:
    """The program :mod:`arbiter.agents.sandbox._box`, running."""

    def __init__(self, control: int, messages: int) -> None:
        """Start it with these two sockets. It ends when their other ends are closed. Raises OSError."""
        self._program = start_program(_FOLDER, "_box.main", (control, messages))
        self.pid = self._program.pid

    def wait(self) -> None:
        """Wait until it has ended with everything below it; kill them if that takes long."""
        if not self._program.wait(_EXIT_MS):  # an agent has stopped it, which only boxes without namespaces allow
            self._kill_tree()
        self._program.close()

    def _kill_tree(self) -> None:
        import psutil  # rarely needed here, and slow to import

        with contextlib.suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self.pid).children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                    process.kill()
