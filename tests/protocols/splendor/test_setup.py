"""The deal, and setups given by the user."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from arbiter.game import BadSetup, Chance
from protocols.splendor import protocol

from .table import check_invariants, new_game


@pytest.mark.parametrize(("seats", "chips", "nobles"), [(1, 4, 2), (2, 4, 3), (3, 5, 4), (4, 7, 5)])
def test_supply_by_number_of_players(seats: int, chips: int, nobles: int) -> None:
    game = new_game(seats)
    assert game.position.bank == [chips] * 5 + [5]
    assert len(game.position.nobles) == len(set(game.position.nobles)) == nobles
    assert len(game.position.players) == seats
    check_invariants(game)


def test_four_cards_of_each_level_are_face_up_in_deck_order_and_the_fifth_is_the_next() -> None:
    setup = protocol.setup(2, {}, Chance(3, "setup"))
    position = new_game(2, 3).position
    for dealt, deck, row in zip(setup["decks"], position.decks, position.rows, strict=True):
        assert row == dealt[:4]
        assert deck[::-1] == dealt[4:]
    assert [len(deck) for deck in position.decks] == [36, 26, 16]


def test_the_first_seat_moves_first_in_round_one() -> None:
    game = new_game(3)
    assert game.to_move() == (0,)
    assert game.position.round == 1


def test_the_deal_is_a_matter_of_the_seed() -> None:
    deals = [json.dumps(protocol.setup(2, {}, Chance(seed, "setup"))) for seed in range(50)]
    assert len(set(deals)) == 50
    assert deals[7] == json.dumps(protocol.setup(2, {}, Chance(7, "setup")))


def test_a_given_setup_is_played_as_given() -> None:
    setup = protocol.setup(2, {}, Chance(3, "setup"))
    setup["nobles"] = [10, 1, 5]
    setup["decks"][2].sort()
    game = protocol.start(2, {}, setup, Chance(0))
    assert game.prompt(0).splitlines()[5:7] == ["16 71 72 73 74", "3 10 1 5"]


def broken(**entries: Any) -> Any:
    setup = protocol.setup(2, {}, Chance(3, "setup"))
    return {**setup, **entries}


def with_deck(level: int, deck: Any) -> Any:
    setup = protocol.setup(2, {}, Chance(3, "setup"))
    setup["decks"][level - 1] = deck
    return setup


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (None, "an object"),
        ([], "an object"),
        ({"decks": []}, "lacks the entry 'nobles'"),
        ({"nobles": []}, "lacks the entry 'decks'"),
        (broken(noble=3), "unknown entry 'noble'"),
        (broken(decks={}), "three lists"),
        (broken(decks=[[1], [2]]), "three lists"),
        (with_deck(1, 5), "the level 1 deck must be a list"),
        (with_deck(1, [*range(1, 40), "40"]), "holds '40'"),
        (with_deck(1, [*range(1, 40), True]), "holds True"),
        (with_deck(1, [*range(1, 40), 40.0]), "holds 40.0"),
        (with_deck(1, [*range(1, 40), 41]), "holds 41; ids must be whole numbers from 1 to 40"),
        (with_deck(1, [*range(1, 40), 39]), "holds 39 twice"),
        (with_deck(2, list(range(41, 70))), "card 70 is missing"),
        (with_deck(3, []), "the level 3 deck has 0 cards instead of 20"),
        (broken(nobles=None), "the list of nobles must be a list"),
        (broken(nobles=[1, 2]), "has 3 nobles, the setup names 2"),
        (broken(nobles=[1, 2, 3, 4]), "has 3 nobles, the setup names 4"),
        (broken(nobles=[1, 2, 2]), "holds 2 twice"),
        (broken(nobles=[1, 2, 11]), "ids must be whole numbers from 1 to 10"),
        (broken(nobles=[1, 2, [3] * 1000]), "…"),
    ],
)
def test_an_invalid_setup_is_refused_in_one_line(setup: Any, words: str) -> None:
    untouched = copy.deepcopy(setup)
    with pytest.raises(BadSetup) as caught:
        protocol.start(2, {}, setup, Chance(0))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 160
    assert setup == untouched


@pytest.mark.parametrize("seats", [0, 5])
def test_an_invalid_number_of_seats_is_refused(seats: int) -> None:
    with pytest.raises(BadSetup, match=f"not {seats}"):
        protocol.setup(seats, {}, Chance(0))
    with pytest.raises(BadSetup, match=f"not {seats}"):
        protocol.start(seats, {}, protocol.setup(2, {}, Chance(0)), Chance(0))


@pytest.mark.parametrize("options", [{"max_rounds": 0}, {"max_rounds": "soon"}, {"return_gold": "maybe"}])
def test_an_invalid_option_value_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadSetup, match=next(iter(options))):
        protocol.start(2, options, protocol.setup(2, {}, Chance(0)), Chance(0))


def test_the_protocol_describes_itself() -> None:
    assert (protocol.name, protocol.title, protocol.seats, protocol.lifetime) == (
        "splendor",
        "Splendor",
        (1, 4),
        "move",
    )
    assert protocol.limits == {
        "move": "10s",
        "first_move": "10s",
        "output": "64KB",
        "stderr": "4MB",
        "memory": "16GB",
        "processes": "64",
        "disk": "4GB",
    }
    assert {option.name: option.default for option in protocol.options} == {
        "return_gold": True,
        "strict_exit": True,
        "max_rounds": 100,
    }
    assert "\n" not in protocol.summary + protocol.on_fault
