"""``arbiter games --stats``: statistics of the games selected."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arbiter.cli.stats_drawing import bar, sparkline
from arbiter.config.workspace import bundled
from tests.nullgame.command import arbiter
from tests.records import games
from tests.tools import ROOT

pytestmark = pytest.mark.slow

SAMPLES = bundled() / "matches" / "samples"
WORDS = "takes green, white, black"


@pytest.fixture
def shelf(place: Path) -> Path:
    """Three games, one of another protocol."""
    games.counting(place / "shelf" / "a.jsonl", seed=1)
    games.counting(place / "shelf" / "b.jsonl", seed=1)
    games.bidding(place / "shelf" / "c.jsonl")
    return place


def test_the_same_conditions_as_games(shelf: Path) -> None:
    for words in ("", "--protocol auction", "--seed 1", "--fault late", "--since 1h", "--agent nobody"):
        count = arbiter("games", "shelf", "--json", "--finished", *words.split(), folder=shelf).document["found"]
        document = json.loads(arbiter("games", "--stats", "shelf", "--json", *words.split(), folder=shelf).out)
        assert document["games"] == count, words


def test_openings_are_in_words_and_keep_their_moves_in_the_document(place: Path) -> None:
    shutil.copy(SAMPLES / "splendor.jsonl", place / "a.jsonl")
    shutil.copy(SAMPLES / "splendor.jsonl", place / "b.jsonl")
    first = json.loads((place / "a.jsonl").read_bytes().splitlines()[1])["move"]
    ran = arbiter("games", "--stats", ".", folder=place)
    assert f"{WORDS} " in ran.out
    assert f"{first} " not in ran.out
    (opening,) = json.loads(arbiter("games", "--stats", ".", "--json", folder=place).out)["tables"][0]["openings"]
    assert (opening["moves"], opening["words"], opening["examples"]) == ([first], [WORDS], ["a.jsonl", "b.jsonl"])
    arbiter("archive", "pack", ".", folder=place)
    assert arbiter("games", "--stats", ".", folder=place).out == ran.out
    (packed,) = json.loads(arbiter("games", "--stats", ".", "--json", folder=place).out)["tables"][0]["openings"]
    assert packed == opening


def test_an_opening_of_a_protocol_that_is_not_known_here_keeps_its_moves(tmp_path: Path) -> None:
    games.counting(tmp_path / "a.jsonl")
    ran = arbiter("games", "--stats", ".", folder=tmp_path)
    assert (ran.code, ran.out.split("Opening")[1].splitlines()[2].split()[:2]) == (0, ["1", "1"])


@pytest.mark.parametrize("words", ["shelf/a.jsonl", "shelf/a.jsonl:x", "shelf/a.jsonl:99", "nowhere.jsonl:1"])
def test_a_position_that_is_none(shelf: Path, words: str) -> None:
    ran = arbiter("games", "--stats", "shelf", "--position", words, folder=shelf)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


def test_no_games(place: Path) -> None:
    ran = arbiter("games", "--stats", folder=place)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "no finished game in matches/games\n"
    assert (
        arbiter("games", "--stats", "--agent", "x", folder=place).err
        == "no finished game that matches in matches/games\n"
    )


def test_bars_and_sparklines() -> None:
    assert bar(1, 4) == "████"
    assert bar(0.53, 4) == "██▏"
    assert bar(0, 4) == ""
    assert sparkline([0, 1, 50, 100]) == " ▁▄█"
    assert sparkline([]) == sparkline([0])[1:] == ""


def test_moves_made_at_the_same_time_are_listed_with_the_numbers_of_the_protocol(tmp_path: Path) -> None:
    shutil.copy(ROOT / "matches" / "samples" / "rails.jsonl", tmp_path)
    ran = arbiter("games", "--stats", ".", "--position", "rails.jsonl:3", folder=tmp_path)
    assert ran.code == 0, ran.err
    assert [line.split(":")[0] for line in ran.out.splitlines()[4:]] == ["player 0", "player 1"]
