"""Invariants of every game: the contract with the arbiter, and the conservation of cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.game import Chance, Game
from arbiter.testing import defaults, playthrough, replay
from protocols.green_circle import protocol
from protocols.green_circle.cards import ARCHITECTURE_STUDY, COPIES, DAILY_ROUTINE

pytestmark = pytest.mark.slow

T = TypeVar("T")
PILES = ("hand", "draw", "discard", "played", "automated")


def any_action(game: Game, seat: int, rng: random.Random) -> str:
    action: str = rng.choice(game.view()["actions"])
    return action


def hardly_ever_wrong(game: Game, seat: int, rng: random.Random) -> str:
    if rng.random() < 0.01:
        return rng.choice(["", "MOVE", "MOVE 9", "WAIT", "THROW 9", "GIVE 0", "RELEASE 30", "TRAINING", "\0"])
    return any_action(game, seat, rng)


def cards_are_conserved(game: Game) -> None:
    view = game.view()
    cards = Counter(dict(enumerate([*view["desks"], view["bonus_pool"], view["debt_pool"]])))
    for team in view["teams"]:
        for pile in PILES:
            cards.update(team[pile])
        cards[DAILY_ROUTINE] += team["daily_routine"]
        cards[ARCHITECTURE_STUDY] += team["architecture_study"]
    assert [cards[card] for card in range(10)] == list(COPIES)
    assert min(cards.values()) >= 0


def hands_are_as_large_as_they_should_be(game: Game) -> None:
    view = game.view()
    if view["phase"] != "MOVE" or view["over"]:
        return
    mover = view["teams"][view["seat"]]
    most = 4 + mover["architecture_study"]
    assert len(mover["hand"]) <= most + 1, "the opponent gives one card a turn at most"
    if mover["draw"] or mover["discard"]:
        assert len(mover["hand"]) >= most
    for team in view["teams"]:
        assert team["played"] == []


def numbers_make_sense(game: Game) -> None:
    view = game.view()
    assert sum(team["score"] for team in view["teams"]) + len(view["applications"]) == 12
    assert all(0 <= team["score"] <= 5 and -1 <= team["location"] <= 7 for team in view["teams"])
    assert view["phases"] <= view["max_phases"]
    assert all(9 not in team["automated"] + team["played"] for team in view["teams"])
    assert view["level"] >= 3 or not any(team["automated"] or team["daily_routine"] for team in view["teams"])


def the_prompt_says_what_the_view_says(game: Game) -> None:
    for seat in game.to_move():
        lines = game.prompt(seat).split("\n")
        view = game.view()
        own, other = view["teams"][seat], view["teams"][1 - seat]
        shown = {line.split()[0]: list(map(int, line.split()[1:])) for line in lines if len(line.split()) == 11}
        whole = other["hand"] + other["draw"] + other["discard"]
        assert shown.get("HAND", [0] * 10) == [own["hand"].count(card) for card in range(10)]
        assert shown["OPPONENT_CARDS"] == [whole.count(card) for card in range(10)]
        assert lines[0] == view["phase"]
        assert lines[-1] == ""
        assert lines[-1 - len(view["actions"]) : -1] == view["actions"]
        assert len(view["actions"]) > 1


def everything_holds(game: Game) -> None:
    cards_are_conserved(game)
    hands_are_as_large_as_they_should_be(game)
    numbers_make_sense(game)
    the_prompt_says_what_the_view_says(game)


@given(seed=st.integers(0, 2**32), level=st.sampled_from([1, 2, 3, 4]), max_phases=st.integers(1, 120))
@settings(max_examples=50, deadline=None)
def test_invariants_hold_in_random_play_with_and_without_faults(seed: int, level: int, max_phases: int) -> None:
    options = {"level": level, "max_phases": max_phases}
    played = playthrough(protocol, hardly_ever_wrong, seats=2, seed=seed, options=options, after_turn=everything_holds)
    assert played.result is not None
    replay(played)


def test_pools_run_dry_in_long_games_without_losing_cards() -> None:
    driest = {"bonus_pool": 99, "debt_pool": 99, "desk": 99}

    def watch(game: Game) -> None:
        cards_are_conserved(game)
        view = game.view()
        driest["bonus_pool"] = min(driest["bonus_pool"], view["bonus_pool"])
        driest["debt_pool"] = min(driest["debt_pool"], view["debt_pool"])
        driest["desk"] = min(driest["desk"], *view["desks"])

    def reviewing(game: Game, seat: int, rng: random.Random) -> str:
        actions = game.view()["actions"]
        wanted = [action for action in actions if action in ("CODE_REVIEW", "TRAINING", "MOVE 6")] or actions
        return "WAIT" if game.view()["phase"] == "RELEASE" else rng.choice(wanted)

    # Nobody releases and everybody reviews: BONUS cards run out. Anything goes: debt piles up.
    for level, answers in ((2, reviewing), (3, any_action)):
        playthrough(protocol, answers, seats=2, seed=5, options={"level": level}, after_turn=watch)
    assert driest == {"bonus_pool": 0, "debt_pool": 0, "desk": 0}


class NotedShuffles(Chance):
    """Chance that records the order of every pile it shuffles, the card drawn first at the front."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.piles: list[list[Any]] = []

    def shuffled(self, items: Iterable[T]) -> list[T]:
        pile = super().shuffled(items)
        self.piles.append(pile[::-1])
        return pile


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_game_can_be_played_again_from_its_moves_and_card_orders_alone(level: int) -> None:
    """As with a record from elsewhere: moves and orders are known, the generator is not."""
    options = defaults(protocol, {"level": level})
    setup = protocol.setup(2, options, Chance(8, "setup"))
    chance, rng = NotedShuffles(8), random.Random(8)
    first = protocol.start(2, options, setup, chance)
    orders: list[list[list[int]]] = [[], []]
    moves, prompts = [], []
    while first.result() is None:
        (seat,) = first.to_move()
        prompts.append(first.prompt(seat))
        move = any_action(first, seat, rng)
        first.play({seat: move})
        # A recorded game names what was done, not that chance was asked to choose.
        moves.append(
            first.display().events()[0].split(": ")[0].removeprefix("chance picks ") if move == "RANDOM" else move
        )
        orders[seat] += chance.piles
        chance.piles = []
    assert all(orders)
    again = protocol.start(2, options, {**setup, "draws": orders}, unused := Chance(99))
    for move, prompt in zip(moves, prompts, strict=True):
        (seat,) = again.to_move()
        assert again.prompt(seat) == prompt
        again.play({seat: again.read(seat, move).text})
    assert again.view() == first.view()
    assert again.result() == first.result()
    assert unused.take() == []
