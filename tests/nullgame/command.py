"""Runs the command ``arbiter`` in a separate process, as users do."""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.fork_server import ForkServer

_STARTS_PYTHON = re.compile("PYTHON|LANG|LC_|LD_|TZ|MALLOC_")
"""Names of variables that are read before a program begins, or while it is loaded."""


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of a command."""

    code: int
    out: str
    err: str
    raw: bytes
    """Standard output as it came."""

    @property
    def document(self) -> Any:
        """Standard output as the one JSON document it must be."""
        return json.loads(self.out)


def arbiter(
    *words: str | Path,
    folder: Path | None = None,
    typed: str = "",
    raw: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> Ran:
    """Run ``arbiter WORDS`` to its end, with this on its standard input."""
    whole, sent = {**os.environ, **(environment or {})}, raw or typed.encode()
    if server := fork_server(whole):
        code, out, err = server.run(list(map(str, words)), folder or Path.cwd(), whole, sent)
    else:
        done = subprocess.run(
            [sys.executable, "-m", "arbiter", *words],
            cwd=folder,
            input=sent,
            capture_output=True,
            check=False,
            env=whole,
        )
        code, out, err = done.returncode, done.stdout, done.stderr
    return Ran(code, out.decode(errors="replace"), err.decode(errors="replace"), out)


def fork_server(environment: Mapping[str, str]) -> ForkServer | None:
    """Return the fork server of this run of tests; None if Python would start differently in this environment."""
    server = started_fork_server()
    changed = {name for name, _ in environment.items() ^ server.started_with.items()}
    return None if any(_STARTS_PYTHON.match(name) for name in changed) else server


@cache
def started_fork_server() -> ForkServer:
    """Return the fork server, which is started on first use. Processes that are forked after that share it."""
    server = ForkServer()
    atexit.register(server.close)
    return server
