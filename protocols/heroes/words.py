"""Moves and events in words. The words "dies", "kills" and "captures" make key events searchable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .maps import FREE, MINE, SPIKES, TAVERN
from .rules import DISCONNECT, STAY, target
from .state import What

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .state import Event, Hero, Position


def describe(position: Position, seat: int, move: str) -> str:
    """Describe a canonical move before it is played: where it leads, not its outcome."""
    if move == DISCONNECT:
        return "gives no answer and stays for the rest of the game"
    if move == STAY:
        return "stays"
    hero = position.heroes[seat]
    return f"goes {move.lower()}{_destination(position, hero, target(position, hero, move))}"


def _destination(position: Position, hero: Hero, cell: int) -> str:
    other = position.standing[cell]
    if other:
        return f" against hero {other.number}"
    ground = position.board.ground[cell]
    if ground == FREE:
        return ""
    if ground == SPIKES:
        return " onto spikes"
    if ground == TAVERN:
        return " for a drink" if hero.gold >= position.constants.drink_gold else " to a tavern, without the gold"
    if ground == MINE:
        return _to_mine(position.owners[cell], hero)
    return " against wood" if cell < position.board.size**2 else " against the edge"


def _to_mine(owner: int, hero: Hero) -> str:
    if owner == hero.number:
        return " to its own mine"
    return f" to a mine of hero {owner}" if owner else " to a free mine"


def in_words(event: Event) -> str:
    """Describe an event in a short sentence."""
    return f"hero {event.hero} {_PHRASES[event.what](event)}"


def _loot(mines: int) -> str:
    return f" and takes {_mines(mines)}" if mines else ""


def _loss(mines: int) -> str:
    return f" and loses {_mines(mines)}" if mines else ""


def _mines(count: int) -> str:
    return "1 mine" if count == 1 else f"{count} mines"


_PHRASES: Final[Mapping[What, Callable[[Event], str]]] = {
    What.CAPTURE: lambda event: "captures a mine" + (f" of hero {event.other}" if event.other else ""),
    What.DRINK: lambda event: f"drinks, life {event.amount}",
    What.DEATH_AT_MINE: lambda event: f"dies at a mine{_loss(event.amount)}",
    What.DEATH_ON_SPIKES: lambda event: f"dies on spikes{_loss(event.amount)}",
    What.HIT: lambda event: f"hits hero {event.other}, life {event.amount}",
    What.KILL: lambda event: f"kills hero {event.other}{_loot(event.amount)}",
    What.KILL_BY_RESPAWN: lambda event: f"kills hero {event.other} by respawning there{_loot(event.amount)}",
    What.DISCONNECTION: lambda event: "is disconnected",
}
