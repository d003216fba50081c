"""Stalls of the machine: when the sentinel of a core is asked to watch."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import cast

import pytest

from arbiter.agents.clock import sentinel
from arbiter.agents.clock.metered import MeteredProcess
from arbiter.agents.clock.sentinel import Sentinel
from arbiter.agents.clock.stalls import WATCHED_AFTER_SLOW, MachineReadings, Stalls


def test_questions_after_a_slow_one_are_watched_before_they_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    beats: list[int] = []

    def beat(_: Sentinel, now_ns: int) -> bool:
        beats.append(now_ns)
        return False

    monkeypatch.setattr(Sentinel, "beat", beat)
    process = cast(MeteredProcess, SimpleNamespace(cpu_clock=7, own_cpu_ns=lambda: 0, usage_file=None))
    with contextlib.closing(MachineReadings.open()) as machine:
        stalls = Stalls(machine, frozenset({0}), 0, watched=True)

        def watched_before(took_ns: int, limit_ns: int = 0) -> bool:
            beats.clear()
            stalls.expect(0)
            found = bool(beats)
            stalls.begin(process, 0, 0, 0, limit_ns)
            stalls.rest(took_ns)  # the arbiter may have waited for a core all the time, and not have watched it
            return found

        quick_ns, slow_ns = sentinel.NEEDED_NS - 1, sentinel.NEEDED_NS
        assert not watched_before(quick_ns)
        assert not watched_before(slow_ns)
        assert watched_before(slow_ns)
        assert all(watched_before(quick_ns) for _ in range(WATCHED_AFTER_SLOW))
        assert not watched_before(quick_ns)
        far_ns = 1000 * slow_ns  # a limit so far away that no stall matters
        assert not watched_before(slow_ns, far_ns)
        assert not watched_before(slow_ns, far_ns)
