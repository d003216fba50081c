"""``arbiter show --inputs``: byte for byte what agents received."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write
from tests.tools import ROOT

pytestmark = pytest.mark.slow

# One read is one prompt, since the arbiter sends a prompt in one write. Keeps each prompt, and all of them together.
LISTENER = """
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
    write(folder / "ears.py", LISTENER.replace("MOVE", str(lifetime == "move")))
    return f"ears=python3 ears.py {crash}"


@pytest.mark.parametrize("lifetime", ["move", "game"])
def test_the_bytes_are_those_the_agent_received(ears: Path, lifetime: str) -> None:
    words = [listener(ears, lifetime), adder(ears, "other", 1) if lifetime == "move" else "human"]
    played = arbiter(
        "play", "count_up", *words, "--lifetime", lifetime, "--seed", "4", "-o", "turns=6", "-q", typed="1\n1\n1\n"
    )
    assert played.code == 0, played.err
    printed = arbiter("show", "matches/games", "--inputs", "--seat", "0")
    assert printed.code == 0
    assert printed.raw == (ears / "all").read_bytes() != b""
    turns = [int(line.split()[2].strip(",")) for line in printed.err.splitlines()]
    assert len(turns) == 3
    for number, turn in enumerate(turns):
        one = arbiter("show", "matches/games", "--inputs", "--turn", str(turn))
        assert one.raw == (ears / "heard" / str(number)).read_bytes()
        assert one.err == f"# turn {turn}, seat 0: {len(one.raw)} bytes\n"
    so_far = arbiter("show", "matches/games", "--inputs", "--seat", "0", "--up-to", str(turns[1]))
    assert so_far.raw == b"".join((ears / "heard" / name).read_bytes() for name in ("0", "1"))


def test_the_briefing_is_sent_for_every_move_or_once_per_game(ears: Path) -> None:
    for lifetime, briefings in (("move", 3), ("game", 1)):
        save = ears / lifetime
        agent = listener(ears, lifetime)
        arbiter("play", "count_up", agent, "--lifetime", lifetime, "-o", "turns=3", "-q", "--save", save)
        assert arbiter("show", save, "--inputs").out.count("seat 0 of 1\n") == briefings


def test_a_restarted_agent_gets_the_briefing_again(ears: Path) -> None:
    agent = listener(ears, "game", crash="1")
    played = arbiter("play", "count_up", agent, "--lifetime", "game", "-o", "turns=4", "-q")
    assert played.out.endswith("1 crashed\n")
    printed = arbiter("show", "matches/games", "--inputs")
    assert printed.raw == (ears / "all").read_bytes()
    assert printed.out.count("seat 0 of 1\n") == 2


def test_turns_and_seats_are_named_on_standard_error(shelf: Path) -> None:
    printed = arbiter("show", "sold.jsonl", "--inputs", folder=shelf)
    assert printed.err.splitlines()[:4] == [
        "# turn 1, seat 0: 17 bytes",
        "# turn 1, seat 1: 17 bytes",
        "# turn 1, seat 2: 17 bytes",
        "# turn 2, seat 0: 17 bytes",
    ]
    at_once = arbiter("show", "sold.jsonl", "--inputs", "-t", "1", folder=shelf)
    assert at_once.err.splitlines() == [f"# turn 1, seat {seat}: 17 bytes" for seat in range(3)]
    assert (
        arbiter("show", "sold.jsonl", "--inputs", "-t", "1", "--seat", "2", folder=shelf).out == "bidder 2\nprize 1\n"
    )


def test_a_game_that_was_cut_off_has_inputs_as_far_as_it_goes(shelf: Path) -> None:
    printed = arbiter("show", "cut.jsonl", "--inputs", folder=shelf)
    assert (printed.code, len(printed.err.splitlines())) == (0, 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--turn", "9"], "no agent was asked for a move in turn 9; this game has turns 1 to 8"),
        (["--turn", "1", "--seat", "1"], "seat 1 was not asked for a move in turn 1; this game has turns 1 to 8"),
        (["--seat", "2"], "no seat 2 in this game; choose from 0 to 1"),
        (["--turn", "0"], "--turn 0: agents are asked from turn 1 on"),
    ],
)
def test_input_that_does_not_exist_is_one_line(shelf: Path, words: list[str], message: str) -> None:
    printed = arbiter("show", "counted.jsonl", "--inputs", *words, folder=shelf)
    assert (printed.code, printed.out) == (2, "")
    assert printed.err.startswith(f"arbiter: {message}")
    assert printed.err.count("\n") == 1


def test_the_names_that_heroes_read_are_in_the_input_again(ears: Path) -> None:
    write(ears / "stay.py", "for state in iter(input, ''):\n    print('Stay', flush=True)\n")
    words = [listener(ears, "game"), *(f"{name}=python3 stay.py" for name in ("ann", "bob", "çelik"))]
    played = arbiter("play", "heroes", *words, "-o", "rounds=2", "-o", "map=m1", "-q")
    assert played.code == 0, played.err
    heard = (ears / "all").read_bytes()
    assert heard.startswith(arbiter("show", "matches/games", "--inputs", "--seat", "1").raw)
    assert b'"name":"ears"' in heard
    assert b'"name":"\\u00e7elik"' in heard


def test_a_turn_can_be_named_by_the_number_on_the_wire() -> None:
    sample = ROOT / "matches" / "samples" / "heroes.jsonl"
    by_ply = arbiter("show", sample, "--inputs", "--turn", "ply:36")
    assert b'"turn":36,' in by_ply.raw
    assert "(round 10, ply 36), hero 1: " in by_ply.err
    turn = by_ply.err.split()[2]
    by_turn = arbiter("show", sample, "--inputs", "--turn", turn)
    assert (by_turn.raw, by_turn.err) == (by_ply.raw, by_ply.err), "either way it says both numbers"
    wrong = arbiter("show", sample, "--inputs", "--turn", "plie:36").err
    assert wrong == "arbiter: Heroes: unknown way of counting 'plie'; choose from turn, round, ply\n"
    assert arbiter("show", sample, "--inputs", "--turn", "round:99999").err.startswith(
        "arbiter: no round 99999 in this game; it has"
    )


def test_a_seat_has_the_number_that_its_protocol_gives_it() -> None:
    sample = ROOT / "matches" / "samples" / "splendor.jsonl"
    first = arbiter("show", sample, "--inputs", "--seat", "1", "--up-to", "1")
    assert "player 1: " in first.err
    assert arbiter("show", sample, "--inputs", "--seat", "0").err.startswith(
        "arbiter: no player 0 in this game; choose from 1 to "
    )
