"""Games that start from the setup of another game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arbiter import play
from arbiter.errors import UserError
from arbiter.records.reader import Record, load_header, load_record
from arbiter.records.verify import differences
from tests.nullgame import count_up
from tests.nullgame.place import adder, write
from tests.tools import refusal


def test_a_game_starts_from_a_records_setup_and_options(counted: Record, place: Path) -> None:
    agents = [adder(place, "one", 1), adder(place, "two", 2)]
    record = load_record(Path(play("count_up", agents, seed=77, setup=counted.path).games[0].record))
    assert record.header.setup == counted.header.setup
    assert record.header.options == counted.header.options
    assert (record.header.seed, record.header.setup_given) == (77, True)
    assert list(differences(record, count_up.protocol)) == []


def test_options_on_the_command_line_override_those_of_the_record(counted: Record, place: Path) -> None:
    agents = [adder(place, "one", 1), adder(place, "two", 2)]
    report = play("count_up", agents, setup=counted.path, options={"turns": 3})
    assert report.games[0].turns == 3


@pytest.mark.parametrize("indent", [None, 2])
def test_a_header_alone_is_enough_on_one_line_or_several(
    counted: Record, tmp_path: Path, place: Path, indent: int | None
) -> None:
    header = json.loads(counted.path.read_bytes().splitlines()[0])
    header["setup"] = {"start": 500, "first": 1}
    file = write(tmp_path / "setup.json", json.dumps(header, indent=indent))
    report = play("count_up", [adder(place, "one", 1), adder(place, "two", 2)], setup=file)
    record = load_record(Path(report.games[0].record))
    assert record.header.setup == {"start": 500, "first": 1}
    assert record.answers[0].seat == 1


def test_a_cut_off_record_has_a_setup_too(counted: Record, tmp_path: Path) -> None:
    file = tmp_path / "cut.jsonl"
    file.write_bytes(counted.path.read_bytes()[:-40])
    assert load_header(file) == counted.header


def test_an_invalid_setup_is_one_line(counted: Record, place: Path) -> None:
    header = json.loads(counted.path.read_bytes().splitlines()[0])
    header["setup"] = "upside down"
    file = write(place / "setup.json", json.dumps(header))
    with pytest.raises(UserError, match="invalid setup: write the numbers"):
        play("count_up", [adder(place, "one", 1), adder(place, "two", 2)], setup=file)
    assert not (place / "matches").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"protocol": "auction"}, "is a game of auction, not of count_up"),
        ({"seats": []}, "is a game of 0 seats, but 2 agents were given"),
        ({"format": 9}, "has format 9; this arbiter reads formats up to 1: update the arbiter"),
        ({"options": {"cards": 3}}, "unknown count_up option 'cards'"),
        ({"options": {"turns": 0}}, "option turns=0: must be at least 1"),
        ({"type": "answer"}, "does not contain the header of a saved game"),
    ],
)
def test_a_header_of_something_else_is_one_line(
    counted: Record, place: Path, change: dict[str, object], message: str
) -> None:
    header = {**json.loads(counted.path.read_bytes().splitlines()[0]), **change}
    file = write(place / "setup.json", json.dumps(header))
    said = refusal(lambda: play("count_up", [adder(place, "one", 1), adder(place, "two", 2)], setup=file))
    assert message in said
    assert str(file) in said


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xfe", b"{}"])
def test_a_file_without_a_header_is_one_line(place: Path, content: bytes) -> None:
    (place / "setup.json").write_bytes(content)
    with pytest.raises(UserError, match=r"setup\.json does not contain the header of a saved game"):
        load_header(place / "setup.json")


def test_a_file_with_just_a_setup_is_enough(place: Path) -> None:
    file = write(place / "setup.json", json.dumps({"start": 500, "first": 1}))
    report = play("count_up", [adder(place, "one", 1), adder(place, "two", 2)], setup=file, seed=4)
    record = load_record(Path(report.games[0].record))
    assert (record.header.setup, record.header.setup_given) == ({"start": 500, "first": 1}, True)
