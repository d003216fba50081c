"""What earlier runs have found, a line of JSON each. It says something about one machine, so it is kept there and not in
the repository."""

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
    """In the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "arbiter" / "bench-history.jsonl"


def append(file: Path, rows: Sequence[Row]) -> None:
    """One more run."""
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
    """With a plus where files differ from it; empty where there is no repository."""
    here = Path(__file__).parent
    try:
        asked = subprocess.run(
            ["git", "describe", "--always", "--dirty=+"], cwd=here, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return asked.stdout.strip()
