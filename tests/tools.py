"""Helpers that tests share: the checkout's root, and a way to skip what this machine cannot run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent
"""Top folder of the checkout."""


def missing(what: str) -> NoReturn:
    """Skip the test on a machine that lacks something; where everything must be there, fail instead."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
