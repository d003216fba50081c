"""Ctrl-C lets the games being played finish, a second one stops at once; whatever ends the arbiter, no process is left."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from arbiter.records.reader import load_record
from tests.contest.running.around import records, varied
from tests.contest.running.processes import (
    CUP_FILE,
    FOR_A_WORD,
    PATIENCE_S,
    RUN_CUP,
    Waiting,
    has_ended,
    interrupt,
    read_until,
    start,
    wait_until_nothing_is_left,
)
from tests.nullgame.command import arbiter
from tests.nullgame.place import write

pytestmark = pytest.mark.slow


@pytest.fixture
def cup(place: Path) -> Path:
    """A folder with a match file; where its games go is returned."""
    varied(place, "ann")
    write(place / "cup.yaml", CUP_FILE)
    return place / "games" / "cup"


def test_once_lets_the_games_being_played_finish_and_prints_the_result(place: Path, cup: Path) -> None:
    agent = Waiting(place, FOR_A_WORD)
    running = start(*RUN_CUP, folder=place)
    processes = agent.until_asked()

    interrupt(running)
    read_until(running, "stopping when the games being played are over; press Ctrl-C again to stop at once")
    agent.go_on()
    out, _ = running.communicate(timeout=PATIENCE_S)

    assert running.returncode == 128 + signal.SIGINT
    (record,) = records(cup)
    assert record.result is not None
    assert "1 of 6 games" in out
    assert "5 of 6 games are missing" in out
    assert has_ended(processes)
    again = arbiter(*RUN_CUP, folder=place)
    assert again.code == 0
    assert load_record(record.path) == record
    assert [record.header.game for record in records(cup) if record.result] == [1, 2, 3, 4, 5, 6]


def test_twice_stops_at_once(place: Path, cup: Path) -> None:
    agent = Waiting(place)
    running = start(*RUN_CUP, folder=place)
    processes = agent.until_asked()

    interrupt(running)
    read_until(running, "Ctrl-C again to stop at once")
    interrupt(running)
    out, err = running.communicate(timeout=PATIENCE_S)

    assert (running.returncode, out) == (128 + signal.SIGINT, "")
    assert err.endswith("arbiter: stopped\n")
    assert has_ended(processes)
    (record,) = records(cup)
    assert record.result is None
    again = arbiter(*RUN_CUP, folder=place)
    assert again.code == 0
    assert "1 interrupted game will be played again" in again.err
    assert len(records(cup)) == 6


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_whatever_ends_the_arbiter_ends_workers_and_agents(place: Path, cup: Path, number: signal.Signals) -> None:
    agent = Waiting(place)  # one that does not care whether anybody is there
    running = start(*RUN_CUP, folder=place)
    processes = agent.until_asked()

    running.send_signal(number)
    running.communicate(timeout=PATIENCE_S)

    assert has_ended(processes)
    wait_until_nothing_is_left(running.pid, place)
    (record,) = records(cup)
    assert record.result is None
    assert arbiter(*RUN_CUP, folder=place).code == 0


def test_ctrl_c_is_ignored_where_the_parent_ignored_it(place: Path, cup: Path) -> None:
    """As shells do for background jobs."""
    agent = Waiting(place, FOR_A_WORD)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        running = start(*RUN_CUP, folder=place)
    finally:
        signal.signal(signal.SIGINT, before)
    processes = agent.until_asked()

    interrupt(running)
    agent.go_on()
    running.communicate(timeout=PATIENCE_S)

    assert running.returncode == 0
    assert len(records(cup)) == 6
    assert has_ended(processes)
