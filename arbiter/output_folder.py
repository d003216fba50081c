"""Folders to write to, checked before the work whose results go there."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def make_writable(folder: Path) -> None:
    """Make a folder, unless it exists. Raises OSError, also for a folder that may not be written to."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
