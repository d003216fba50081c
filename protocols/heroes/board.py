"""The map as terminal text, two characters per cell as on the wire, with the heroes next to it.

Everything is also readable without terminal colours. If a map leaves no room in 80 columns, the heroes are below it; the
largest maps are drawn with one character per cell.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from arbiter.game import columns, padded, paint

from .maps import HEROES
from .wire import tiles_of

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_WIDTH: Final = 80
_BAR: Final = 20
_WIDEST_HERO: Final = len("     gold 12345  mines 123  disconnected")
"""The columns that the figures of a hero may take; reserved from the start, so that the layout never changes in a game."""
_SMALL: Final = {"##": "#", "[]": "T", "^^": "^", "$-": "$"}
"""One character for a cell where there is no room for two. Owners of mines are not shown then; heroes are their numbers."""
_PAINTED: Final = {tile: paint(tile, *styles) for tile, styles in _STYLES.items()}


def board(position: Position, seat: int | None, names: Sequence[str]) -> str:
    """Draw the position. Every seat may see everything; ``seat`` is only marked. ``names`` are those of the seats."""
    drawn, heroes = _map(position), _heroes(position, seat, names)
    across = columns(drawn[0])
    if across + 2 + max(_WIDEST_HERO, *map(columns, heroes)) > _WIDTH:
        lines = [*drawn, "", *heroes]
    else:
        lines = [f"{padded(left, across)}  {right}" for left, right in zip_longest(drawn, heroes, fillvalue="")]
    return "\n".join(line.rstrip() for line in (*_heading(position, names), "", *lines)) + "\n"


def _small(position: Position) -> bool:
    return 2 * position.board.size + 2 > _WIDTH


def _heading(position: Position, names: Sequence[str]) -> list[str]:
    rounds = position.plies // len(HEROES)
    if position.over:
        state = "the game is over"
    else:
        state = f"round {position.ply // len(HEROES) + 1} of {rounds}, {names[position.mover.number - 1]} to move"
    small = _small(position)
    shown = [(_SMALL[tile] if small else tile, tile, name) for tile, name in _LEGEND]
    legend = "  ".join(paint(glyph, *_STYLES[tile]) + paint(f" {name}", "dim") for glyph, tile, name in shown)
    if small:
        legend += paint("  (owners of mines are left out)", "dim")
    return [f"{paint('Heroes', 'bold')}  {state}", legend]


def _map(position: Position) -> list[str]:
    size, small = position.board.size, _small(position)
    tiles = tiles_of(position)
    rule, edge = paint(f"+{'-' * size * (1 if small else 2)}+", "dim"), paint("|", "dim")
    rows = [_row(tiles[start : start + 2 * size], small) for start in range(0, len(tiles), 2 * size)]
    return [rule, *(f"{edge}{row}{edge}" for row in rows), rule]


def _row(tiles: str, small: bool) -> str:
    cells = [tiles[start : start + 2] for start in range(0, len(tiles), 2)]
    if not small:
        return "".join([_PAINTED.get(cell, cell) for cell in cells])
    return "".join(paint(_glyph(cell), *_STYLES[cell]) if cell in _STYLES else _glyph(cell) for cell in cells)


def _glyph(cell: str) -> str:
    if cell in _SMALL:
        return _SMALL[cell]
    return "$" if cell[0] == "$" else cell[1]


def _heroes(position: Position, seat: int | None, names: Sequence[str]) -> list[str]:
    lines = []
    for hero in position.heroes:
        to_move = not position.over and hero is position.mover
        own = hero.number - 1 == seat
        lines += [
            _title(hero, to_move, own, names[hero.number - 1]),
            _purse(hero),
            _life(hero, position.constants.life),
        ]
    return lines


def _title(hero: Hero, to_move: bool, own: bool, name: str) -> str:
    tile = f"@{hero.number}"
    return f"{'▶' if to_move else ' '} {paint(tile, *_STYLES[tile])} {name}{', you' if own else ''}"


def _purse(hero: Hero) -> str:
    gold, mines = paint(f"{hero.gold:>5}", "yellow", "bold"), paint(f"{hero.mines:>3}", "bold")
    mark = "" if hero.connected else paint("disconnected", "red")
    return f"     gold {gold}  mines {mines}  {mark}"


def _life(hero: Hero, full: int) -> str:
    filled = -(-hero.life * _BAR // full)
    bar = paint("█" * filled, *_HERO_STYLES[hero.number]) + paint("░" * (_BAR - filled), "dim")
    return f"     {bar} {hero.life:>3} {hero.last_direction}"
