"""The command ``arbiter`` at a terminal of a given width."""

from __future__ import annotations

import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

import click

from tests.fork_server import Running
from tests.nullgame.command import fork_server


def printed_at_a_terminal(
    columns: int,
    *words: str,
    folder: Path | None = None,
    typed: bytes = b"",
    environment: Mapping[str, str] | None = None,
    code: int = 0,
) -> str:
    """Run ``arbiter WORDS`` in a pseudo-terminal and return what it printed there, in colour."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    running = _start(words, folder, {**kept, "TERM": "xterm", **(environment or {})}, theirs, theirs, theirs)
    os.close(theirs)
    os.write(ours, typed)
    out = _read_all(ours)
    assert running.wait() == code, out.decode()
    return out.decode().replace("\r\n", "\n")


@dataclass(frozen=True, slots=True)
class Printed:
    """What a command printed on its two outputs."""

    out: str
    err: str


def print_at_a_terminal(columns: int, *words: str, folder: Path, code: int = 0) -> Printed:
    """Run ``arbiter WORDS`` with a pseudo-terminal as its standard output only; return what it printed."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    with tempfile.TemporaryFile() as errors, Path("/dev/null").open("rb") as nothing:
        running = _start(words, folder, {**kept, "TERM": "xterm"}, nothing.fileno(), theirs, errors.fileno())
        os.close(theirs)
        out = _read_all(ours)
        status = running.wait()
        errors.seek(0)
        err = errors.read().decode()
    assert status == code, err
    return Printed(out.decode().replace("\r\n", "\n"), err)


def _start(
    words: Sequence[str], folder: Path | None, environment: dict[str, str], *files: int
) -> Running | subprocess.Popen[bytes]:
    """Start ``arbiter WORDS`` with these standard files."""
    if server := fork_server(environment):
        return server.start(words, folder or Path.cwd(), environment, files)
    command = [sys.executable, "-m", "arbiter", *words]
    return subprocess.Popen(command, cwd=folder, stdin=files[0], stdout=files[1], stderr=files[2], env=environment)


def _read_all(descriptor: int) -> bytes:
    out = b""
    try:
        while chunk := os.read(descriptor, 65536):
            out += chunk
    except OSError:  # how Linux reports end of file on a pseudo-terminal
        pass
    os.close(descriptor)
    return out


def at_a_terminal(columns: int, *words: str, folder: Path | None = None, typed: bytes = b"") -> list[str]:
    """Run ``arbiter WORDS`` in a pseudo-terminal and return the lines printed there, without colours."""
    shown = printed_at_a_terminal(columns, *words, folder=folder, typed=typed)
    return [line.rstrip() for line in click.unstyle(shown).splitlines()]


class Terminal:
    """``arbiter WORDS`` in the foreground of a terminal of its own, which ends with the block and hangs up on all that is in it."""

    def __init__(self, *words: str | Path) -> None:
        self._ours, self._theirs = pty.openpty()
        self.before = self.attributes
        self.resize(24, 80)
        self._heard = ""
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        command = ["setsid", "--ctty", "--wait", sys.executable, "-m", "arbiter", *words]
        end = self._theirs
        self.process = subprocess.Popen(command, stdin=end, stdout=end, stderr=end, env={**kept, "TERM": "xterm"})

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._ours)
        self.process.kill()
        self.process.wait()
        os.close(self._theirs)

    def until(self, text: str) -> str:
        """Read until this is shown; return all that was shown before it, from where the last call has stopped."""
        while text not in (shown := click.unstyle(self._heard)):
            self._heard += os.read(self._ours, 65536).decode(errors="replace")
        before, _, self._heard = shown.partition(text)
        return before

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def attributes(self) -> list[object]:
        return list(termios.tcgetattr(self._theirs))
