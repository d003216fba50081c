"""A long-lived agent that a test controls: between moves it carries out orders, and reports when it is done."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arbiter.agents.ask.table import Seat
from arbiter.agents.launch import tree
from arbiter.agents.prepare.launch_spec import Launch

from .harness import terms, wait_readable

_PROGRAM = """
import os, sys
orders, reports = os.open(sys.argv[1], os.O_RDONLY), os.open(sys.argv[2], os.O_WRONLY)
for line in sys.stdin:
    os.write(1, b"answer to " + line.encode())
    while (order := os.read(orders, 100)) != b"listen":
        stream, what = order.split()
        os.write(int(stream), b"kibitz a thought\\n" if what == b"kibitz" else b"x" * int(what))
        os.write(reports, b"done")
    os.write(reports, b"done")
"""


class Puppet:
    """Answers a line of prompt with a line, then carries out orders up to ``listen``. Use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self._orders, self._reports = folder / "orders", folder / "reports"

    def seat(self, index: int = 0, **limits: str | int) -> Seat:
        """Return the agent at its seat."""
        argv = [sys.executable, "-c", _PROGRAM, str(self._orders), str(self._reports)]
        return Seat(Launch(argv, "/", dict(os.environ)), terms(**limits), "game")

    def __enter__(self) -> Puppet:
        for path in (self._orders, self._reports):
            os.mkfifo(path)
        # For reading and writing, so that neither side waits for the other to open it.
        self._to = os.open(self._orders, os.O_RDWR)
        self._back = os.open(self._reports, os.O_RDWR)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._to)
        os.close(self._back)

    def write(self, stream: int, what: int | str) -> None:
        """Have it write this many bytes (or a ``kibitz``) on standard output (1) or error (2), and wait until it has."""
        self._order(f"{stream} {what}")

    def listen(self) -> None:
        """Let it read the next prompt."""
        self._order("listen")

    def _order(self, text: str) -> None:
        os.write(self._to, text.encode())
        wait_readable(self._back, "the puppet to have obeyed")
        assert os.read(self._back, 100) == b"done"


def only_child(spared: frozenset[int]) -> int:
    """The one process that was started since."""
    (pid,) = set(tree.children(os.getpid())) - spared
    return pid
