"""The rulings on clashes, one by one."""

from __future__ import annotations

import pytest

from arbiter.game import Chance, OptionValue
from protocols.drones import protocol
from protocols.drones.game import DronesGame

from .table import army, fight, new_match, says, turn, units


def test_every_round_starts_with_one_producer_and_no_soldier() -> None:
    game = new_match()
    assert [units(game, seat) for seat in (0, 1)] == [(1, 0), (1, 0)]
    turn(game, "1 0 0", "0 1 0")
    turn(game, "0 2 1", "0 1 0")
    assert game.position.round == 2
    assert [units(game, seat) for seat in (0, 1)] == [(1, 0), (1, 0)]


def test_every_producer_makes_one_unit_a_turn() -> None:
    game = new_match()
    army(game, 0, 4, 2)
    turn(game, "1 3 0", "1 0 0")
    assert units(game, 0) == (5, 5)


def test_a_producer_made_this_turn_produces_from_the_next() -> None:
    game = new_match()
    turn(game, says(newProducers=1, newSoldiers=1), "0 0 0")
    assert units(game, 0) == (2, 0)
    turn(game, says(newProducers=1, newSoldiers=1), "0 0 0")
    assert units(game, 0) == (3, 1)


def test_soldiers_made_this_turn_fight_in_this_turns_clash() -> None:
    game = new_match()
    army(game, 0, 3, 0)
    turn(game, "0 3 1", "0 1 0")
    clash = game.position.last_clash
    assert clash is not None
    assert (clash.soldiers, clash.winner) == ((3, 1), 0)


def test_producers_made_this_turn_count_as_units_in_this_turns_clash() -> None:
    game = new_match()
    army(game, 0, 2, 1)
    army(game, 1, 3, 1)
    turn(game, "2 0 1", "0 0 1")
    clash = game.position.last_clash
    assert clash is not None
    assert (clash.producers, clash.winner, clash.settled_by) == ((4, 3), 0, "units")


Army = tuple[int, int]
CLASHES: dict[str, list[tuple[Army, Army, str, int, str]]] = {
    "an attacker wins only with more soldiers than the defender and one": [
        *(((1, mine), (9, 2), "0", winner, "attack") for mine, winner in ((4, 0), (3, 1), (2, 1), (1, 1))),
        *(((9, 2), (1, other), "1", winner, "attack") for other, winner in ((4, 1), (3, 0), (2, 0), (1, 0))),
        *(((1, mine), (1, 0), "0", winner, "attack") for mine, winner in ((1, 1), (2, 0))),
    ],
    "if both attack, more soldiers win and there is no bonus": [
        *(((1, mine), (1, 9 - mine), "01", winner, "soldiers") for mine, winner in ((5, 0), (4, 1))),
    ],
    "equal soldiers in the field are decided by all units": [
        *(((mine, 4), (13 - mine, 4), "01", winner, "units") for mine, winner in ((7, 0), (6, 1))),
    ],
}
"""By ruling: both armies, who attacks, the winner, and what decided it."""


@pytest.mark.parametrize("ruling", CLASHES)
def test_a_clash_is_settled(ruling: str) -> None:
    for mine, other, attacks, winner, settled_by in CLASHES[ruling]:
        for turns in (10, 1):
            clash = fight(new_match(turns=turns), mine, other, attacks)
            assert (clash.winner, clash.settled_by) == (winner, settled_by), (mine, other, attacks)


@pytest.mark.parametrize(
    ("options", "mine", "other", "attacks", "winner"),
    [
        *(({"defender_bonus": 3}, (1, mine), (1, 2), "0", winner) for mine, winner in ((5, 1), (6, 0))),
        *(({"defender_bonus": 0}, (1, mine), (1, 2), "0", winner) for mine, winner in ((2, 1), (3, 0))),
        ({"field_tie": "draw"}, (1, 5), (9, 4), "01", 0),
        ({"turns": 1}, (1, 4), (1, 3), "", 0),
    ],
)
def test_options_change_who_wins(
    options: dict[str, OptionValue], mine: Army, other: Army, attacks: str, winner: int
) -> None:
    assert fight(new_match(1, **options), mine, other, attacks).winner == winner


def test_equal_units_in_the_field_are_decided_by_a_seeded_coin() -> None:
    def winner(seed: int) -> int | None:
        clash = fight(new_match(seed), (3, 4), (3, 4), attacks="01")
        assert clash.settled_by == "coin"
        return clash.winner

    fallen = [winner(seed) for seed in range(40)]
    assert set(fallen) == {0, 1}
    assert fallen == [winner(seed) for seed in range(40)]


def test_the_coin_is_recorded_and_nothing_else_is_random() -> None:
    chance = Chance(1)
    game = protocol.start(2, {}, {}, chance)
    assert isinstance(game, DronesGame)
    fight(game, (3, 5), (3, 4), attacks="01")
    fight(game, (4, 4), (3, 4), attacks="01")
    fight(game, (1, 4), (3, 4), attacks="0")
    assert chance.take() == []
    clash = fight(game, (3, 4), (3, 4), attacks="01")
    assert chance.take() == [clash.winner]


@pytest.mark.parametrize("producers", [(3, 3), (9, 3), (3, 9)])
def test_with_field_tie_draw_equal_soldiers_are_a_draw_whatever_the_units(producers: tuple[int, int]) -> None:
    game = new_match(field_tie="draw")
    clash = fight(game, (producers[0], 4), (producers[1], 4), attacks="01")
    assert (clash.winner, clash.settled_by) == (None, "nothing")
    assert (game.position.wins, game.position.draws) == ([0, 0], 1)


def test_a_round_without_an_attack_ends_in_the_field_after_its_last_turn() -> None:
    game = new_match()
    for number in range(1, 11):
        assert (game.position.round, game.position.turn) == (1, number)
        turn(game, "0 1 0", "1 0 0")
    clash = game.position.last_clash
    assert clash is not None
    assert (clash.turns_played, clash.soldiers, clash.winner, clash.settled_by) == (10, (10, 0), 0, "soldiers")
    assert clash.attacked == (False, False)


@pytest.mark.parametrize("turns", [1, 3, 40])
def test_the_turns_of_a_round_can_be_set(turns: int) -> None:
    game = new_match(turns=turns)
    for _ in range(turns):
        assert game.position.round == 1
        turn(game, "0 1 0", "0 0 0")
    assert game.position.round == 2


def test_the_first_attack_ends_the_round_at_once() -> None:
    game = new_match()
    turn(game, "1 0 0", "1 0 0")
    turn(game, "0 2 1", "2 0 0")
    clash = game.position.last_clash
    assert clash is not None
    assert (clash.turns_played, game.position.round, game.position.turn) == (2, 2, 1)


def test_the_starting_producers_can_be_set() -> None:
    game = new_match(starting_producers=5)
    assert [units(game, seat) for seat in (0, 1)] == [(5, 0), (5, 0)]
    turn(game, "0 5 1", "0 0 0")
    assert [units(game, seat) for seat in (0, 1)] == [(5, 0), (5, 0)]
