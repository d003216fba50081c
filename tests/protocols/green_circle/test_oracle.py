"""Whole games at every level, compared phase by phase with an independent implementation."""

from __future__ import annotations

import random

import pytest

from arbiter.game import Chance, IllegalMove
from protocols.green_circle import protocol

from .oracle import Oracle


def some_action(oracle: Oracle, rng: random.Random) -> str:
    """Return an action that is offered or, now and then, a skill in hand that is not."""
    skills = [card for card in oracle.sides[oracle.seat].hand if card < 8]
    if oracle.phase == "PLAY_CARD" and skills and rng.random() < 0.5:
        ways = oracle.ways(rng.choice(skills))
        if ways and ways[0].startswith("TASK") and rng.random() < 0.3:
            name, back, _ = ways[0].split()
            ways = [f"{name} {back} {back}"]
        if ways:
            return rng.choice(ways)
    return rng.choice([action for action in oracle.actions if action != "RANDOM"])


@pytest.mark.parametrize("seed", range(24))
def test_every_prompt_and_the_result_are_those_of_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    options = {"level": 1 + seed % 4, "strict_skills": rng.random() < 0.3}
    chance = Chance(seed)
    setup = protocol.setup(2, options, chance)
    game = protocol.start(2, options, setup, chance)
    oracle = Oracle(setup, 1 + seed % 4, lambda seat, number: game.office.teams[seat].reshuffled[number])
    while game.result() is None:
        (seat,) = game.to_move()
        assert (seat, game.prompt(seat)) == (oracle.seat, oracle.prompt())
        action = some_action(oracle, rng)
        if options["strict_skills"] and action not in oracle.actions:
            with pytest.raises(IllegalMove, match=r"level 4|of another type"):
                game.read(seat, action)
            continue
        move = game.read(seat, f"{action} as planned")
        assert (move.text, move.message) == (action, "as planned")
        game.play({seat: action})
        oracle.answer(action)
    result = game.result()
    assert result is not None
    assert oracle.over or oracle.phases == 200
    assert list(result.scores) == [side.score for side in oracle.sides]
    first, second = ((side.score, -side.owned().count(9)) for side in oracle.sides)
    assert result.ranks == ((1, 2) if first > second else (2, 1) if first < second else (1, 1))
