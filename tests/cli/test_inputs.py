"""``arbiter inputs``: byte for byte what agents really received."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write

# One read is one prompt: the arbiter sends what belongs together in one write. Everything is kept, by turn and in all.
EARS = """
import os, sys
while heard := os.read(0, 1 << 16):
    with open("all", "ab") as everything:
        everything.write(heard)
    count = len(os.listdir("heard"))
    with open(f"heard/{count}", "wb") as one:
        one.write(heard)
    if len(sys.argv) > 1 and count == int(sys.argv[1]):
        sys.exit(3)
    os.write(1, b"2\\n")
    if MOVE:
        break
"""


@pytest.fixture
def ears(place: Path) -> Path:
    (place / "heard").mkdir()
    return place


def listener(folder: Path, lifetime: str, crash: str = "") -> str:
    write(folder / "ears.py", EARS.replace("MOVE", str(lifetime == "move")))
    return f"ears=python3 ears.py {crash}"


@pytest.mark.parametrize("lifetime", ["move", "game"])
def test_the_bytes_are_those_the_agent_received(ears: Path, lifetime: str) -> None:
    words = [listener(ears, lifetime), adder(ears, "other", 1) if lifetime == "move" else "human"]
    played = arbiter(
        "play", "count_up", *words, "--lifetime", lifetime, "--seed", "4", "-o", "turns=6", "-q", typed="1\n1\n1\n"
    )
    assert played.code == 0, played.err
    told = arbiter("inputs", "matches/games", "--seat", "0")
    assert told.code == 0
    assert told.raw == (ears / "all").read_bytes() != b""
    turns = [int(line.split()[2].strip(",")) for line in told.err.splitlines()]
    assert len(turns) == 3
    for number, turn in enumerate(turns):
        one = arbiter("inputs", "matches/games", "--turn", str(turn))
        assert (one.raw, one.err) == ((ears / "heard" / str(number)).read_bytes(), "")
    so_far = arbiter("inputs", "matches/games", "--seat", "0", "--until", str(turns[1]))
    assert so_far.raw == b"".join((ears / "heard" / name).read_bytes() for name in ("0", "1"))


def test_an_agent_of_a_move_is_briefed_every_time_and_one_of_a_game_once(ears: Path) -> None:
    for lifetime, briefings in (("move", 3), ("game", 1)):
        save = ears / lifetime
        agent = listener(ears, lifetime)
        arbiter("play", "count_up", agent, "--lifetime", lifetime, "-o", "turns=3", "-q", "--save", save)
        assert arbiter("inputs", save).out.count("seat 0 of 1\n") == briefings


def test_an_agent_that_was_started_anew_was_briefed_anew(ears: Path) -> None:
    agent = listener(ears, "game", crash="1")
    played = arbiter("play", "count_up", agent, "--lifetime", "game", "-o", "turns=4", "-q")
    assert played.out == "game   1  ears 6  ears wins  1 fault\n"
    told = arbiter("inputs", "matches/games")
    assert told.raw == (ears / "all").read_bytes()
    assert told.out.count("seat 0 of 1\n") == 2


def test_turns_and_seats_are_named_beside_the_bytes(shelf: Path) -> None:
    told = arbiter("inputs", "sold.jsonl", folder=shelf)
    assert told.err.splitlines()[:4] == [
        "# turn 1, seat 0: 17 bytes",
        "# turn 1, seat 1: 17 bytes",
        "# turn 1, seat 2: 17 bytes",
        "# turn 2, seat 0: 17 bytes",
    ]
    at_once = arbiter("inputs", "sold.jsonl", "-t", "1", folder=shelf)
    assert at_once.err.splitlines() == [f"# turn 1, seat {seat}: 17 bytes" for seat in range(3)]
    assert arbiter("inputs", "sold.jsonl", "-t", "1", "-s", "2", folder=shelf).out == "bidder 2\nprize 1\n"


def test_a_game_that_was_cut_off_has_inputs_as_far_as_it_goes(shelf: Path) -> None:
    told = arbiter("inputs", "cut.jsonl", folder=shelf)
    assert (told.code, len(told.err.splitlines())) == (0, 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--turn", "9"], "nobody was asked in turn 9: this game has turns 1 to 8"),
        (["--turn", "1", "--seat", "1"], "seat 1 was not asked in turn 1: this game has turns 1 to 8"),
        (["--seat", "2"], "seat 2: this game has seats 0 to 1"),
        (["--turn", "0"], "Invalid value for '--turn' / '-t': 0 is not in the range x>=1."),
    ],
)
def test_what_nobody_was_sent_is_one_line(shelf: Path, words: list[str], message: str) -> None:
    told = arbiter("inputs", "counted.jsonl", *words, folder=shelf)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith(f"arbiter: {message}")
    assert told.err.count("\n") == 1
