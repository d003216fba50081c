"""Typical mistakes of beginners get a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.game import Chance, Options
from arbiter.playing.mistakes import typical_mistakes
from arbiter.records.reader import load_record
from tests.nullgame import count_up
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write

OPTIONS: Options = {"turns": 4, "bonus": False, "pace": "slow"}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("\ufeff2", "byte-order mark"),
        ("2\r\nx\r\n", "carriage return"),
        ("debug\n2\n", "the answer has 2 lines, of which line 2 alone would be a legal move"),
        ("debug\nmore\n", "the answer has 2 lines: print only the move on standard output"),
    ],
)
def test_the_likely_cause_is_named(answer: str, said: str) -> None:
    game = count_up.protocol.start(1, OPTIONS, {"start": 40, "first": 0}, Chance(1))
    assert any(said in cause for cause in typical_mistakes(game, 0, answer))


@pytest.mark.parametrize("answer", ["", "9", "nine", "9\n", "x" * 10_000, "\n"])
def test_other_answers_have_no_cause(answer: str) -> None:
    game = count_up.protocol.start(1, OPTIONS, {"start": 40, "first": 0}, Chance(1))
    assert typical_mistakes(game, 0, answer) == []


def test_the_summary_after_play_mentions_it_once(place: Path) -> None:
    chatty = write(place / "chatty.sh", "read -r seat\nread -r state\necho thinking\necho 2\n")
    ran = arbiter("play", "count_up", str(chatty), adder(place, "quiet", 1), "--games", "2", "--seed", "1")
    assert ran.code == 0
    notes = [line for line in ran.out.splitlines() if line.startswith("note ")]
    assert len(notes) == 1
    assert notes[0].startswith("note     chatty, turn ")
    assert "the answer has 2 lines, of which line 2 alone would be a legal move" in notes[0]
    assert notes[0].endswith("(6 times in all)")


def test_a_long_lived_agent_that_prints_two_lines_for_one_is_mentioned(place: Path) -> None:
    twice = write(place / "twice.sh", "read -r seat\nwhile read -r state; do printf '1\\n2\\n'; done\n")
    ran = arbiter("play", "count_up", str(twice), "--lifetime", "game", "-o", "turns=5", "--seed", "1")
    assert ran.code == 0
    assert "\nnote     twice, turn " in ran.out
    (record,) = (place / "matches" / "games").iterdir()
    assert any(line.notes for line in load_record(record).answers)
    assert arbiter("verify", record).code == 0
