"""The display of a running contest."""

from __future__ import annotations

import io
import itertools
import re
from pathlib import Path

import click
import pytest
from rich.console import Console

from arbiter.cli.contest_drawing import ContestDrawing, last_turn
from arbiter.cli.contest_screen import progress_line
from arbiter.contest.progress import ContestProgress, RunningGame
from arbiter.contest.statistics.stopping_rules import QuestionAnswer
from arbiter.game import columns
from tests.cli.terminal import printed_at_a_terminal
from tests.contest.fake_game import play_all
from tests.contest.formats.making import contest, ended, lively
from tests.nullgame.place import bidder
from tests.records import games

pytestmark = pytest.mark.slow

NAMES = ["a" * 40, "長い名前の代理人" * 5, "c", "d" * 24, "\x1b[31mred\n"]


def picture(width: int, height: int, progress: ContestProgress, of_seats: int = 4) -> list[str]:
    """What is drawn of a contest in which all games but one have been played."""
    of = contest({"kind": "round_robin", "seats": of_seats}, NAMES, title="Spring cup")
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=False)
    drawing = ContestDrawing(of, console)
    drawing.update(progress, ended(of, play_all(of.schedule, NAMES, lively).values()).ledger)
    console.print(drawing.draw())
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return [line.rstrip() for line in text.splitlines()]


def at_work(record: Path | str = "/nowhere") -> ContestProgress:
    playing = tuple(RunningGame(worker, 100 + worker, NAMES[:4], str(record)) for worker in range(12))
    return ContestProgress(NAMES, 120, 90, now_played=3, running=playing)


@pytest.mark.parametrize("width", [80, 140])
@pytest.mark.parametrize("height", [24, 60])
def test_it_fits_the_terminal_and_cuts_no_figure(width: int, height: int) -> None:
    lines = picture(width, height, at_work())
    assert max(map(columns, lines)) <= width
    assert len(lines) <= height
    top = next(at for at, line in enumerate(lines) if line.startswith("place"))
    head = " ".join(itertools.takewhile(lambda line: not line.startswith("--"), lines[top:])).split()
    assert {"place", "agent", "games", "score", "(95", "interval)", "faults"} <= set(head)
    assert "\\x1b[31mred\\n" in "\n".join(lines), "control characters are escaped"


def test_the_bar_is_on_top_with_the_heading_under_it() -> None:
    lines = picture(80, 50, at_work())
    assert lines[0] == "━" * 80
    assert lines[1].startswith("Spring cup  90 of 120 games, about ")


def test_games_being_played_are_listed_with_worker_agents_and_turn(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    games.counting(record)
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:4]))
    lines = picture(80, 50, at_work(record))
    heads = next(index for index, line in enumerate(lines) if line.startswith("worker"))
    assert lines[heads].split() == ["worker", "game", "turn", "agents,", "by", "seat"]
    assert lines[heads + 2].split()[:3] == ["0", "100", "3"]
    assert lines[heads + 10] == "… and 4 more being played"


def test_the_turn_of_a_game_that_has_hardly_begun(tmp_path: Path) -> None:
    assert last_turn(tmp_path / "nowhere") == 0
    begun = tmp_path / "begun.jsonl"
    begun.write_bytes(b'{"type":"header","setup":{"turn":7}}\n{"type":"answer","turn":1,"sea')
    assert last_turn(begun) == 1


def test_a_contest_without_an_end_has_no_total_and_no_bar() -> None:
    assert progress_line(ContestProgress(["a", "b"], 14, 12)) == "12 of 14 games"
    assert progress_line(ContestProgress(["a", "b"], None, 14)) == "14 games"


def test_a_moment_is_not_no_time_at_all() -> None:
    assert progress_line(ContestProgress(["a", "b"], 14, 13, now_played=13)) == "13 of 14 games, about 1 s left"


def test_a_question_may_end_the_contest_before_the_last_game() -> None:
    progress = ContestProgress(["a", "b"], 14, 12, now_played=12)
    progress.answer = QuestionAnswer(verdict="not yet", sentence="who knows", games=12)
    games, left, sentence = progress_line(progress).split(", ")
    assert (games, left.split()[:2], sentence) == ("12 of at most 14 games", ["at", "most"], "who knows")
    progress.answer = QuestionAnswer(verdict="yes", sentence="it is", games=12, settled_after=12)
    assert progress_line(progress) == "12 of at most 14 games, it is"


def cup(place: Path) -> list[str]:
    agents = [bidder(place, "a" * 40, 4), bidder(place, "b", 9)]
    return ["match", "auction", *agents, "-n", "4", "--name", "cup", "--workers", "1"]


def test_without_colours_nothing_is_styled(place: Path) -> None:
    out = printed_at_a_terminal(80, *cup(place), "--color", "never", folder=place)
    assert "━" in out
    assert "\x1b[2K" in out, "the display is removed again"
    assert re.search(r"\x1b\[[0-9;]*m", out) is None
    assert any("4 games" in line for line in click.unstyle(out).splitlines())


def test_a_dumb_terminal_gets_lines_without_control_characters(place: Path) -> None:
    out = printed_at_a_terminal(80, *cup(place), folder=place, environment={"TERM": "dumb"})
    assert "4 of 4 games" in out
    assert "\x1b[2K" not in out
    assert "\x1b[1A" not in out
    progress = out[: out.index("4 of 4 games")].splitlines()
    assert max(map(len, progress)) <= 80, "the secret and the sandbox are announced in lines that fit"
