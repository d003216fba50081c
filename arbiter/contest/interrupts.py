"""Ctrl-C during a contest: the first lets the games being played finish, the second stops at once."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class Interrupts:
    """Counts interrupts while :meth:`handled` is active."""

    def __init__(self) -> None:
        self.count = 0

    @contextlib.contextmanager
    def handled(self) -> Iterator[int | None]:
        """Handle SIGINT within the block.

        Yields a file descriptor that becomes readable at an interrupt, to wake up a poll for finished games. It is None
        where SIGINT is left alone: outside the main thread, or where it is ignored, as shells do for background jobs.
        """
        in_main_thread = threading.current_thread() is threading.main_thread()
        if not in_main_thread or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
            yield None
            return
        readable, writable = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        old_handler = signal.signal(signal.SIGINT, self._interrupt)
        old_wakeup = signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
        try:
            yield readable
        finally:
            signal.set_wakeup_fd(old_wakeup)
            signal.signal(signal.SIGINT, old_handler)
            os.close(readable)
            os.close(writable)

    def _interrupt(self, _: int, __: FrameType | None) -> None:
        self.count += 1
        if self.count > 1:
            raise KeyboardInterrupt
