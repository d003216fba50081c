"""The position of a game, and the elementary changes to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from .maps import HEROES, NOBODY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .maps import Board
    from .presets import Constants
    from .setup import Opening


class What(Enum):
    """Kinds of events."""

    CAPTURE = auto()
    DRINK = auto()
    DEATH_AT_MINE = auto()
    DEATH_ON_SPIKES = auto()
    HIT = auto()
    KILL = auto()
    KILL_BY_RESPAWN = auto()
    DISCONNECTION = auto()


class Event(NamedTuple):
    """An event caused by or happening to a hero."""

    what: What
    hero: int
    other: int = NOBODY
    """The victim, or the previous owner of the mine."""
    amount: int = 0
    """Mines lost or taken; the life left after a drink or a hit."""


@dataclass(slots=True)
class Hero:
    """One of the four heroes."""

    number: int
    start: int
    cell: int
    life: int
    gold: int = 0
    mines: int = 0
    last_direction: str = ""
    connected: bool = True
    respawned_in: int = -1
    """The last ply in which it respawned."""
    captures: int = 0
    kills: int = 0
    deaths: int = 0


@dataclass(slots=True)
class Position:
    """The whole state of a game."""

    board: Board
    constants: Constants
    heroes: list[Hero]
    standing: list[Hero | None]
    """By cell: the hero on it. The extra cell for the outside is always empty."""
    owners: Mapping[int, int]
    """By cell of a mine: its owner. Replaced by another mapping whenever a mine changes hands."""
    plies: int
    """Length of the whole game."""
    ply: int = 0
    """Plies played so far."""
    log: list[Event] = field(default_factory=list)
    """Events since it was last cleared."""
    gold_by_round: list[list[int]] = field(default_factory=lambda: [[] for _ in HEROES])
    mines_by_round: list[list[int]] = field(default_factory=lambda: [[] for _ in HEROES])

    @property
    def mover(self) -> Hero:
        """The hero whose ply is next."""
        return self.heroes[self.ply % len(HEROES)]

    @property
    def over(self) -> bool:
        """Whether all plies have been played."""
        return self.ply >= self.plies


def begin(opening: Opening, rounds: int) -> Position:
    """Return the position before the first ply."""
    board = opening.board
    heroes = [
        Hero(number, start, start, opening.constants.life, connected=number not in opening.absent)
        for number, start in zip(HEROES, board.starts, strict=True)
    ]
    standing: list[Hero | None] = [None] * len(board.ground)
    for hero in heroes:
        standing[hero.cell] = hero
        hero.mines = sum(owner == hero.number for owner in board.mines.values())
    return Position(board, opening.constants, heroes, standing, board.mines, rounds * len(HEROES))


def lift(position: Position, hero: Hero) -> None:
    """Take a hero off the map."""
    position.standing[hero.cell] = None


def put(position: Position, hero: Hero, cell: int) -> None:
    """Put a hero on an empty cell."""
    hero.cell = cell
    position.standing[cell] = hero


def give_mine(position: Position, mine: int, owner: Hero | None) -> None:
    """Give a mine to a hero, or make it neutral."""
    former = position.owners[mine]
    if former:
        position.heroes[former - 1].mines -= 1
    if owner:
        owner.mines += 1
    position.owners = {**position.owners, mine: owner.number if owner else NOBODY}


def give_all_mines(position: Position, loser: Hero, owner: Hero | None) -> int:
    """Give all mines of a hero to another, or make them neutral; return their number."""
    count = loser.mines
    if count:
        for mine in [mine for mine, number in position.owners.items() if number == loser.number]:
            give_mine(position, mine, owner)
    return count
