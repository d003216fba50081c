"""Runs modules of the arbiter in separate processes.

``python -m`` would search the current folder for modules first. It may contain submissions: a bot named ``statistics.py`` would
be imported, and so run without a sandbox.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), None, '__main__', True)"
)
"""Its arguments are the arbiter's parent folder, which is not on ``sys.path`` in a checkout, and the module."""


def own_module(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of the arbiter; its arguments are ``sys.argv[1:]`` there."""
    return [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[1]), module, *arguments]


def search_own_modules_only() -> None:
    """Set ``sys.path`` to what it is in such a process; for a fork, which has inherited the paths of its parent."""
    try:
        here = os.path.realpath(os.getcwd())  # noqa: PTH109 - a path in a list of texts
    except FileNotFoundError:  # the folder has been removed
        here = ""
    own = str(Path(__file__).parents[1])
    sys.path[:] = [entry for entry in sys.path if entry and os.path.realpath(entry) not in (here, own)]
    sys.path.append(own)
