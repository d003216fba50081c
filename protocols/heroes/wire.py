"""The wire format: the state as one line of JSON, and the parser for answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from arbiter.game import GarbledMove, quoted

from .maps import FREE, SPIKES, TAVERN, WOOD
from .rules import COMPASS, STAY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .state import Hero, Position

_GROUND: Final[Mapping[int, bytes]] = {FREE: b"  ", WOOD: b"##", TAVERN: b"[]", SPIKES: b"^^"}
_MINES: Final = (b"$-", b"$1", b"$2", b"$3", b"$4")
"""By owner."""
_HEROES: Final = (b"", b"@1", b"@2", b"@3", b"@4")
"""By number."""

_WORDS: Final[Mapping[str, str]] = {word.lower(): word for word in (*COMPASS, STAY)}
_LONGEST_WORD: Final = max(map(len, _WORDS))
_BLANKS: Final = " \t\r\n\v\f"


def direction_of(answer: str) -> str:
    """Parse the direction that an answer names, in any case and with spaces around it. Raises GarbledMove."""
    word = answer.strip(_BLANKS)
    known = _WORDS.get(word.lower()) if len(word) <= _LONGEST_WORD else None
    if known is None:
        problem = f"unknown direction {quoted(word)}" if word else "the answer is empty"
        raise GarbledMove(f"{problem}; choose from North, South, East, West, Stay")
    return known


def tiles_of(position: Position) -> str:
    """Return the map as agents see it: two characters per cell, row after row."""
    return _with_heroes(_without_heroes(position), position.heroes)


def _without_heroes(position: Position) -> bytes:
    owners = position.owners
    cells = range(position.board.size**2)
    ground = position.board.ground
    return b"".join([_MINES[owners[cell]] if cell in owners else _GROUND[ground[cell]] for cell in cells])


def _with_heroes(tiles: bytes, heroes: Sequence[Hero]) -> str:
    drawn = bytearray(tiles)
    for hero in heroes:
        at = 2 * hero.cell
        drawn[at : at + 2] = _HEROES[hero.number]
    return drawn.decode("ascii")


class StateWriter:
    """Writes the state of one game. What changes rarely is formatted once: fixed parts, and the map without heroes."""

    def __init__(self, position: Position, game_id: str, names: Sequence[str]) -> None:
        size = position.board.size
        self._position = position
        self._owners, self._tiles = position.owners, _without_heroes(position)
        self._spots = [f'{{"x":{row},"y":{column}}}' for row in range(size) for column in range(size)]
        self._heads = [
            f'{{"id":{hero.number},"name":{json.dumps(name)},"pos":'
            for hero, name in zip(position.heroes, names, strict=True)
        ]
        self._game_head = f'{{"game":{{"id":{json.dumps(game_id)},"turn":'
        self._heroes_head = f',"maxTurns":{position.plies},"heroes":['
        self._board_head = f'],"board":{{"size":{size},"tiles":"'

    def state(self, seat: int, addresses: str) -> str:
        """Return the state for this seat. ``addresses`` is its end, from :func:`addresses_of`."""
        position = self._position
        heroes = [self._hero(hero) for hero in position.heroes]
        if self._owners is not position.owners:
            self._owners, self._tiles = position.owners, _without_heroes(position)
        return (
            f"{self._game_head}{position.ply}{self._heroes_head}{','.join(heroes)}{self._board_head}"
            f'{_with_heroes(self._tiles, position.heroes)}"}},"finished":{"true" if position.over else "false"}}},'
            f'"hero":{heroes[seat]},{addresses}'
        )

    def _hero(self, hero: Hero) -> str:
        last = f',"lastDir":"{hero.last_direction}"' if hero.last_direction else ""
        return (
            f'{self._heads[hero.number - 1]}{self._spots[hero.cell]}{last},"life":{hero.life},"gold":{hero.gold},'
            f'"mineCount":{hero.mines},"spawnPos":{self._spots[hero.start]},'
            f'"crashed":{"false" if hero.connected else "true"}}}'
        )


def addresses_of(token: str, view_url: str, play_url: str) -> str:
    """Return the end of the state: the token and URLs that a web client needs."""
    return f'"token":{json.dumps(token)},"viewUrl":{json.dumps(view_url)},"playUrl":{json.dumps(play_url)}}}'


def local_addresses(game_id: str, hero: int) -> str:
    """Return the same for a local agent: fixed strings in the reserved domain ``.invalid``."""
    token = f"hero{hero}"
    return addresses_of(
        token, f"http://arbiter.invalid/{game_id}", f"http://arbiter.invalid/api/{game_id}/{token}/play"
    )
