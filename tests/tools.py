"""Helpers that tests share: the root of the checkout, and skipping what this machine cannot run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
"""Top folder of the checkout."""


def missing(what: str) -> NoReturn:
    """Skip the test because this machine lacks something it needs; fail it where CI is set."""
    import pytest  # here, since programs that run as another user import this module without it

    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
