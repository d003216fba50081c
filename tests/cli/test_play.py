"""``arbiter play``: what it prints, saves and refuses."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from arbiter.cli import play
from arbiter.cli.common import this_command
from arbiter.playing.plan import Plan
from arbiter.playing.report import PlayReport
from arbiter.playing.series import play_series
from arbiter.records.reader import load_record
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write
from tests.tools import need_tool


@pytest.fixture
def pair(place: Path) -> list[str]:
    return [adder(place, "low", 1), adder(place, "high", 3)]


def saved(folder: Path) -> list[Path]:
    return sorted((folder / "matches" / "games").glob("*.jsonl"))


def test_a_game_is_played_saved_and_summarised(place: Path, pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "--seed", "5")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Count up · low vs high · seed 5"
    assert "high wins: all turns were played (6 turns)" in lines
    last = lines.index("the last moves") + 1
    moves = ["low (seat 0): adds 1", "high (seat 1): adds 3"] * 3
    assert [line[6:] for line in lines[last : last + 6]] in (moves, [*moves[1:], moves[0]])
    (record,) = saved(place)
    assert lines[-2:] == [
        f"saved    {record.relative_to(place)}",
        f"look     {shlex.quote(sys.executable)} -m arbiter show {record.relative_to(place)}",
    ]
    assert load_record(record).header.seed == 5


def test_moves_stand_under_their_rounds(place: Path) -> None:
    write(place / "stay.py", "for state in iter(input, ''):\n    print('Stay', flush=True)\n")
    agents = [f"{name}=python3 stay.py" for name in "abcd"]
    ran = arbiter("play", "heroes", *agents, "-o", "rounds=2", "-o", "map=m1", "--sandbox", "none", "--verbose")
    assert ran.code == 0, ran.err
    heroes = [f"{name} (hero {number}): stays" for number, name in enumerate("abcd", 1)]
    moves = [line if line.startswith("round") else line[6:] for line in ran.out.splitlines() if line[:5].strip()]
    first = moves.index("round 1")
    assert moves[first : first + 10] == ["round 1", *heroes, "round 2", *heroes], "as they are played"
    last = moves.index("round 1", first + 1)
    assert moves[last : last + 8] == ["round 1", *heroes[2:], "round 2", *heroes], "the last moves"


def test_a_series_that_is_stopped_ends_with_the_results_so_far(
    place: Path, pair: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(plan: Plan, *, games: int, **more: Any) -> PlayReport:
        play_series(plan, games=games - 18, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "play_series", stopped)
    with pytest.raises(click.Abort):
        play.command.main(["count_up", *pair, "--games", "20", "-o", "turns=2"], standalone_mode=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:4] for line in lines if line.startswith(("low", "high"))] == [
        ["high", "2", "0", "0"],
        ["low", "0", "0", "2"],
    ]
    assert lines[-1] == "saved    matches/games"


def test_verbose_shows_every_move_with_names_that_follow_the_seats(pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "--seed", "5", "--games", "2", "-v", "-q", "-o", "turns=2")
    moves = [line for line in ran.out.splitlines() if "adds" in line]
    assert len(moves) == 4
    assert all(("low" in move) == ("adds 1" in move) and ("high" in move) == ("adds 3" in move) for move in moves)


def test_a_series_ends_with_a_table_best_first(place: Path, pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "--games", "4", "--seed", "1")
    table = [line.split() for line in ran.out.splitlines() if line.startswith(("high ", "low "))]
    assert [row[:5] for row in table] == [["high", "4", "0", "0", "9"], ["low", "0", "0", "4", "3"]]
    assert "saved    matches/games\n" in ran.out
    assert len(saved(place)) == 4


def test_faults_are_shown(place: Path, pair: list[str]) -> None:
    bad = adder(place, "bad", "7 up")
    ran = arbiter("play", "count_up", bad, pair[0], "--seed", "1")
    assert "bad (seat 0): illegal, add 1, 2 or 3" in ran.out
    assert "3 illegal" in ran.out
    assert arbiter("play", "count_up", bad, pair[0], "--seed", "1", "-q").out.count("3 illegal") == 1


def test_a_crash_is_shown_with_the_standard_error_of_the_program(place: Path, pair: list[str]) -> None:
    write(place / "crash.py", 'import sys\nsys.stdin.read()\nprint("debug")\nraise KeyError("oops")\n')
    ran = arbiter("play", "count_up", "crash.py", pair[0], "--seed", "1")
    assert ran.out.count("        stderr | KeyError: 'oops'\n") == 1  # of three: the first of its kind
    assert "        answer | debug\n" in ran.out
    (record,) = saved(place)
    assert ran.out.endswith(f" show {record.relative_to(place)} --faults\n")
    shown = arbiter("show", record, "--faults").out
    assert shown.count("        stderr | KeyError: 'oops'\n") == 3
    assert "total" not in shown
    assert arbiter("show", record, "--find", "oops").out.count(": adds ") == 3
    assert "no turn matches" in arbiter("show", record, "--find", "nowhere").out


def test_control_characters_from_agents_are_escaped(place: Path) -> None:
    rude = adder(place, "rude", "'2 \x1b[2J\x07'; echo 'kibitz \x1b]0;title\x07' >&2")
    ran = arbiter("play", "count_up", rude, "--seed", "1", "-v")
    assert ran.code == 0
    assert "\x07" not in ran.out
    assert "\x1b[2J" not in ran.out
    assert "“\\x1b[2J\\x07”" in ran.out


def test_options_are_chosen_and_shown(pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "-o", "turns=3", "--option", "bonus=yes", "--seed", "1")
    assert ran.out.splitlines()[0] == "Count up · low vs high · seed 1 · turns=3 · bonus=True"
    assert "(3 turns)" in ran.out


def test_an_option_may_be_the_contents_of_a_file(place: Path, pair: list[str]) -> None:
    write(place / "pace.txt", "fast")
    assert "pace=fast" in arbiter("play", "count_up", *pair, "-o", "pace=@pace.txt", "--seed", "1").out


def test_games_are_saved_in_the_folder_given(place: Path, pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "--save", "my games", "--seed", "1")
    (record,) = (place / "my games").iterdir()
    assert f" show 'my games/{record.name}'\n" in ran.out


def test_a_game_starts_from_the_setup_and_the_seed_of_another(shelf: Path, pair: list[str]) -> None:
    folder = Path(pair[0]).parent
    ran = arbiter("play", "count_up", *pair, "--setup", shelf / "counted.jsonl", "-q")
    assert ran.code == 0
    (record,) = saved(folder)
    assert load_record(record).header.setup == load_record(shelf / "counted.jsonl").header.setup
    assert (load_record(record).header.seed, load_record(record).header.setup_given) == (3, True)
    assert arbiter("verify", record).code == 0


def test_the_lifetime_of_agents_can_be_chosen(place: Path) -> None:
    agent = write(place / "bot.sh", "read -r seat\nn=0\nwhile read -r state; do n=$((n + 1)); echo $n; done\n")
    ran = arbiter("play", "count_up", str(agent), "--lifetime", "game", "-o", "turns=3", "-q")
    assert ran.out.splitlines()[-1].split()[:4] == ["1", "0", "bot", "6"]


def test_too_many_agents_and_unknown_protocols(pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, *pair, *pair)
    assert (ran.code, ran.err) == (2, "arbiter: Count up needs 1 to 4 agents, not 6\n")
    ran = arbiter("play", "cuont_up", *pair)
    assert (ran.code, ran.err) == (2, "arbiter: unknown protocol 'cuont_up'; did you mean 'count_up'?\n")


def test_a_build_failure_shows_the_compilers_messages(place: Path) -> None:
    need_tool("cc")
    ran = arbiter("play", "count_up", str(write(place / "bot.c", "int main(void) { return nonsense; }\n")))
    assert ran.code == 2
    assert ran.err.startswith("arbiter: bot.c does not build (exit status 1):\n")
    assert "nonsense" in ran.err


@pytest.mark.parametrize(
    ("started", "path", "typed"),
    [
        ("bin/arbiter", "bin", "arbiter"),
        ("bin/arbiter", "other", "bin/arbiter"),
        ("bin/arbiter", "empty", "bin/arbiter"),
        ("lib/arbiter/__main__.py", "bin", "py -m arbiter"),
    ],
)
def test_suggested_commands_run_the_same_arbiter(
    started: str, path: str, typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("bin", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "arbiter").write_text("#!/bin/sh\n")
        (tmp_path / folder / "arbiter").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / path))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / started)])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "py"))
    assert this_command() == typed


def test_without_a_seed_one_of_128_bits_is_drawn_which_gives_the_same_game_again(place: Path, pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "-o", "bonus=on")
    assert (ran.code, ran.err) == (0, "")
    (record,) = (place / "matches/games").glob("*.jsonl")
    first = load_record(record)
    assert first.header.seed > 2**64
    assert "seed" not in ran.out, "it has more digits than people read; the record has them"
    assert arbiter("verify", record).code == 0
    assert str(first.header.seed) in arbiter("games", "--json").out

    arbiter("play", "count_up", *pair, "-o", "bonus=on", "--seed", str(first.header.seed), "--save", "again", "-q")
    (again,) = (place / "again").glob("*.jsonl")
    assert first.result
    assert load_record(again).result.digest == first.result.digest  # type: ignore[union-attr]
