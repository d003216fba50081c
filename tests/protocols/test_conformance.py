"""The bundled protocols pass the conformance suite that third parties run."""

from __future__ import annotations

import pytest

from arbiter.registry import find
from arbiter.testing import CHECKS, Check, Subject
from arbiter.workspace import Workspace


@pytest.mark.parametrize("name", ["drones", "green_circle", "heroes", "rails", "splendor"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_conformance(check: Check, name: str) -> None:
    check.run(Subject(find(name, Workspace())))
