"""The results of earlier runs, one line of JSON per run. They are valid for one machine only, so they are kept in the
user's cache folder and not in the repository."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.row import Row, as_json


def default() -> Path:
    """Return the default file, in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "arbiter" / "bench-history.jsonl"


def append(file: Path, rows: Sequence[Row]) -> None:
    """Append the results of a run."""
    entry = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.node()} {platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "commit": _commit(),
        "rows": [as_json(row) for row in rows],
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as history:
        history.write(json.dumps(entry) + "\n")


def _commit() -> str:
    """Return the current commit, with a plus if files differ from it; empty outside a repository."""
    here = Path(__file__).parent
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+"], cwd=here, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip()
