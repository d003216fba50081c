"""The bundled protocols pass the conformance suite that third parties run."""

from __future__ import annotations

import pytest

from arbiter.config.workspace import Workspace
from arbiter.registry import find_protocol
from arbiter.testing import CHECKS, CheckedProtocol, ConformanceCheck

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["drones", "green_circle", "heroes", "rails", "splendor"])
def subject(request: pytest.FixtureRequest) -> CheckedProtocol:
    """A protocol with the games that its checks share."""
    return CheckedProtocol(find_protocol(request.param, Workspace()))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_conformance(check: ConformanceCheck, subject: CheckedProtocol) -> None:
    check.run(subject)
