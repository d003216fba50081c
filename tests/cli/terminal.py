"""The command ``arbiter`` at a terminal of a given width."""

from __future__ import annotations

import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from fcntl import ioctl
from pathlib import Path

import click


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
    command = [sys.executable, "-m", "arbiter", *words]
    running = subprocess.Popen(
        command,
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**kept, "TERM": "xterm", **(environment or {})},
    )
    os.close(theirs)
    os.write(ours, typed)
    out = b""
    try:
        while chunk := os.read(ours, 65536):
            out += chunk
    except OSError:  # how Linux reports end of file on a pseudo-terminal
        pass
    os.close(ours)
    assert running.wait() == code, out.decode()
    return out.decode().replace("\r\n", "\n")


def at_a_terminal(columns: int, *words: str, folder: Path | None = None, typed: bytes = b"") -> list[str]:
    """Run ``arbiter WORDS`` in a pseudo-terminal and return the lines printed there, without colours."""
    shown = printed_at_a_terminal(columns, *words, folder=folder, typed=typed)
    return [line.rstrip() for line in click.unstyle(shown).splitlines()]
