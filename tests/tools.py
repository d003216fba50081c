"""Tests that need a compiler or an interpreter which this machine may lack."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Skip the test on a machine that lacks something; where everything must be there, fail instead."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
