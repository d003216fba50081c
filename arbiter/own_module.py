"""Modules of the arbiter in processes of their own.

``python -m`` would search the current folder for modules before anything else. It may be a folder of submissions, in which
a bot named ``statistics.py`` would be imported, and so run without a sandbox.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), None, '__main__', True)"
)
"""Takes the folder that the arbiter is in, which is on no path if it runs from a checkout, and the module."""


def own_module(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of the arbiter; its arguments are ``sys.argv[1:]`` there."""
    return [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[1]), module, *arguments]


def search_own_modules_only() -> None:
    """Search for modules from now on where such a process would: in a fork of this one, which has inherited its paths."""
    try:
        here = os.path.realpath(os.getcwd())  # noqa: PTH109 - a path in a list of texts
    except FileNotFoundError:  # somebody has removed it
        here = ""
    own = str(Path(__file__).parents[1])
    sys.path[:] = [entry for entry in sys.path if entry and os.path.realpath(entry) not in (here, own)]
    sys.path.append(own)
