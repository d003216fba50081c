"""Agents come and go while a contest runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from arbiter.cli.run import _reloaded
from arbiter.contest.definition import Contest
from arbiter.contest.runner import run_contest
from arbiter.contest.schedules.rating import glicko
from arbiter.errors import UserError

from .around import auction, varied

pytestmark = pytest.mark.slow

LADDER = {"kind": "ladder", "batch": 2, "rest_after": 8}


def test_a_newcomer_to_a_ladder_plays_and_an_agent_that_left_does_not(place: Path) -> None:
    agents = varied(place, "a", "b", "c", "d")
    before = auction(place, agents[:3], LADDER)
    after = auction(place, agents[1:], LADDER)
    changes = iter([None, after])
    result = run_contest(before, reload=lambda: next(changes, None))

    numbers = result.ledger.numbers
    seats = [key.seats for key in sorted(numbers, key=lambda key: numbers[key])]
    with_d = [index for index, names in enumerate(seats) if "d" in names]
    with_a = [index for index, names in enumerate(seats) if "a" in names]
    assert with_a
    assert with_d
    assert max(with_a) < min(with_d)
    assert result.progress.notes == ["d takes part from now on", "a has left"]
    assert result.progress.names == ("b", "c", "d")


def test_a_change_that_cannot_be_used_is_noted_and_the_contest_goes_on(place: Path) -> None:
    contest = auction(place, varied(place, "a", "b", "c"), LADDER)

    def reload() -> Contest | None:
        raise UserError("cup.yaml, line 3: no such file 'x'")

    result = run_contest(contest, reload=reload)
    assert result.complete
    assert set(result.progress.notes) == {"the change is ignored: cup.yaml, line 3: no such file 'x'"}


def test_the_file_is_read_again_when_it_has_changed(place: Path) -> None:
    varied(place, "a", "b", "c")
    file = place / "cup.yaml"

    def say(*agents: str) -> None:
        file.write_text(yaml.safe_dump({"protocol": "auction", "agents": list(agents)}), encoding="utf-8")

    say("a.sh", "b.sh")
    reload = _reloaded(file, place / "games")
    assert reload() is None
    say("a.sh", "b.sh", "c.sh")
    os.utime(file, ns=(1, 1))  # whatever the file system's clock makes of it
    changed = reload()
    assert changed is not None
    assert changed.names == ("a", "b", "c")
    assert reload() is None
    file.unlink()
    assert _gone(file, reload)


def _gone(file: Path, reload: object) -> bool:
    try:
        reload()  # type: ignore[operator]
    except UserError as error:
        return str(file) in str(error)
    return False


def test_ladders_are_rated_in_the_order_of_the_schedule(place: Path) -> None:
    contest = auction(place, varied(place, "a", "b", "c"), LADDER)
    result = run_contest(contest)
    order = contest.schedule.final_order(contest.names, result.ledger.played)
    assert order is not None
    played = result.ledger.played
    in_order = [played[key] for key in sorted(played, key=lambda key: (int(key.stage.split()[1]), key))]
    expected = glicko(contest.names, {outcome.game: outcome for outcome in in_order})
    found = {position.agent: position.figures["rating"] for position in order}
    assert found == {name: mean for name, (mean, _) in expected.items()}
