"""The bundled protocols pass the conformance suite that third parties run."""

from __future__ import annotations

import pytest

from arbiter.registry import find
from arbiter.testing import CHECKS, Check, Subject
from arbiter.workspace import Workspace


@pytest.fixture(scope="module", params=["drones", "green_circle", "heroes", "rails", "splendor"])
def subject(request: pytest.FixtureRequest) -> Subject:
    """A protocol with the games that its checks share."""
    return Subject(find(request.param, Workspace()))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_conformance(check: Check, subject: Subject) -> None:
    check.run(subject)
