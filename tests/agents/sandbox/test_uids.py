"""Uids that agents run under: one per box."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys

import pytest

from arbiter.agents.sandbox import uids
from arbiter.agents.sandbox.uids import FIRST_UID, ReservedUid
from tests.agents.sandbox.running import until
from tests.tools import ROOT


def test_uids_reserved_at_the_same_time_differ() -> None:
    several = [ReservedUid() for _ in range(5)]
    assert len({reserved.uid for reserved in several}) == 5
    assert all(reserved.uid >= FIRST_UID for reserved in several)
    for reserved in several:
        reserved.close()


def test_a_released_uid_can_be_reserved_again() -> None:
    reserved = ReservedUid()
    name = f"\0arbiter-slot-{reserved.uid - FIRST_UID}"
    reserved.close()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(name)


def test_a_uid_is_released_when_its_owner_is_killed() -> None:
    source = "from arbiter.agents.sandbox.uids import ReservedUid\nreserved = ReservedUid()\nprint(reserved.uid, flush=True)\ninput()\n"
    with subprocess.Popen(
        [sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as owner:
        assert owner.stdout is not None
        name = f"\0arbiter-slot-{int(owner.stdout.readline()) - FIRST_UID}"
        with socket.socket(socket.AF_UNIX) as other, pytest.raises(OSError, match="in use"):
            other.bind(name)
        owner.kill()

    def is_free() -> bool:
        with socket.socket(socket.AF_UNIX) as other, contextlib.suppress(OSError):
            other.bind(name)
            return True
        return False

    until(is_free)


def test_running_out_of_uids_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uids, "_COUNT", 0)
    with pytest.raises(OSError, match="all 0 uids for agents are in use"):
        ReservedUid()
