"""Ctrl-C during a contest: the first lets the games being played finish, the second stops at once."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from arbiter import signals


class Interrupts:
    """Counts interrupts while :meth:`handled` is active."""

    def __init__(self) -> None:
        self.count = 0

    @contextlib.contextmanager
    def handled(self) -> Iterator[int | None]:
        """Handle SIGINT within the block.

        Yields a file descriptor that becomes readable at any signal, to wake up a poll for finished games, after which
        :meth:`check` must be called. It is None outside the main thread, where no signal is handled. SIGINT is left alone
        where it is ignored, as shells do for background jobs.
        """
        if threading.current_thread() is not threading.main_thread():
            yield None
            return
        readable, writable = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        old_handler = signal.getsignal(signal.SIGINT)
        if old_handler != signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._interrupt)
        old_wakeup = signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
        try:
            yield readable
        finally:
            signal.set_wakeup_fd(old_wakeup)
            signal.signal(signal.SIGINT, old_handler)
            os.close(readable)
            os.close(writable)

    def check(self) -> None:
        """Raise the exception of a signal that is to stop the contest at once. The handler has raised it already, but such an
        exception can be lost."""
        signals.check()
        if self.count > 1:
            raise KeyboardInterrupt

    def _interrupt(self, _: int, __: FrameType | None) -> None:
        self.count += 1
        if self.count > 1 and not signals.is_unwinding():
            raise KeyboardInterrupt
