"""Agents, sandbox and settings of a contest are resolved once, before the first game; workers get the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arbiter.contest import entries
from arbiter.contest.match_file import load_contest
from arbiter.contest.runner import run_contest
from arbiter.playing import planning
from tests.contest.running.around import VARIED, records, varied
from tests.nullgame.place import arbiter_toml, write

pytestmark = pytest.mark.slow

FILE = """\
protocol: auction
agents: [named, bots, sh cid.sh]
options: {rounds: 1}
schedule: {kind: round_robin, games: 4}
lifetime: game
clock: wall
sandbox: none
workers: 2
"""


def cup(place: Path) -> Path:
    varied(place / "bots", "ann", "bob")
    varied(place, "cid", "dan")
    named = '[agents.named]\nagent = "dan.sh"\nlimits = { move = "7s" }\n[limits]\nmemory = "123MB"\n'
    arbiter_toml(place, named)
    return write(place / "cup.yaml", FILE)


def test_workers_play_though_arbiter_toml_is_broken_or_gone_since(place: Path) -> None:
    file = cup(place)
    for name, change in (("broken", lambda toml: toml.write_text("][")), ("gone", Path.unlink)):
        contest = load_contest(file, save=place / name)
        change(place / "arbiter.toml")

        result = run_contest(contest)

        assert result.complete
        assert not any(kinds for outcome in result.counted for kinds in outcome.faults)
        seats = [seat for record in records(contest.folder) for seat in record.header.seats]
        assert {seat.limits["move"] for seat in seats if seat.name == "named"} == {"7s"}
        assert {seat.limits["memory"] for seat in seats} == {"123MB"}
        cup(place)


@pytest.mark.usefixtures("in_process")
def test_each_agent_is_prepared_and_each_check_made_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()

    def count(module: Any, name: str) -> None:
        real: Callable[..., Any] = getattr(module, name)

        def counted(*given: Any, **named: Any) -> Any:
            calls[name] += 1
            return real(*given, **named)

        monkeypatch.setattr(module, name, counted)

    file = cup(place)
    count(entries, "resolve_agent")
    for name in ("fingerprint", "choose_sandbox", "plan_games"):
        count(planning, name)
    monkeypatch.setattr("arbiter.contest.making.plan_games", planning.plan_games)

    run_contest(load_contest(file))

    assert calls == {"resolve_agent": 4, "fingerprint": 4, "choose_sandbox": 1, "plan_games": 1}


@pytest.mark.usefixtures("in_process")
def test_a_program_that_changes_after_the_plan_keeps_the_fingerprint_of_the_plan(place: Path) -> None:
    contest = load_contest(cup(place))
    assert contest.plan is not None
    planned = {entrant.agent.name: entrant.fingerprint for entrant in contest.plan.entrants}
    write(place / "dan.sh", VARIED.format(5))
    run_contest(replace(contest, workers=1))
    for record in records(contest.folder):
        assert {seat.name: seat.fingerprint for seat in record.header.seats}.items() <= planned.items()
