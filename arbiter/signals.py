"""Signals that end the process: SIGTERM, SIGHUP and SIGINT.

The handler raises an exception, so that whatever is running ends, and the stack is unwound. That alone is not enough:
Python prints and drops an exception that arrives in a destructor or in a callback from C. So the handler also keeps the
number of the signal, and the kernel's signal makes a file descriptor readable. Whoever waits for agents polls that
descriptor as well, and calls :func:`check`, which raises the exception if it has not arrived.

Further signals change nothing while the stack is being unwound: agents are being killed. If the exception was lost, the
next signal raises it again.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class _State:
    """What this process knows of its signals. There is one, since signal handlers belong to the process."""

    received = 0
    """The first signal that asked the process to end; 0 for none."""
    finished = False
    """Whether the process is about to exit, and signals make no difference."""
    readable = -1
    """Becomes readable at a signal; -1 if no handlers are installed."""
    writable = -1


def install(numbers: Iterable[signal.Signals] = ENDING) -> None:
    """End the process at these signals, except those that it was started to ignore: under nohup, or as a background job."""
    _State.received, _State.finished = 0, False
    # A fork of this process needs a pipe of its own.
    _State.readable, _State.writable = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(_State.writable, warn_on_full_buffer=False)
    for number in numbers:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)


def wake_up() -> int:
    """Return the file descriptor that becomes readable at a signal; -1 if no handlers are installed."""
    return _State.readable


def check() -> None:
    """Raise the exception of a signal that asked the process to end: KeyboardInterrupt or SystemExit."""
    if _State.received and not _State.finished and not is_unwinding():
        raise _exception(_State.received)


def finish() -> None:
    """Note that the process is about to exit: signals are ignored from now on."""
    _State.finished = True


def _end(number: int, _: object) -> None:
    if _State.finished or is_unwinding():
        return
    _State.received = _State.received or number
    raise _exception(_State.received)


def _exception(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)


def is_unwinding() -> bool:
    """Whether an exception that ends the process is being handled by a ``with``, ``finally`` or ``except`` right now."""
    handled = sys.exception()
    seen: set[int] = set()
    while handled is not None and id(handled) not in seen:
        if isinstance(handled, (KeyboardInterrupt, SystemExit)):
            return True
        seen.add(id(handled))
        handled = handled.__context__
    return False
