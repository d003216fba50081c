"""The position as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .maps import HEROES, SPIKES
from .wire import tiles_of

if TYPE_CHECKING:
    from arbiter.game import Json

    from .state import Event, Hero, Position


def view(position: Position) -> Json:
    """Return everything. Rows of the map are as agents see them; ``spikes`` includes those under heroes."""
    size = position.board.size
    tiles = tiles_of(position)
    ground = position.board.ground
    return {
        "turn": position.ply,
        "turns": position.plies,
        "round": min(position.ply, position.plies - 1) // len(HEROES) + 1,
        "seat": None if position.over else position.mover.number - 1,
        "over": position.over,
        "size": size,
        "rows": [tiles[start : start + 2 * size] for start in range(0, len(tiles), 2 * size)],
        "spikes": [_spot(cell, size) for cell, kind in enumerate(ground) if kind == SPIKES],
        "full_life": position.constants.life,
        "heroes": [_hero(hero, size) for hero in position.heroes],
        "events": [_event(event) for event in position.log],
    }


def _hero(hero: Hero, size: int) -> Json:
    return {
        "id": hero.number,
        "pos": _spot(hero.cell, size),
        "start": _spot(hero.start, size),
        "last": hero.last_direction or None,
        "life": hero.life,
        "gold": hero.gold,
        "mines": hero.mines,
        "captures": hero.captures,
        "kills": hero.kills,
        "deaths": hero.deaths,
        "disconnected": not hero.connected,
    }


def _event(event: Event) -> Json:
    """What happened in the last turn; ``other`` is the victim or the mine's former owner, 0 for none."""
    what, hero, other, amount = event
    return {"what": what.name.lower(), "hero": hero, "other": other, "amount": amount}


def _spot(cell: int, size: int) -> list[int]:
    """Row and column, as on the wire."""
    return list(divmod(cell, size))
