"""The page for agent authors is correct."""

from __future__ import annotations

import json
import random
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arbiter.game import Chance
from protocols.heroes import protocol
from protocols.heroes.library import NAMES, built_in
from protocols.heroes.maps import LARGEST, SMALLEST, parse
from protocols.heroes.presets import PRESETS
from tests.protocols.golden import golden_file
from tests.protocols.page import Page

from .oracle import Oracle
from .table import new_game, random_answer
from .walking import spots

PAGE = Page("heroes")
EXAMPLE = '{"game":'


def test_the_published_numbers_are_those_of_the_presets() -> None:
    contest, vindinium = PRESETS["contest"], PRESETS["vindinium"]
    for row in (
        f"| price of a drink, in gold | {contest.drink_gold} | {vindinium.drink_gold} |",
        f"| life from a drink | {contest.drink_life} | {vindinium.drink_life} |",
        f"| cost of a mine | {contest.mine} | {vindinium.mine} |",
        f"| a hit | {contest.hit} | {vindinium.hit} |",
        f"| cost of spikes | {contest.spikes} | there are none |",
        f"| thirst | {contest.thirst} | {vindinium.thirst} |",
        f"| most life | {contest.life} | {vindinium.life} |",
    ):
        assert row in PAGE.text
    assert vindinium.spikes == 0


def test_the_published_maps_are_those_of_the_game() -> None:
    for name in NAMES[1:]:
        assert f"| `{name}` | {len(built_in(name))} | {len(spots(built_in(name), '$-'))} |" in PAGE.text
    assert f"({len(built_in('seed'))} × 20, {len(spots(built_in('seed'), '$-'))} mines" in PAGE.text
    assert f"{SMALLEST} to {LARGEST} rows" in PAGE.text
    assert parse(PAGE.block("+------------+")).size == 6


def test_the_worked_example_is_from_the_golden_game_and_has_the_stated_outcome() -> None:
    line, answer = PAGE.block(EXAMPLE), PAGE.block("East\n").strip()
    assert f"--- turn 18, seat 1 is sent\n{line}--- answers '{answer}'\n" in golden_file("heroes").read_text(
        encoding="utf-8"
    )
    state = json.loads(line)
    drawing = parse(PAGE.block("+--------------------+"))
    assert "".join(drawing.rows) == state["game"]["board"]["tiles"]
    setup = protocol.setup(4, {"size": 10}, Chance(10, "setup"))
    after = Oracle(setup["map"]).after(state["game"], answer)
    us, them = after["heroes"][1], after["heroes"][2]
    assert (us["life"], us["gold"] - state["hero"]["gold"], us["mineCount"]) == (99, 2, 2)
    assert (them["life"], them["pos"]) == (100, {"x": 6, "y": 6})


def test_the_published_place_holders_are_those_of_the_wire() -> None:
    state = json.loads(PAGE.block(EXAMPLE))
    name, token = state["game"]["id"], state["token"]
    assert token == "hero2"
    assert "`http://arbiter.invalid/ID` and `http://arbiter.invalid/api/ID/TOKEN/play`" in " ".join(PAGE.text.split())
    assert state["viewUrl"] == f"http://arbiter.invalid/{name}"
    assert state["playUrl"] == f"http://arbiter.invalid/api/{name}/{token}/play"


@pytest.fixture
def agent_file(tmp_path: Path) -> Path:
    path = tmp_path / "my_agent.py"
    path.write_text(PAGE.block("#!/usr/bin/env python3"), encoding="utf-8")
    return path


def test_the_agent_on_the_page_runs_and_answers_until_the_game_is_over(agent_file: Path) -> None:
    line = PAGE.block(EXAMPLE)
    last = line.replace('"finished":false', '"finished":true')
    ran = subprocess.run(
        [sys.executable, agent_file], input=line * 2 + last, capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.splitlines() == ["South", "South"]
    assert ran.stderr.startswith("kibitz ")


@pytest.mark.parametrize("options", [{"map": "m3"}, {"map": "seed"}, {}, {"preset": "vindinium"}])
def test_the_agent_on_the_page_beats_those_that_move_at_random(agent_file: Path, options: dict[str, str]) -> None:
    choose: Callable[[Any], str] = runpy.run_path(str(agent_file))["choose"]
    rng = random.Random(1)
    game = new_game(2, rounds=120, **options)
    while game.result() is None:
        seat = game.to_move()[0]
        answer = random_answer(game, seat, rng) if seat else choose(json.loads(game.prompt(seat)))
        game.play({seat: game.read(seat, answer).text})
    result = game.result()
    assert result is not None
    assert result.ranks[0] == 1
    assert result.scores[0] > 60
