"""``arbiter games``: list and search saved games."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arbiter import play
from arbiter.cli import cli
from arbiter.config.workspace import Workspace
from arbiter.records.search.folder import INDEX
from tests.cli.terminal import at_a_terminal
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, arbiter_toml, bidder, write
from tests.tools import ROOT

SAMPLES = ROOT / "matches" / "samples"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with six records: four games, the second of them played again, and a record that is cut off.

    ``talker`` prints kibitz in every move, ``wrong`` makes a fault in every move.
    """
    folder = tmp_path_factory.mktemp("played")
    arbiter_toml(folder)
    one, two = adder(folder / "bots", "one", 1), adder(folder / "bots", "two", 2)
    wrong = adder(folder / "bots", "wrong", "zehn")
    bidders = bidder(folder / "bots", "five", 5), bidder(folder / "bots", "six", 6)
    talker = write(folder / "bots" / "talker.sh", "read -r seat\nread -r state\necho kibitz I See $state >&2\necho 3\n")
    here, options = Workspace(folder), {"turns": 2}
    for seed, agents in enumerate(((one, two), (two, wrong), (one, str(talker))), 1):
        play("count_up", agents, games=1, seed=seed, options=options, workspace=here)
    again = play("count_up", (two, wrong), seed=2, options=options, workspace=here, save=folder / "matches/games/cup 1")
    play("auction", bidders, seed=4, options={"rounds": 1}, workspace=here)
    cut = Path(again.games[0].record).with_name("cut.jsonl")
    cut.write_bytes(b"".join(Path(again.games[0].record).read_bytes().splitlines(keepends=True)[:2]))
    return folder


def test_every_saved_game_is_listed_newest_first(played: Path) -> None:
    ran = arbiter("games", folder=played)
    assert (ran.code, ran.err) == (0, "")
    head, rule, *rows, blank, note, look = ran.out.splitlines()
    assert note == "* first place"
    assert head.split() == ["started", "(UTC)", "protocol", "agents", "turns", "faults", "record"]
    assert (set(rule), blank) == ({"-", " "}, "")
    cells = [re.split(" {2,}", row) for row in rows]
    won = arbiter("games", "--json", "--won", "six", folder=played).document["games"][0]["scores"][1]
    assert sorted(row[1:-1] for row in cells) == [
        ["auction", f"five 0, six* {won:.0f}", "1", "-"],
        ["count_up", "one 1, talker* 3", "2", "-"],
        ["count_up", "one 1, two* 2", "2", "-"],
        ["count_up", "two* 2, wrong 0", "2", "wrong 1 garbled"],
        ["count_up", "two* 2, wrong 0", "2", "wrong 1 garbled"],
        ["count_up", "two, wrong: unfinished", "1", "-"],
    ]
    assert {row[-1] for row in cells} == set(paths(played))
    times = [row[:16] for row in rows]
    assert times == sorted(times, reverse=True)
    assert look.endswith(f" show {shlex.quote(cells[0][-1])}")


def paths(folder: Path, *words: str) -> list[str]:
    return arbiter("games", "--format", "paths", *words, folder=folder).out.splitlines()


def test_paths_are_for_other_programs(played: Path) -> None:
    found = paths(played)
    assert len(found) == 6
    assert all((played / path).is_file() for path in found)
    shell = f"{shlex.quote(sys.executable)} -m arbiter"
    line = f"{shell} games --format paths --finished | xargs -r -d '\\n' {shell} verify"
    ran = subprocess.run(["/bin/sh", "-c", line], cwd=played, capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("5 of 5 saved games verified\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--agent two", 4),
        ("--agent two --agent one", 1),
        ("--won two --lost one", 1),
        ("--lost wrong", 2),
        ("--protocol auction", 1),
        ("--fault any", 2),
        ("--fault late --fault garbled", 2),
        ("--fault not-started", 0),
        ("--agent two --fault any", 0),
        ("--seed 2", 3),
        ("--seed 0", 0),
        ("--unfinished", 1),
        ("--finished", 5),
        ("--since 2h", 6),
        ("--before 2020-01-01", 0),
        ("--before 0.001s", 6),
        ("--before 2h", 0),
        ("--kibitz 'i see'", 1),
        ("'matches/games/cup 1'", 2),
        (". -n 1", 6),
    ],
)
def test_conditions_add_up(played: Path, monkeypatch: pytest.MonkeyPatch, words: str, expected: int) -> None:
    monkeypatch.chdir(played)
    ran = CliRunner().invoke(cli, ["games", "--json", *shlex.split(words)], catch_exceptions=False)
    assert (ran.exit_code, json.loads(ran.output)["found"]) == (0, expected)


def test_kibitz_is_shown_with_its_turn_and_the_command_that_shows_it(played: Path) -> None:
    ran = arbiter("games", "--kibitz", "I SEE", folder=played)
    (row, remark) = ran.out.splitlines()[2:4]
    assert "talker" in row
    assert remark.startswith("      turn ")
    turn = remark.split()[1].strip(",")
    assert remark.split(": ")[0].endswith(f"turn {turn}, talker")
    assert ": I See " in remark
    look = ran.out.splitlines()[-1].split(maxsplit=1)[1]
    assert look.endswith(f" --turn {turn}")
    shown = arbiter(*shlex.split(look)[3:], folder=played)
    assert remark.split(": ", 1)[1] in shown.out


