"""The command ``arbiter`` as users run it: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command."""

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
    done = subprocess.run(
        [sys.executable, "-m", "arbiter", *words],
        cwd=folder,
        input=raw or typed.encode(),
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    return Ran(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.stdout)
