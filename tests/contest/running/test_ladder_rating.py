"""A ladder pairs by the rating model it was begun with, whatever is installed where it goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml

from arbiter.cli import cli
from arbiter.contest.definition import Contest
from arbiter.contest.match_file import load_contest
from arbiter.contest.report import build_report
from arbiter.contest.runner import current_result
from arbiter.contest.saved_definition import CONTEST_FILE
from arbiter.contest.statistics import online
from arbiter.errors import UserError, install_command
from tests.contest.running.around import varied
from tests.contest.running.invented import run_invented
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

AGENTS = ("ann", "bob", "cid", "dan", "eva", "fay")
FILE = f"protocol: auction\nagents: [{', '.join(f'{name}.sh' for name in AGENTS)}]\noptions: {{rounds: 1}}\n"
LADDER = "schedule: {kind: ladder, batch: 3, rest_after: 12}\n"
MISSING = f"a ladder that pairs by openskill ratings needs openskill: {install_command('openskill')}"


def uninstall(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(sys.modules, "openskill", None)
    patch.setitem(sys.modules, "openskill.models", None)
    assert not online.available()


def ladder(place: Path, more: str = LADDER) -> Contest:
    varied(place, *AGENTS)
    return load_contest(write(place / "cup.yaml", FILE + more), save=place / "games")


def pairings(contest: Contest) -> list[tuple[str, tuple[str, ...]]]:
    numbers = current_result(contest).ledger.numbers
    return [(game.stage, game.seats) for game in sorted(numbers, key=lambda game: numbers[game])]


def saved_rating(contest: Contest) -> str:
    return str(yaml.safe_load((contest.folder / CONTEST_FILE).read_text(encoding="utf-8"))["schedule"]["rating"])


def test_the_model_is_saved_and_pairings_do_not_depend_on_what_is_installed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openskill")
    with monkeypatch.context() as patch:
        uninstall(patch)
        begun = ladder(place)
        run_invented(begun, most=11)
    assert saved_rating(begun) == "glicko"

    resumed = ladder(place)
    result, _ = run_invented(resumed)

    assert result is not None
    assert result.complete
    assert saved_rating(resumed) == "glicko"
    with monkeypatch.context() as patch:
        uninstall(patch)
        undisturbed = load_contest(write(place / "whole.yaml", FILE + LADDER), save=place / "games")
        run_invented(undisturbed)
        assert pairings(undisturbed) == pairings(resumed)


@pytest.mark.parametrize("how", ["the match file", "the folder"])
def test_going_on_where_the_package_is_missing_is_one_clear_error(
    place: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    pytest.importorskip("openskill")
    contest = ladder(place)
    run_invented(contest, most=11)
    assert saved_rating(contest) == "openskill"
    uninstall(monkeypatch)

    with pytest.raises(UserError) as refusal:
        ladder(place) if how == "the match file" else load_contest(contest.folder)

    assert str(refusal.value).endswith(f": {MISSING}")
    assert "\n" not in str(refusal.value)
    with pytest.raises(UserError) as refusal:
        cli.main(["standings", str(contest.folder)], standalone_mode=False)
    assert str(refusal.value) == MISSING


def test_the_organiser_may_choose_the_model(place: Path) -> None:
    contest = ladder(place, "schedule: {kind: ladder, batch: 3, rest_after: 12, rating: glicko}\n")
    run_invented(contest)
    assert saved_rating(contest) == "glicko"
    with pytest.raises(UserError, match=r"line 4: ladder: rating 'luck': "):
        ladder(place, "schedule: {kind: ladder, rating: luck}\n")


def test_standings_are_by_the_model_of_the_ladder(place: Path) -> None:
    contest = ladder(place)
    result, _ = run_invented(contest)
    assert result is not None
    seen = load_contest(contest.folder, only_look=True)
    assert seen.schedule == contest.schedule
    assert build_report(seen, current_result(seen)).rows == build_report(contest, result).rows
