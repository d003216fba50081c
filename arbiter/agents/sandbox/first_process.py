"""The first process of a box: started from outside, and ended with everything below it."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys

_START = (
    "import os, sys; sys.path.append(sys.argv[1]); from _box.main import main; "
    "main(int(sys.argv[2]), int(sys.argv[3])); os._exit(0)"
)
"""Imported and not run as a script, so that its byte code is cached: compiling it takes a third of the start-up time.
``os._exit`` skips the interpreter's finalisation, which would take as long again."""
_FOLDER = os.path.dirname(__file__)
_EXIT_MS = 2_000
"""How long it may take to end by itself."""


class FirstProcess:
    """The program :mod:`arbiter.agents.sandbox._box`, running."""

    def __init__(self, control: int, messages: int) -> None:
        """Start it with these two sockets. It ends when their other ends are closed."""
        fds = control, messages
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-I", "-c", _START, _FOLDER, *map(str, fds)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=fds, cwd="/", env=_interpreter_environment(), process_group=0,
        )  # fmt: skip
        self.pid = self._process.pid

    def wait(self) -> None:
        """Wait until it has ended with everything below it; kill them if that takes long."""
        if not self._exits_by_itself():  # an agent has stopped it, which only boxes without namespaces allow
            self._kill_tree()
        self._process.wait()

    def _exits_by_itself(self) -> bool:
        try:
            pidfd = os.pidfd_open(self.pid)
        except OSError:  # reaped already: the embedding program ignores SIGCHLD
            return True
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        exited = bool(poll.poll(_EXIT_MS))
        os.close(pidfd)
        return exited

    def _kill_tree(self) -> None:
        import psutil  # rarely needed here, and slow to import

        with contextlib.suppress(psutil.NoSuchProcess):
            first = psutil.Process(self.pid)
            for process in (*first.children(recursive=True), first):
                with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                    process.kill()


def _interpreter_environment() -> dict[str, str]:
    """Return what the interpreter needs to start where its libraries are not in a standard place."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
