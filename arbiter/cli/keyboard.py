"""Single key presses at a terminal, as they are typed."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator

RESIZED = "resized"
"""Returned instead of a key when the terminal has been resized."""
CLOSED = "closed"
"""Returned instead of a key when the terminal has been closed."""

_NAMES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "[H": "home", "[F": "end", "[1~": "home", "[4~": "end",
    "[7~": "home", "[8~": "end", "[5~": "page up", "[6~": "page down", "OA": "up", "OB": "down", "OC": "right",
    "OD": "left", "OH": "home", "OF": "end",
}  # fmt: skip
"""Escape sequences of terminals, without the escape character, and their keys."""
_PLAIN = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x04": "q"}
_ESCAPE = "\x1b"
_REST_S = 0.05
"""How long the rest of an escape sequence may take; an escape key that was pressed by itself is followed by nothing."""


class Keyboard:
    """The keys of the terminal on standard input. Use :func:`opened`."""

    def __init__(self, wake_up: int) -> None:
        self._source, self._wake_up = sys.stdin.fileno(), wake_up
        self._typed = ""

    def read(self, wait_s: float | None = None) -> str | None:
        """Return the next key: a character, or a name such as ``left``; None after ``wait_s`` seconds without one."""
        if not self._typed:
            ready = select.select([self._source, self._wake_up], [], [], wait_s)[0]
            if self._wake_up in ready:
                os.read(self._wake_up, 512)
                return RESIZED
            if not ready:
                return None
            if not self._take():
                return CLOSED
        return self._next()

    def _take(self) -> bool:
        try:
            heard = os.read(self._source, 4096)
        except OSError:
            return False
        self._typed += heard.decode(errors="replace")
        return bool(heard)

    def _next(self) -> str:
        first, self._typed = self._typed[0], self._typed[1:]
        if first != _ESCAPE:
            return _PLAIN.get(first, first)
        while not self._is_whole() and select.select([self._source], [], [], _REST_S)[0] and self._take():
            pass
        for length in range(1, len(self._typed) + 1):
            sequence = self._typed[:length]
            if len(sequence) > 1 and (sequence[-1].isalpha() or sequence[-1] == "~"):
                self._typed = self._typed[length:]
                return _NAMES.get(sequence, "escape")
        self._typed = ""
        return "escape"

    def _is_whole(self) -> bool:
        return len(self._typed) > 1 and any(letter.isalpha() or letter == "~" for letter in self._typed[1:])


@contextlib.contextmanager
def opened() -> Iterator[Keyboard]:
    """Take keys one at a time and unechoed until the end of the block; the terminal is then as it was."""
    source = sys.stdin.fileno()
    before = termios.tcgetattr(source)
    heard, told = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    kept = signal.signal(signal.SIGWINCH, lambda *_: None)
    descriptor = signal.set_wakeup_fd(told)
    try:
        tty.setcbreak(source, termios.TCSADRAIN)  # what was typed ahead is kept
        yield Keyboard(heard)
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)
        signal.set_wakeup_fd(descriptor)
        signal.signal(signal.SIGWINCH, kept)
        os.close(heard)
        os.close(told)
