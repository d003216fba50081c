"""Users that agents become: one for each box."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys

import pytest

from arbiter.agents.sandbox import uids as slots
from arbiter.agents.sandbox.uids import FIRST_UID, ReservedUid
from tests.agents.sandbox.running import until
from tests.tools import ROOT


def test_slots_that_are_taken_at_the_same_time_are_different_users() -> None:
    several = [ReservedUid() for _ in range(5)]
    assert len({slot.uid for slot in several}) == 5
    assert all(slot.uid >= FIRST_UID for slot in several)
    for slot in several:
        slot.close()


def test_a_slot_that_was_closed_can_be_taken_again() -> None:
    slot = ReservedUid()
    name = f"\0arbiter-slot-{slot.uid - FIRST_UID}"
    slot.close()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(name)


def test_a_slot_is_free_again_however_its_owner_ended() -> None:
    source = "from arbiter.agents.sandbox.uids import ReservedUid\nslot = ReservedUid()\nprint(slot.uid, flush=True)\ninput()\n"
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


def test_when_all_are_taken_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_COUNT", 0)
    with pytest.raises(OSError, match="all 0 uids for agents are in use"):
        ReservedUid()
