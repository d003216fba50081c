"""The first process of a box: started through the zygote, and ended with everything below it."""

from __future__ import annotations

import contextlib
import os

from arbiter.agents.zygote.zygote import start_program

_FOLDER = os.path.dirname(__file__)
_EXIT_MS = 2_000
"""How long it may take to end by itself."""
_LOOK_MS = 50
"""How often to look meanwhile whether an agent has stopped it, which only boxes without namespaces allow."""


class FirstProcess:
    """The program :mod:`arbiter.agents.sandbox._box`, running."""

    def __init__(self, control: int, messages: int) -> None:
        """Start it with these two sockets. It ends when their other ends are closed. Raises OSError."""
        self._program = start_program(_FOLDER, "_box.main", (control, messages))
        self.pid = self._program.pid

    def wait(self) -> None:
        """Wait until it has ended with everything below it; kill them if that takes long or they have stopped it."""
        looks_left = _EXIT_MS // _LOOK_MS
        while not self._program.wait(_LOOK_MS):
            looks_left -= 1
            if not looks_left or self.is_stopped():
                self._kill_tree()
                break
        self._program.close()

    def is_stopped(self) -> bool:
        """Return whether a signal has stopped it."""
        with contextlib.suppress(OSError), open(f"/proc/{self.pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].startswith(b" T ")
        return False

    def _kill_tree(self) -> None:
        import psutil  # rarely needed here, and slow to import

        with contextlib.suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self.pid).children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                    process.kill()
