"""The end of the game, and the ranks."""

from __future__ import annotations

import json
import random

import pytest

from protocols.heroes.game import HeroesGame

from .table import arena, lively_answer, new_game, ply

PLAIN = """
    +--------+
    |@1    @2|
    |$1    $1|
    |$3    $2|
    |@4    @3|
    +--------+
    """


def played_out(game: HeroesGame) -> HeroesGame:
    while game.result() is None:
        ply(game, "Stay")
    return game


def test_300_rounds_are_1200_plies() -> None:
    game = arena(PLAIN)
    for _ in range(1200):
        assert game.result() is None
        ply(game, "Stay")
    assert game.result() is not None
    assert game.to_move() == ()


def test_the_end_the_most_gold_is_first() -> None:
    result = played_out(arena(PLAIN)).result()
    assert result is not None
    assert result.scores == (600, 300, 300, 0)
    assert result.ranks == (1, 2, 2, 4)
    assert result.reason == "hero 1 has the most gold, 600, after 300 rounds"


@pytest.mark.parametrize(
    ("gold", "ranks", "reason"),
    [
        ({1: 5, 2: 5}, (1, 1, 3, 3), "heroes 1 and 2 tie with 5 gold after 1 round"),
        ({2: 1, 3: 1, 4: 1}, (4, 1, 1, 1), "heroes 2, 3 and 4 tie with 1 gold after 1 round"),
        ({}, (1, 1, 1, 1), "heroes 1, 2, 3 and 4 tie with 0 gold after 1 round"),
        ({1: 3, 2: 4, 3: 2, 4: 1}, (2, 1, 3, 4), "hero 2 has the most gold, 4, after 1 round"),
    ],
)
def test_equal_gold_is_a_tie(gold: dict[int, int], ranks: tuple[int, ...], reason: str) -> None:
    empty = PLAIN.replace("$1", "$-").replace("$2", "$-").replace("$3", "$-")
    result = played_out(arena(empty, gold=gold, rounds=1)).result()
    assert result is not None
    assert (result.ranks, result.reason) == (ranks, reason)


def test_the_result_tells_gold_and_mines_after_every_round_and_the_deeds() -> None:
    rng = random.Random(3)
    game = new_game(3, map="m5", rounds=60)
    after_rounds = []
    while game.result() is None:
        ply(game, lively_answer(game, game.to_move()[0], rng))
        if game.position.ply % 4 == 0:
            after_rounds.append([(each.gold, each.mines) for each in game.position.heroes])
    result = game.result()
    assert result is not None
    for seat, each in enumerate(game.position.heroes):
        assert result.data["gold"][seat] == [row[seat][0] for row in after_rounds]
        assert result.data["mines"][seat] == [row[seat][1] for row in after_rounds]
        assert len(result.data["gold"][seat]) == 60
        assert result.data["captures"][seat] == each.captures
        assert result.data["kills"][seat] == each.kills
        assert result.data["deaths"][seat] == each.deaths
    assert sum(result.data["captures"]) > 3
    assert json.loads(json.dumps(result.data)) == result.data


def test_the_last_words_are_the_finished_state() -> None:
    game = played_out(arena(PLAIN, rounds=1))
    state = json.loads(game.final_message(2))
    assert (state["game"]["finished"], state["game"]["turn"], state["hero"]["id"]) == (True, 4, 3)