def test_one_document(played: Path) -> None:
    ran = arbiter("games", "--kibitz", "see", "--json", folder=played)
    assert (ran.code, ran.err) == (0, "")
    (game,) = ran.document["games"]
    assert (ran.document["searched"], ran.document["found"], ran.document["damaged"]) == (6, 1, [])
    assert (game["protocol"], game["seats"], game["ranks"], game["scores"]) == (
        "count_up",
        ["one", "talker"],
        [2, 1],
        [1.0, 3.0],
    )
    assert Path(game["record"]).is_file()
    assert [(each["seat"], each["text"][:5]) for each in game["kibitz"]] == [(1, "I See")]


def test_a_table_for_a_spreadsheet_names_agents_in_the_reason() -> None:
    ran = arbiter("games", SAMPLES, "--protocol", "splendor", "--format", "csv")
    (row,) = csv.DictReader(ran.out.splitlines())
    assert row["reason"] == "lookahead (player 1) has 19 points after 29 rounds"


def test_limits_and_order(played: Path) -> None:
    everything = arbiter("games", "--json", "--sort", "length", folder=played).document
    assert everything["found"] == len(everything["games"]) == 6
    turns = [game["turns"] for game in everything["games"]]
    assert turns == [2, 2, 2, 2, 1, 1]
    ran = arbiter("games", "--sort", "length", "--games", "2", folder=played)
    assert "2 of 6 games; -n 0 lists them all\n" in ran.out
    assert "duration" in arbiter("games", "--sort", "duration", folder=played).out.splitlines()[0]


def test_if_nothing_matches_the_message_names_the_search_and_suggests_a_name(played: Path) -> None:
    ran = arbiter("games", "--agent", "tow", "--fault", "late", "-s", "0", "--unfinished", folder=played)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == (
        "none of the 6 saved games in matches/games matches --agent tow --fault late --seed 0 --unfinished; "
        "did you mean 'two'?\n"
    )


def test_no_games_yet(place: Path) -> None:
    ran = arbiter("games", folder=place)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "no saved games in matches/games yet; 'arbiter play' saves them there\n"
    assert arbiter("games", "--json", folder=place).document["games"] == []
    assert arbiter("games", "--format", "paths", folder=place).out == ""
    assert not (place / "matches").exists()


def test_files_that_are_not_records_are_reported_in_one_line_at_the_end(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played / "matches", tmp_path / "matches")
    write(tmp_path / "matches" / "a.jsonl", "no json\n")
    ran = arbiter("games", "matches", folder=tmp_path)
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 2 + 6 + 3
    assert ran.err.startswith("matches/a.jsonl, line 1: not a line of a saved game (")
    write(tmp_path / "matches" / "b.jsonl", "")
    ran = arbiter("games", "matches", "--format", "paths", folder=tmp_path)
    assert len(ran.out.splitlines()) == 6
    assert ran.err.startswith("2 files cannot be read as saved games; the first is matches/a.jsonl, line 1: ")
    assert ran.err.count("\n") == 1
    damaged = arbiter("games", "matches", "--json", folder=tmp_path).document["damaged"]
    assert [each["path"] for each in damaged] == ["matches/a.jsonl", "matches/b.jsonl"]


def test_bundled_games_are_found_from_any_folder_and_nothing_is_written_there(tmp_path: Path) -> None:
    before = (SAMPLES / INDEX).exists()  # a search in the checkout itself makes an index
    ran = arbiter("games", "matches/samples", "--json", folder=tmp_path)
    assert {game["protocol"] for game in ran.document["games"]} == {
        "drones",
        "green_circle",
        "heroes",
        "rails",
        "splendor",
    }
    assert (SAMPLES / INDEX).exists() == before
    assert list(tmp_path.iterdir()) == []


def test_names_that_are_not_utf8(place: Path) -> None:
    agent = write(place / os.fsdecode(b"b\xf6t.sh"), "echo 2\n")
    play("count_up", [str(agent)], seed=1, save=place / os.fsdecode(b"g\xe4mes"))
    ran = arbiter(
        "games", os.fsdecode(b"g\xe4mes"), "--agent", os.fsdecode(b"b\xf6t"), "--format", "paths", folder=place
    )
    assert ran.code == 0
    assert ran.raw.startswith(b"g\xe4mes/")
    assert (place / os.fsdecode(ran.raw.rstrip(b"\n"))).is_file()
    assert arbiter("games", os.fsdecode(b"g\xe4mes"), folder=place).code == 0
    assert len(arbiter("games", os.fsdecode(b"g\xe4mes"), "--json", folder=place).document["games"]) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--fault tardy", "Invalid value for '--fault': 'tardy'; choose from any, late, "),
        ("arbiter.toml", "'arbiter.toml' is not a folder; use 'arbiter show' to look at a single game"),
        ("--json --format paths", "--json and --format paths cannot be combined; choose one"),
    ],
)
def test_wrong_use_is_one_line(played: Path, words: str, message: str) -> None:
    ran = arbiter("games", *words.split(), folder=played)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"arbiter: {message}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(("columns", "lines_per_game"), [(300, 1), (80, 2)])
def test_a_terminal_gets_a_screenful_that_fits_its_width(
    played: Path, tmp_path: Path, columns: int, lines_per_game: int
) -> None:
    one = next((played / "matches" / "games").glob("*.jsonl"))
    for number in range(25):
        shutil.copy(one, tmp_path / f"{number}.jsonl")
    out = at_a_terminal(columns, "games", str(tmp_path))
    assert len([line for line in out if re.match(r"\d{4}-\d\d-\d\d ", line)]) == 20
    assert len([line for line in out if line.endswith(".jsonl")]) == 20 + 1
    assert any("20 of 25 games; -n 0 lists them all" in line for line in out)
    assert len(out) == 2 + 20 * lines_per_game + 3
    assert len([line for line in at_a_terminal(columns, "games", str(tmp_path), "--format", "paths") if line]) == 25
