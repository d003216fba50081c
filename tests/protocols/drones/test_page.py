"""The page for agent authors is correct."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from protocols.drones.answers import LONGEST_ANSWER, MOST_BRACKETS
from protocols.drones.game import DronesGame
from protocols.drones.options import MOST_STARTING_PRODUCERS, MOST_TURNS
from tests.protocols.page import Page

from .table import army, messages, new_match, reads, result_of

PAGE = Page("drones")


class Conversation:
    """Seat 0 of a match, played by a process; the dialogue is logged as on the page."""

    def __init__(self, game: DronesGame, process: subprocess.Popen[str]) -> None:
        self.game, self.process = game, process
        self.lines: list[str] = []
        self._hear(game.briefing(0))

    def _hear(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()
        self.lines += [f"< {line}" for line in text.splitlines()]

    def turn(self, other: str) -> None:
        """Play one turn in which seat 1 gives this answer."""
        self._hear(self.game.prompt(0))
        assert self.process.stdout is not None
        said = self.process.stdout.readline().rstrip("\n")
        self.lines.append(f"> {said}")
        self.game.play({0: reads(self.game, said, 0), 1: reads(self.game, other, 1)})
        if self.game.result():
            self._hear(self.game.final_message(0))


@contextmanager
def small_agent(game: DronesGame, folder: Path) -> Iterator[Conversation]:
    """Run the agent on the page at seat 0 of a match; it must exit when its input ends."""
    file = folder / "my_agent.py"
    file.write_text(PAGE.block("#!/usr/bin/env python3"), encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        yield Conversation(game, process)
        said, kibitz = process.communicate(timeout=600)
        assert said == ""
        assert all(line.startswith("kibitz ") for line in kibitz.splitlines())
        assert process.returncode == 0


def test_the_example_is_what_the_small_agent_hears_and_says(tmp_path: Path) -> None:
    game = new_match(rounds=2)
    with small_agent(game, tmp_path) as conversation:
        for other in ("1 0 0", "0 2 1") * 2:
            conversation.turn(other)
        assert "\n".join(conversation.lines) + "\n" == PAGE.block("< ")
    assert result_of(game).ranks == (1, 1)


def test_the_small_agent_wins_a_whole_match_against_a_passive_opponent(tmp_path: Path) -> None:
    game = new_match(rounds=3)
    with small_agent(game, tmp_path) as conversation:
        while game.result() is None:
            conversation.turn("0 0 0")
    assert result_of(game).scores == (3, 0)


def test_the_small_agent_outlives_attacks_it_has_seen(tmp_path: Path) -> None:
    game = new_match(rounds=8)
    with small_agent(game, tmp_path) as conversation:
        while game.result() is None:
            conversation.turn("9 0 0" if game.position.turn < 3 else "0 9 1")
    assert result_of(game).scores == (7, 1)


def test_every_message_is_described_field_by_field() -> None:
    game = new_match()
    sent = messages(game.briefing(0) + game.prompt(0))
    game.play({0: "0 0 1", 1: "0 0 0"})
    sent += messages(game.prompt(0))[:1]
    assert [message["type"] for message in sent] == ["matchStart", "roundStart", "turn", "roundEnd"]
    for message in sent:
        text = PAGE.text.split(f"\n`{message['type']}`, ")[1]
        table = re.findall(r"^\| (`.*?) \|", text.split("\n\n")[1], re.MULTILINE)
        assert set(re.findall(r"`(\w+)`", " ".join(table))) == set(message) - {"type"}


def test_the_answer_on_the_page_is_understood() -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, PAGE.block('{"newProducers"')) == "2 1 0"
    assert reads(game, '{"newProducers": 3, "newSoldiers": 3}') == "3 1 0"


def test_the_published_bounds_are_those_of_the_game() -> None:
    text = " ".join(PAGE.text.split())
    assert f"at most {MOST_TURNS}" in text
    assert f"at most {MOST_STARTING_PRODUCERS}" in text
    assert f"at most {LONGEST_ANSWER} characters with at most {MOST_BRACKETS} opening brackets" in text
