"""The setup: made by chance, or given by the user and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arbiter.game import BadSetup, Chance, Json, quoted

from .applications import BIG, COUNT, SMALL, Application
from .cards import BONUS, COPIES, NAMES, TECHNICAL_DEBT, TYPES
from .levels import Level

SEATS = 2
FIRST_HAND = 4
_FIRST_PILE = [BONUS] * 4 + [TECHNICAL_DEBT] * 4
_KEYS = ("applications", "piles", "draws")


@dataclass(frozen=True, slots=True)
class Opening:
    """A checked setup."""

    applications: tuple[Application, ...]
    """By id."""
    piles: tuple[Sequence[int], ...]
    """Per seat: the first draw pile, the card drawn first at the front."""
    draws: tuple[Sequence[Sequence[int]], ...]
    """Per seat: the given orders for its reshuffles, in turn."""


def lay_out(level: Level, chance: Chance) -> Json:
    """Make a random setup for this level."""
    ids = chance.shuffled(range(COUNT))
    small, big = ids[: level.small], ids[level.small : level.small + level.big]
    return {
        "applications": {"small": sorted(small), "big": sorted(big)},
        "piles": [_first_pile(chance) for _ in range(SEATS)],
    }


def _first_pile(chance: Chance) -> list[int]:
    while True:
        pile = chance.shuffled(_FIRST_PILE)
        if _mixed(pile):
            return pile


def _mixed(pile: Sequence[int]) -> bool:
    return len(set(pile[:FIRST_HAND])) > 1


def check(setup: Json, level: Level) -> Opening:
    """Check a setup and convert it to values. Raises BadSetup with one line that says what is wrong."""
    if not isinstance(setup, dict):
        raise BadSetup(f"the setup must be an object with {', '.join(_KEYS)}, not {quoted(setup)}")
    for key in setup:
        if key not in _KEYS:
            raise BadSetup(f"unknown entry {quoted(key)} in the setup; choose from {', '.join(_KEYS)}")
    return Opening(
        _applications(setup.get("applications"), level),
        tuple(_pile(pile, seat) for seat, pile in enumerate(_per_seat(setup.get("piles"), "piles"))),
        tuple(_orders(orders, seat) for seat, orders in enumerate(_per_seat(setup.get("draws", [[], []]), "draws"))),
    )


def _applications(given: Json, level: Level) -> tuple[Application, ...]:
    if not isinstance(given, dict) or set(given) != {"small", "big"}:
        raise BadSetup(f"applications must be an object with the lists small and big, not {quoted(given)}")
    chosen: dict[int, Application] = {}
    for size, wanted, forms in (("small", level.small, SMALL), ("big", level.big, BIG)):
        ids = _whole_numbers(given[size], f"applications {size}", COUNT)
        if len(ids) != wanted:
            raise BadSetup(f"level {level.number} must have {wanted} {size} applications, not {len(ids)}")
        for id_ in ids:
            if id_ in chosen:
                raise BadSetup(f"application {id_} is listed twice")
            chosen[id_] = forms[id_]
    return tuple(chosen[id_] for id_ in sorted(chosen))


def _pile(given: Json, seat: int) -> Sequence[int]:
    pile = _whole_numbers(given, f"the pile of seat {seat}", len(TYPES))
    if sorted(pile) != _FIRST_PILE:
        raise BadSetup(
            f"the pile of seat {seat} must hold {BONUS} and {TECHNICAL_DEBT} four times each, not {quoted(given)}"
        )
    if not _mixed(pile):
        raise BadSetup(f"the first hand of seat {seat} may not be four {NAMES[pile[0]]} cards")
    return pile


def _orders(given: Json, seat: int) -> Sequence[Sequence[int]]:
    if not isinstance(given, list):
        raise BadSetup(f"the draws of seat {seat} must be a list of card orders, not {quoted(given)}")
    return tuple(_order(order, f"order {number} of the draws of seat {seat}") for number, order in enumerate(given, 1))


def _order(given: Json, what: str) -> Sequence[int]:
    order = _whole_numbers(given, what, len(TYPES))
    for card in TYPES:
        if order.count(card) > COPIES[card]:
            raise BadSetup(f"{what} has {order.count(card)} {NAMES[card]} cards, only {COPIES[card]} exist")
    return order


def _per_seat(given: Json, what: str) -> list[Json]:
    if not isinstance(given, list) or len(given) != SEATS:
        raise BadSetup(f"{what} must be a list with one entry per seat ({SEATS}), not {quoted(given)}")
    return given


def _whole_numbers(given: Json, what: str, below: int) -> tuple[int, ...]:
    if not isinstance(given, list):
        raise BadSetup(f"{what} must be a list of whole numbers, not {quoted(given)}")
    for number in given:
        if type(number) is not int or not 0 <= number < below:
            raise BadSetup(f"{what} must hold whole numbers from 0 to {below - 1}, not {quoted(number)}")
    return tuple(given)
