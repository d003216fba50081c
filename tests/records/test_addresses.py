"""One way to name a saved game, the same in every command."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from arbiter.records.addresses import address_of, game_at
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, arbiter_toml, bidder

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a contest of four games, and one game played after it."""
    folder = tmp_path_factory.mktemp("workspace")
    arbiter_toml(folder)
    for bid, name in enumerate(("five", "six"), 5):
        bidder(folder, name, bid)
    adder(folder, "one", 1)
    match = "match auction five.sh six.sh -n 4 --seed 1 -q -o rounds=2"
    for words in ([*match.split(), "--name", "the cup"], ["play", "count_up", "one.sh", "-o", "turns=2", "-q"]):
        assert arbiter(*words, folder=folder).code == 0
    return folder


@pytest.fixture
def cup(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The contest, as seen from the current folder."""
    monkeypatch.chdir(workspace)
    return Path("matches/games/the cup")


def named(address: str) -> str:
    return game_at(address).name


def test_a_game_of_a_contest_has_its_number(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (third,) = cup.glob("00003-*.jsonl")
    for address in (str(third), f"{cup}#3", "the cup#3", f"{cup.absolute()}#3", f"{cup}#00003"):
        assert named(address) == third.name
    assert shlex.split(address_of(third)) == [f"{cup}#3"]
    monkeypatch.chdir(cup)
    assert named("3") == third.name
    assert address_of(Path(third.name)) == ".#3"


def test_the_newest_games_have_names_of_their_own(cup: Path) -> None:
    listed = arbiter("games", "--format", "paths").out.splitlines()
    assert [str(game_at(address)) for address in ("last", "last~1", "last~4")] == [
        str(cup.absolute().parents[2] / path) for path in (listed[0], listed[1], listed[4])
    ]
    assert address_of(listed[0]) == listed[0], "a game of no contest has no number"
    ran = arbiter("show", "last~5")
    assert (ran.code, ran.err) == (2, "arbiter: last~5: there are 5 saved games in matches/games\n")


def test_a_file_is_never_taken_for_anything_else(cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = next(cup.glob("00002-*.jsonl")).read_bytes()
    monkeypatch.chdir(tmp_path)
    for name in ("last", "37", "cup#3"):
        (tmp_path / name).write_bytes(record)
        assert game_at(name) == Path(name)


def test_packed_games_keep_their_addresses(cup: Path, tmp_path: Path) -> None:
    for path in cup.glob("*.jsonl"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert arbiter("archive", "pack", tmp_path).code == 0
    assert not list(tmp_path.glob("*.jsonl"))
    assert game_at(f"{tmp_path}#4").name.startswith("00004-")


@pytest.mark.parametrize(
    "words",
    [
        "show {} --all", "show {} --inputs --turn 1", "why {}", "rerun {} --seat 1 --sandbox none", "verify {}",
        "export {} - --format csv", "games --position {}:1", "play auction five.sh six.sh -q --setup {}",
    ],
)  # fmt: skip
def test_every_command_takes_the_same_addresses(cup: Path, words: str) -> None:
    by_path = arbiter(*(word.replace("{}", str(game_at("the cup#1"))) for word in words.split()))
    by_number = arbiter(*(word.replace("{}", "the cup#1") for word in words.split()))
    assert (by_path.code, by_number.code, by_number.err) == (0, 0, by_path.err)
    if not words.startswith(("play", "rerun")):  # which print times
        assert by_number.out == by_path.out


def test_addresses_that_are_printed_can_be_pasted(cup: Path) -> None:
    shown = arbiter("games", str(cup), "-n", "1").out + arbiter("why", str(cup)).out
    printed = [
        line.split("arbiter ", 1)[1] for line in shown.splitlines() if "arbiter show" in line or "arbiter why" in line
    ]
    assert len(printed) >= 2
    for line in printed:
        assert "'the cup'#" in line or "'matches/games/the cup'#" in line
        assert arbiter(*shlex.split(line)).code == 0, line


def test_games_that_were_lost_can_be_picked(cup: Path) -> None:
    lost = [
        Path(path).name for path in arbiter("games", str(cup), "--lost", "five", "--format", "paths").out.splitlines()
    ]
    assert lost
    shown = arbiter("show", str(cup), "--lost", "five", "--json").document
    assert shown["header"] == arbiter("show", str(cup / lost[0]), "--json").document["header"]
    again = arbiter("rerun", str(cup), "--lost", "five", "--sandbox", "none", "--json").document
    assert {Path(seat["record"]).name for seat in again["seats"]} == set(lost)
    assert {seat["seat"] for seat in again["seats"] if seat["result"] != "lost"} == set()
