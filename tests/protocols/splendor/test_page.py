"""The page for agent authors is correct."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from protocols.splendor.cards import BONUS, COLOURS, COST, LEVEL, NOBLE_IDS, NOBLE_NEEDS, POINTS
from protocols.splendor.state import CHIPS_PER_COLOUR, GOLD_CHIPS, NOBLES_DRAWN
from tests.protocols.page import Page

from .golden import played
from .oracle import Oracle, published_cards
from .table import new_game

PAGE = Page("splendor")


def test_the_published_cards_are_those_of_the_game() -> None:
    assert published_cards() == {card: (LEVEL[card], BONUS[card], POINTS[card], COST[card]) for card in range(1, 91)}


def test_the_published_nobles_are_those_of_the_game() -> None:
    for noble in NOBLE_IDS:
        needs = ", ".join(f"{count} {COLOURS[colour]}" for colour, count in enumerate(NOBLE_NEEDS[noble]) if count)
        assert f"| {noble} | {needs} |" in PAGE.text


def test_the_published_supplies_are_those_of_the_game() -> None:
    for seats in (1, 2, 3, 4):
        assert f"| {seats} | {CHIPS_PER_COLOUR[seats]} | {GOLD_CHIPS} | {NOBLES_DRAWN[seats]} |" in PAGE.text


def test_the_worked_example_is_from_the_golden_game() -> None:
    turn = next(turn for turn in played().turns if PAGE.block("2 2") in turn.prompts.values())
    assert (*turn.answers.values(), *turn.moves.values()) == ("  4\r\n39\r\n", PAGE.block("4 39").strip())
    assert Oracle(PAGE.block("2 2"), return_gold=True).verdict("4 39") == "4 39"


@pytest.fixture
def agent_file(tmp_path: Path) -> Path:
    path = tmp_path / "my_agent.py"
    path.write_text(PAGE.block("#!/usr/bin/env python3"), encoding="utf-8")
    return path


def test_the_agent_on_the_page_runs_and_answers_the_worked_example(agent_file: Path) -> None:
    ran = subprocess.run(
        [sys.executable, agent_file], input=PAGE.block("2 2"), capture_output=True, text=True, check=True, timeout=60
    )
    assert Oracle(PAGE.block("2 2"), return_gold=True).verdict(ran.stdout) == "4 39"


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_agent_on_the_page_plays_whole_games_without_a_fault(agent_file: Path, seats: int) -> None:
    choose: Callable[[list[int]], list[int]] = runpy.run_path(str(agent_file))["choose"]
    for seed in range(4):
        game = new_game(seats, seed)
        while game.result() is None:
            seat = game.to_move()[0]
            answer = choose([int(word) for word in game.prompt(seat).split()])
            game.play({seat: game.read(seat, " ".join(map(str, answer))).text})
        result = game.result()
        assert result is not None
        assert 1 in result.ranks
