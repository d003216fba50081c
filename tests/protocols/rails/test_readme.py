"""The page for agent authors is correct: its example and its program are real."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib

from arbiter.game import Json
from tests.tools import ROOT

from .golden import SCRIPT, SMALL
from .table import new_map, result_of, start, turn

PAGE = (ROOT / "protocols" / "rails" / "README.md").read_text(encoding="utf-8")


def block(title: str) -> str:
    found = re.search(rf"^```{title}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def test_a_connection_that_a_town_wants_is_called_a_wish_everywhere() -> None:
    agents = tomllib.loads((ROOT / "arbiter.toml").read_text(encoding="utf-8"))["protocols"]["rails"]["agents"]
    samples = (ROOT / "sample_agents" / "rails" / "README.md").read_text(encoding="utf-8")
    for text in (PAGE, samples, *(agent["about"] for agent in agents.values())):
        assert not re.search("requested|desired", text)


def test_the_example_is_what_a_player_is_sent() -> None:
    game = start(SMALL)
    assert block("text first") == game.briefing(1)
    for first, second in SCRIPT[:3]:
        turn(game, first, second)
    assert block("text turn 4") == game.prompt(1)


def test_the_example_of_a_map_is_the_one_that_was_played() -> None:
    setup: Json = json.loads(block("json"))
    assert setup == SMALL


def test_the_small_program_wins_a_whole_game_against_a_passive_opponent() -> None:
    game = start(new_map(2, height=14), turns=40)
    with subprocess.Popen(
        [sys.executable, "-c", block("python")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        agent.stdin.write(game.briefing(1))
        while game.result() is None:
            agent.stdin.write(game.prompt(1))
            agent.stdin.flush()
            game.play({0: "WAIT", 1: game.read(1, agent.stdout.readline().rstrip("\n")).text})
        agent.stdin.close()
        assert agent.wait() == 0
    assert result_of(game).ranks == (2, 1)
    assert not any(result_of(game).data["defeat"])
