"""The map as terminal text, two characters per cell as on the wire, with the heroes beside it.

Everything is also readable without terminal colours. If a map leaves no room beside it, the heroes are listed below.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from arbiter.game import paint

from .maps import HEROES

if TYPE_CHECKING:
    from .state import Hero, Position

_HERO_STYLES: Final = ((), ("red",), ("blue",), ("magenta",), ("cyan",))
_STYLES: Final = {
    "##": ("green", "dim"),
    "[]": ("yellow", "bold"),
    "^^": ("grey",),
    "$-": ("white", "bold"),
    **{f"${hero}": (*_HERO_STYLES[hero], "bold") for hero in HEROES},
    **{f"@{hero}": (*_HERO_STYLES[hero], "bold", "reverse") for hero in HEROES},
}
_LEGEND: Final = (("##", "wood"), ("[]", "tavern"), ("$-", "mine"), ("^^", "spikes"))
_WIDEST_BESIDE: Final = 28
"""The largest map with room for the heroes beside it."""
_BAR: Final = 20


def board(position: Position, seat: int | None) -> str:
    """Draw the position. Every seat may see everything; ``seat`` is only marked."""
    drawn, heroes = _map(position), _heroes(position, seat)
    size = position.board.size
    if size > _WIDEST_BESIDE:
        lines = [*drawn, "", *heroes]
    else:
        drawn += [" " * (2 * size + 2)] * (len(heroes) - len(drawn))
        lines = [f"{left}  {right}" for left, right in zip_longest(drawn, heroes, fillvalue="")]
    return "\n".join(line.rstrip() for line in (_heading(position), "", *lines)) + "\n"


def _heading(position: Position) -> str:
    rounds = position.plies // len(HEROES)
    if position.over:
        state = "the game is over"
    else:
        state = f"round {position.ply // len(HEROES) + 1} of {rounds}, hero {position.mover.number} to move"
    legend = "  ".join(paint(tile, *_STYLES[tile]) + paint(f" {name}", "dim") for tile, name in _LEGEND)
    return f"{paint('Heroes', 'bold')}  {state}    {legend}"


def _map(position: Position) -> list[str]:
    size = position.board.size
    tiles = position.tiles.decode("ascii")
    rule, edge = paint(f"+{'-' * 2 * size}+", "dim"), paint("|", "dim")
    rows = [_row(tiles[start : start + 2 * size]) for start in range(0, len(tiles), 2 * size)]
    return [rule, *(f"{edge}{row}{edge}" for row in rows), rule]


def _row(tiles: str) -> str:
    cells = (tiles[start : start + 2] for start in range(0, len(tiles), 2))
    return "".join(paint(cell, *_STYLES[cell]) if cell in _STYLES else cell for cell in cells)


def _heroes(position: Position, seat: int | None) -> list[str]:
    lines = []
    for hero in position.heroes:
        to_move = not position.over and hero is position.mover
        lines += [_standing(hero, to_move, hero.number - 1 == seat), _life(hero, position.constants.life), ""]
    return lines[:-1]


def _standing(hero: Hero, to_move: bool, own: bool) -> str:
    tile = f"@{hero.number}"
    gold, mines = paint(f"{hero.gold:>5}", "yellow", "bold"), paint(f"{hero.mines:>3}", "bold")
    mark = paint("disconnected", "red") if not hero.connected else "you" if own else ""
    return f"{'▶' if to_move else ' '} {paint(tile, *_STYLES[tile])} gold {gold}  mines {mines}  {mark}"


def _life(hero: Hero, full: int) -> str:
    filled = -(-hero.life * _BAR // full)
    bar = paint("█" * filled, *_HERO_STYLES[hero.number]) + paint("░" * (_BAR - filled), "dim")
    return f"     {bar} {hero.life:>3} {hero.last_direction}"
