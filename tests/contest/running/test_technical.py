"""Games spoilt by the machine or the arbiter are not the agents' fault: they are reported, and played again on request."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arbiter.contest import runner, worker
from arbiter.contest.ledger import ANNULLED, Ledger
from arbiter.contest.pool import Pool
from arbiter.contest.progress import ContestProgress
from arbiter.contest.report import build_report
from arbiter.contest.runner import run_contest
from arbiter.contest.scheduled import ScheduledGame
from arbiter.contest.worker import Done
from arbiter.errors import UserError
from arbiter.playing import one_game
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan
from arbiter.records.reader import load_record
from arbiter.records.summary import GameSummary
from tests.contest.running.around import auction, plan_of, records, varied
from tests.contest.running.invented import Workers
from tests.contest.running.processes import CUP_FILE, PATIENCE_S, RUN_CUP, Waiting, has_ended, start
from tests.nullgame.place import BIDS, write

pytestmark = pytest.mark.slow

LOST = "a worker was killed by signal 9"


def killed_worker(place: Path, *more: str) -> tuple[int, str]:
    """Run a contest whose worker is killed in the middle of a game: exit code and what was said of it."""
    varied(place, "ann")
    write(place / "cup.yaml", CUP_FILE)
    agent = Waiting(place)
    running = start(*RUN_CUP, *more, folder=place)
    processes = agent.until_asked()
    os.kill(agent.worker, signal.SIGKILL)
    _, err = running.communicate(timeout=PATIENCE_S)
    assert has_ended(processes)
    return running.returncode, err


def test_a_game_whose_worker_was_killed_is_played_again_in_the_same_run(place: Path) -> None:
    code, said = killed_worker(place)

    assert (code, f"game 1 is played again: {LOST}" in said) == (0, True)
    found = records(place / "games" / "cup")
    assert [(record.header.game, bool(record.result)) for record in found] == [(n, True) for n in range(1, 7)]


class Deadly(Workers):
    """Simulated workers that one game kills, every time, before its end."""

    def wait(self) -> Iterator[tuple[Job, Done]]:
        if self._open[0][0].number == 2:
            job, writer = self._open.pop(0)
            writer.__exit__()
            yield job, Done(job.number, LOST, lost=True)
        else:
            yield from super().wait()


@pytest.mark.parametrize("retry_technical", [False, True])
def test_a_game_that_kills_its_worker_every_time_is_given_up_and_named(
    place: Path, monkeypatch: pytest.MonkeyPatch, retry_technical: bool
) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})
    monkeypatch.setattr(runner, "Pool", Deadly(plan_of(contest), Random(1), None))

    result = run_contest(replace(contest, workers=1, retry_technical=retry_technical))

    assert (result.complete, len(result.counted)) == (False, 3)
    assert result.progress.not_played == {2: f"{LOST}, after 3 tries"}
    assert result.progress.announcements.count(f"game 2 is played again: {LOST}") == 2
    assert not result.ledger.secrets[0].revealed, "a game is still to be played"


def test_workers_that_cannot_even_start_are_one_error(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 20})
    monkeypatch.setattr(sys, "executable", "/bin/false")
    over = threading.Event()
    other = threading.Thread(target=over.wait)  # so that workers are new interpreters, and not forks
    other.start()
    try:
        with pytest.raises(UserError, match="workers cannot be started: a worker ended with exit status 1"):
            run_contest(contest)
    finally:
        over.set()
        other.join()


class Deaf(Workers):
    """Simulated workers that die right after the last line of every game."""

    def wait(self) -> Iterator[tuple[Job, Done]]:
        for job, _ in super().wait():
            yield job, Done(job.number, LOST)


def test_a_game_counts_if_its_record_is_whole_whatever_became_of_the_worker(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})
    pool = Deaf(plan_of(contest), Random(1), None)
    monkeypatch.setattr(runner, "Pool", pool)

    result = run_contest(replace(contest, retry_technical=True))

    assert (result.complete, len(result.counted), len(pool.played)) == (True, 4, 4)


def test_a_worker_that_is_gone_when_it_is_given_a_game_takes_only_that_game_along(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"))
    jobs = [Job(ScheduledGame(("ann", "bob"), seed), seed, str(contest.folder / f"{seed}.jsonl")) for seed in (1, 2, 3)]
    done: list[tuple[int, str]] = []
    with Pool(plan_of(contest), contest.definition.name, 1) as pool:
        for job in jobs:
            pool.begin(job)
            while pool.in_hand:
                done += [(job.number, done.error) for job, done in pool.wait()]
            if job.number == 1:
                pool._workers[0]._process.kill()
                pool._workers[0]._process.wait(PATIENCE_S)
    assert done == [(1, ""), (2, LOST), (3, "")]


# -- an agent that cannot be started


def with_a_tool(place: Path) -> tuple[Path, list[str]]:
    tool = write(place / "tool", f"#!/bin/sh\n{BIDS.format(5)}", executable=True)
    return tool, [*varied(place, "ann"), str(tool)]


@pytest.mark.usefixtures("in_process")
def test_a_game_whose_agent_could_not_be_started_is_played_again_and_its_record_kept(place: Path) -> None:
    tool, agents = with_a_tool(place)
    contest = auction(place, agents, {"kind": "round_robin", "games": 6}, retry_technical=True)

    def observe(progress: ContestProgress, _: Ledger) -> None:
        if progress.now_played == 1:  # no program for now; once the retry is noted, it is back
            tool.chmod(0o755 if any("is played again" in note for note in progress.announcements) else 0o644)

    result = run_contest(contest, observe)

    assert result.complete
    assert "game 2 is played again: an agent could not be started" in result.progress.announcements
    assert not any(outcome.technical for outcome in result.counted)
    (annulled,) = (contest.folder / ANNULLED).iterdir()
    kept = load_record(annulled).annulled
    assert kept is not None
    assert kept.because == "technical: an agent could not be started"
    assert not any("played again" in note for note in build_report(contest, result).notes)


@pytest.mark.usefixtures("in_process")
def test_it_counts_after_the_third_try(place: Path) -> None:
    tool, agents = with_a_tool(place)
    contest = auction(place, agents, {"kind": "round_robin", "games": 2}, retry_technical=True)

    result = run_contest(contest, lambda progress, _: tool.chmod(0o644 if progress.now_played else 0o755))

    assert (result.complete, len(result.counted)) == (True, 2)
    assert [outcome.technical for outcome in result.counted] == [False, True]
    assert len(list((contest.folder / ANNULLED).iterdir())) == 2
    tool.chmod(0o755)
    replayed = run_contest(contest)
    assert not any(outcome.technical for outcome in replayed.counted)
    assert "game 2 was annulled: an agent could not be started" in replayed.progress.announcements


@pytest.mark.usefixtures("in_process")
def test_by_default_it_counts_as_it_is(place: Path) -> None:
    tool, agents = with_a_tool(place)
    contest = auction(place, agents, {"kind": "round_robin", "games": 2})

    result = run_contest(contest, lambda progress, _: tool.chmod(0o644 if progress.now_played else 0o755))

    assert (result.complete, len(result.counted)) == (True, 2)
    assert not (contest.folder / ANNULLED).exists()


@pytest.mark.usefixtures("in_process")
def test_a_bug_in_the_arbiter_costs_one_game_and_is_shown(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})

    def play_game(plan: Plan, job: Job, *given: Any, **named: Any) -> GameSummary:
        if job.number == 3:
            raise ZeroDivisionError("by and by")
        return one_game.play_game(plan, job, *given, **named)

    monkeypatch.setattr(worker, "play_game", play_game)

    result = run_contest(contest)

    assert (result.complete, len(result.counted)) == (False, 3)
    assert result.progress.not_played == {3: "a bug in arbiter: ZeroDivisionError('by and by')"}
    assert any("Traceback" in note and "in play_game" in note for note in result.progress.notes)


# -- nothing an agent does is technical

SPOILS_ITS_HOME = """
read -r seat
read -r word prize
chmod 0 . 2>/dev/null
echo 0
"""
"""Gives one answer and then sees to it that it cannot be started again, as one would that is about to lose."""


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("level", ["only:rlimits", "auto"])
def test_an_agent_that_cannot_be_started_again_has_lost_its_game(place: Path, level: str) -> None:
    """At level rlimits and above its folder is its own; without a sandbox it may spoil whatever its user can."""
    spoiler = str(write(place / "its home" / "spoiler.sh", SPOILS_ITS_HOME))
    schedule = {"kind": "round_robin", "games": 2}
    contest = auction(place, [*varied(place, "ann"), spoiler], schedule, rounds=3, sandbox=level)
    contest = replace(contest, retry_technical=True)

    result = run_contest(contest)

    assert (result.complete, len(result.counted)) == (True, 2)
    assert not any(outcome.technical for outcome in result.counted)
    assert not (contest.folder / ANNULLED).exists()
