"""Shell scripts that were saved with Windows line endings, which shells read as part of the commands."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from arbiter.agents.prepare.launch_spec import Launch
from arbiter.text import safe

_SHELLS = ("sh", "bash", "dash", "ksh", "zsh")
_LOOKED_AT = 1 << 16


def crlf_script(launch: Launch) -> str:
    """Return the name of the script that a shell is started with, if it has Windows line endings; empty otherwise."""
    if len(launch.argv) < 2 or Path(launch.argv[0]).name not in _SHELLS:
        return ""
    script = Path(launch.folder, launch.argv[1])
    try:
        handle = os.open(script, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # it may be a pipe, and need not be there
    except (OSError, ValueError):
        return ""
    with os.fdopen(handle, "rb") as file:
        is_file = stat.S_ISREG(os.fstat(handle).st_mode)
        return safe(script.name, 60) if is_file and b"\r\n" in file.read(_LOOKED_AT) else ""
