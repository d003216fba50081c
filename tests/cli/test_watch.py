"""Follow a contest in the terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pytest

from arbiter.cli.follow import _redraw
from arbiter.game import columns
from tests.contest.formats.making import made
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder
from tests.records import games

pytestmark = pytest.mark.slow


@pytest.fixture
def agents(place: Path) -> list[str]:
    return [adder(place, name, number) for name, number in (("high", 3), ("low", 1))]


def test_a_complete_contest_is_told_game_by_game_and_ends(agents: list[str]) -> None:
    arbiter("match", "count_up", *agents, "--games", "4", "--name", "cup", "--save", "games", "--quiet")
    told = arbiter("standings", "games/cup", "--follow")
    assert told.code == 0, told.err
    lines = told.out.splitlines()
    assert len(lines) == 4
    assert all("high wins" in line for line in lines)


def test_a_contest_is_followed_until_it_is_complete(agents: list[str]) -> None:
    words = ["match", "count_up", *agents, "--games", "2", "--name", "cup", "--save", "games", "--quiet"]
    arbiter(*words)
    more = [word if word != "2" else "6" for word in words]
    record = sorted(Path("games/cup").glob("*.jsonl"))[-1]
    record.unlink()  # so that the contest is not complete when it is first looked at
    with subprocess.Popen(
        [sys.executable, "-m", "arbiter", "standings", "games/cup", "--follow"], stdout=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stdout is not None
        assert "game    1" in watching.stdout.readline()
        assert arbiter(*more).code == 0
        rest = watching.stdout.read().splitlines()
    assert watching.returncode == 0
    assert rest


def test_a_folder_without_a_contest_is_refused(place: Path) -> None:
    refused = arbiter("standings", str(place), "--follow")
    assert refused.code == 2


def test_standings_and_games_in_hand_fit_a_terminal(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    names = ["a-name-of-forty-characters-that-is-so-long", "another-name-of-forty-characters-that-is"]
    whole = games.tampered(
        games.counting(place / "whole"), place / "named", lambda lines: lines[0].update(seats=renamed(lines[0], names))
    )
    (place / "cup").mkdir()
    running = whole.read_bytes().splitlines(keepends=True)[:3]
    (place / "cup" / "running.jsonl").write_bytes(b"".join(running))
    found = made({"kind": "round_robin", "games": 2}, names)
    _redraw(place / "cup", msgspec.structs.replace(found, complete=False))
    lines = click.unstyle(capsys.readouterr().out).splitlines()
    assert len(lines) <= 24
    assert max(map(columns, lines)) <= 80
    assert lines[-1].startswith(f"playing  {names[0]} – another")


def test_what_does_not_fit_is_counted_until_the_contest_is_complete(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    (place / "cup").mkdir()
    begun = b"".join(games.counting(place / "whole").path.read_bytes().splitlines(keepends=True)[:3])
    for number in range(8):
        (place / "cup" / f"{number}.jsonl").write_bytes(begun)
    found = made({"kind": "round_robin", "games": 2}, [f"agent-{number}" for number in range(12)])
    _redraw(place / "cup", found)
    whole = click.unstyle(capsys.readouterr().out).splitlines()
    assert len(whole) > 24
    _redraw(place / "cup", msgspec.structs.replace(found, complete=False))
    lines = click.unstyle(capsys.readouterr().out).splitlines()
    told = next(line for line in lines if line.startswith("…"))
    kept = lines.index(told)
    assert len(lines) <= 24
    assert lines[:kept] == whole[:kept]
    assert told == f"… {len(whole) - kept} more lines: arbiter standings cup"
    assert lines[-1] == "         … and 2 more"


def test_a_contest_that_nobody_plays_is_waited_for(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "cup").mkdir()
    found = made({"kind": "round_robin", "games": 2}, "ab")
    _redraw(place / "cup", msgspec.structs.replace(found, complete=False))
    assert "waiting  no game is being played; Ctrl-C ends this" in capsys.readouterr().out.splitlines()
    _redraw(place / "cup", found)
    assert "waiting" not in capsys.readouterr().out


def renamed(header: dict[str, list[dict[str, str]]], names: list[str]) -> list[dict[str, str]]:
    return [{**seat, "name": name} for seat, name in zip(header["seats"], names, strict=True)]
