"""Check before a game starts that the kernel can execute a file: exec would fail in the middle of the game."""

from __future__ import annotations

import os
import platform
import re
import shutil
from pathlib import Path

from arbiter.errors import UserError

_ELF_MACHINES = {"x86_64": 62, "aarch64": 183, "i386": 3, "i686": 3, "riscv64": 243, "ppc64le": 21, "s390x": 22}
"""The e_machine field of an ELF header, by the name that uname gives the machine."""


def check_executable(text: str, path: Path) -> None:
    """Raise UserError if a file is neither a script with an installed interpreter nor a binary for this machine.

    ``text`` is what the user typed for it.
    """
    with path.open("rb") as file:
        start = file.read(256)
    if start.startswith(b"#!"):
        _check_interpreter(text, start)
    elif start.startswith(b"\x7fELF"):
        machine = int.from_bytes(start[18:20], "little" if start[5:6] == b"\x01" else "big")
        if _ELF_MACHINES.get(platform.machine(), machine) != machine:
            raise UserError(f"{text} was compiled for another architecture (this machine is {platform.machine()})")
    else:
        raise UserError(f"{text} is neither a binary nor a script with a first line such as '#!/usr/bin/env python3'")


def _check_interpreter(text: str, start: bytes) -> None:
    # Split as the kernel does: a carriage return is part of the interpreter's name, which then does not exist.
    words = re.split(r"[ \t]+", start[2:].split(b"\n", 1)[0].decode(errors="replace").strip(" \t"))
    interpreter = words[0]
    if not os.access(interpreter, os.X_OK):
        raise UserError(
            f"{text}: the interpreter {interpreter!r} in its first line does not exist or is not executable"
        )
    by_env = Path(interpreter).name == "env" and len(words) > 1 and not words[1].startswith("-")
    if by_env and not shutil.which(words[1]):
        raise UserError(f"{text}: the interpreter {words[1]!r} in its first line is not installed")
