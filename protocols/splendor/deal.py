"""The setup: dealt at random or given by the user, checked, and turned into the opening position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import BadSetup, quoted

from .cards import IDS_OF_LEVEL, LEVELS, NOBLE_IDS
from .state import CHIPS_PER_COLOUR, FACE_UP, GOLD_CHIPS, NOBLES_DRAWN, Player, Position

if TYPE_CHECKING:
    from arbiter.game import Chance, Json

_ENTRIES = ("decks", "nobles")


def deal(seats: int, chance: Chance) -> Json:
    """Shuffle the decks, whose first four cards are face up in slot order, and draw the nobles."""
    check_seats(seats)
    return {
        "decks": [chance.shuffled(ids) for ids in IDS_OF_LEVEL],
        "nobles": chance.shuffled(NOBLE_IDS)[: NOBLES_DRAWN[seats]],
    }


def lay_out(seats: int, setup: Json) -> Position:
    """Return the opening position of a setup, without changing the setup. Raises BadSetup."""
    check_seats(seats)
    decks, nobles = _checked(seats, setup)
    return Position(
        bank=[CHIPS_PER_COLOUR[seats]] * 5 + [GOLD_CHIPS],
        decks=[deck[: FACE_UP - 1 : -1] for deck in decks],
        rows=[deck[:FACE_UP] for deck in decks],
        nobles=list(nobles),
        players=[Player() for _ in range(seats)],
    )


def check_seats(seats: int) -> None:
    """Raise BadSetup unless this many players are allowed."""
    if not 1 <= seats <= 4:
        raise BadSetup(f"Splendor is for 1 to 4 players, not {seats}")


def _checked(seats: int, setup: Json) -> tuple[list[list[int]], list[int]]:
    if not isinstance(setup, dict):
        raise BadSetup("the setup must be an object with the entries decks and nobles")
    for entry in _ENTRIES:
        if entry not in setup:
            raise BadSetup(f"the setup lacks the entry {entry!r}")
    for entry in setup:
        if entry not in _ENTRIES:
            raise BadSetup(f"unknown entry {quoted(entry)} in the setup; choose from decks, nobles")
    return _checked_decks(setup["decks"]), _checked_nobles(seats, setup["nobles"])


def _checked_decks(decks: Json) -> list[list[int]]:
    if not isinstance(decks, list) or len(decks) != len(LEVELS):
        raise BadSetup("decks must be a list of three lists of card ids, level 1 first")
    for level, deck, ids in zip(LEVELS, decks, IDS_OF_LEVEL, strict=True):
        what = f"the level {level} deck"
        _check_ids(what, deck, ids)
        if len(deck) != len(ids):
            missing = min(set(ids) - set(deck))
            raise BadSetup(f"{what} has {len(deck)} cards instead of {len(ids)}; card {missing} is missing")
    return decks


def _checked_nobles(seats: int, nobles: Json) -> list[int]:
    _check_ids("the list of nobles", nobles, NOBLE_IDS)
    if len(nobles) != NOBLES_DRAWN[seats]:
        raise BadSetup(f"a game for {seats} has {NOBLES_DRAWN[seats]} nobles, the setup names {len(nobles)}")
    return list(nobles)


def _check_ids(what: str, given: Json, allowed: range) -> None:
    if not isinstance(given, list):
        raise BadSetup(f"{what} must be a list of ids")
    seen = set()
    for number in given:
        if type(number) is not int or number not in allowed:
            raise BadSetup(
                f"{what} holds {quoted(number)}; ids must be whole numbers from {allowed[0]} to {allowed[-1]}"
            )
        if number in seen:
            raise BadSetup(f"{what} holds {number} twice")
        seen.add(number)
