"""Invariants of every turn, and replay from the record."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.game import Game
from arbiter.testing import playthrough, replay
from protocols.drones import protocol
from protocols.drones.game import DronesGame

from .table import messages, new_match, pick, random_answer

UNREADABLE = ("", "attack", "{", "[]", '{"newProducers": NaN}', "\x00", "1 1", "[" * 3000)
ODD = ('{"newProducers": 1e9}', '{"newSoldiers": 0.5}', '{"newProducers": 0.25, "newSoldiers": 9}', "3 3 1", "{}")


def mixed_answer(game: Game, seat: int, rng: random.Random) -> str:
    """Return an answer, mostly a valid one."""
    kind = rng.random()
    if kind < 0.1:
        return pick(UNREADABLE, rng)
    return pick(ODD, rng) if kind < 0.3 else random_answer(game, seat, rng)


class Watcher:
    """Checks every position against the previous one."""

    def __init__(self) -> None:
        self.before: tuple[int, int, list[int | float], list[int | float]] | None = None

    def __call__(self, game: Game) -> None:
        assert isinstance(game, DronesGame)
        position, options = game.position, game.settings
        assert 1 <= position.round <= options.rounds
        assert 1 <= position.turn <= options.turns
        assert sum(position.wins) + position.draws == len(position.winners)
        assert len(position.winners) == (options.rounds if position.over else position.round - 1)
        assert min(position.soldiers) >= 0
        assert min(position.producers) >= options.starting_producers
        if not options.fractional_units:
            assert all(type(count) is int for count in position.producers + position.soldiers)
        if self.before and self.before[:2] == (position.round, position.turn - 1):
            _, _, producers, soldiers = self.before
            for seat in (0, 1):
                made = position.producers[seat] + position.soldiers[seat] - producers[seat] - soldiers[seat]
                assert made <= producers[seat] * (1 + 1e-12)
                assert position.producers[seat] >= producers[seat]
                assert position.soldiers[seat] >= soldiers[seat]
        elif position.turn == 1 and not position.over:
            assert position.producers == [options.starting_producers] * 2
            assert position.soldiers == [0, 0]
        self.before = (position.round, position.turn, list(position.producers), list(position.soldiers))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**40),
    options=st.fixed_dictionaries(
        {
            "rounds": st.integers(1, 6),
            "turns": st.integers(1, 12),
            "starting_producers": st.integers(1, 3),
            "defender_bonus": st.integers(0, 2),
            "field_tie": st.sampled_from(["coin", "draw"]),
            "match_tie": st.sampled_from(["draw", "coin"]),
            "fractional_units": st.booleans(),
        }
    ),
)
def test_units_are_conserved_rounds_add_up_and_a_record_replays(
    seed: int, options: dict[str, bool | int | str]
) -> None:
    played = playthrough(protocol, mixed_answer, seats=2, seed=seed, options=options, after_turn=Watcher())
    result = played.result
    assert result is not None
    assert int(options["rounds"]) <= len(played.turns) <= int(options["rounds"]) * int(options["turns"])
    assert sum(result.scores) + result.data["draws"] == options["rounds"]
    assert options["field_tie"] == "draw" or result.data["draws"] == 0
    assert options["match_tie"] == "draw" or sorted(result.ranks) == [1, 2]
    replay(played)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_both_seats_are_sent_the_same_rounds(seed: int) -> None:
    rng = random.Random(seed)
    game = new_match(seed, rounds=4)
    ends: dict[int, list[dict[str, object]]] = {0: [], 1: []}
    while game.result() is None:
        texts = [game.prompt(seat) for seat in (0, 1)]
        game.play({seat: game.read(seat, random_answer(game, seat, rng)).text for seat in (0, 1)})
        texts = [text + game.final_message(seat) for seat, text in enumerate(texts)]
        for seat in (0, 1):
            ends[seat] += [message for message in messages(texts[seat]) if message["type"] == "roundEnd"]
    assert len(ends[0]) == len(ends[1]) == 4
    for mine, other in zip(ends[0], ends[1], strict=True):
        assert (mine["you"], mine["them"], mine["turnsPlayed"]) == (other["them"], other["you"], other["turnsPlayed"])
        assert {mine["outcome"], other["outcome"]} == {"WIN", "LOSE"}
