"""The setup: made from the options and chance, or given by the user and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arbiter.game import BadSetup, quoted

from .generate import SIZES, generate
from .library import NAMES, built_in
from .maps import HEROES, SPIKES, Board, parse, parse_rows
from .options import GENERATED

if TYPE_CHECKING:
    from arbiter.game import Chance, Json

    from .options import Settings
    from .presets import Constants

_ENTRIES: Final = ("map", "id", "names", "absent")
_ID_SYMBOLS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH: Final = 8
_LONGEST_ID: Final = 64
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class Opening:
    """A checked setup."""

    board: Board
    constants: Constants
    game_id: str
    names: tuple[str, ...] | None
    """The names that agents read; None for those of the agents."""
    absent: frozenset[int]
    """Heroes, by number, that are disconnected from the start."""


def lay_out(seats: int, settings: Settings, chance: Chance) -> Json:
    """Return the map that the options ask for, and an id for the game. Raises BadSetup."""
    check_seats(seats)
    rows = _rows(settings, chance)
    game_id = "".join(chance.choice(_ID_SYMBOLS) for _ in range(_ID_LENGTH))
    return {"map": rows, "id": game_id}


def opening(seats: int, setup: Json, constants: Constants) -> Opening:
    """Check a setup, without changing it. Raises BadSetup."""
    check_seats(seats)
    if not isinstance(setup, dict) or "map" not in setup:
        raise BadSetup("the setup must be an object with the entry map")
    for entry in setup:
        if entry not in _ENTRIES:
            raise BadSetup(f"unknown entry {quoted(entry)} in the setup; choose from {', '.join(_ENTRIES)}")
    return Opening(
        board=_checked_map(setup["map"], constants),
        constants=constants,
        game_id=_checked_id(setup.get("id", "local")),
        names=_checked_names(setup["names"]) if "names" in setup else None,
        absent=_checked_absent(setup.get("absent", [])),
    )


def check_seats(seats: int) -> None:
    """Raise BadSetup unless this many players are allowed."""
    if seats != len(HEROES):
        raise BadSetup(f"Heroes is for {len(HEROES)} players, not {seats}")


def _rows(settings: Settings, chance: Chance) -> list[str]:
    wanted, constants = settings.map, settings.constants
    if wanted in (GENERATED, ""):
        return generate(settings.size or chance.choice(SIZES), bool(constants.spikes), chance)
    if wanted in NAMES:
        board = parse_rows(built_in(wanted))
    elif "\n" in wanted:
        board = parse(wanted)
    else:
        names = ", ".join((GENERATED, *NAMES))
        raise BadSetup(f"option map={quoted(wanted)}: choose from {names}, or give a file with map=@FILE")
    _check_spikes(board, constants)
    return list(board.rows)


def _checked_map(rows: Json, constants: Constants) -> Board:
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadSetup("the entry map must be a list of strings, one per row")
    board = parse_rows(rows)
    _check_spikes(board, constants)
    return board


def _check_spikes(board: Board, constants: Constants) -> None:
    if not constants.spikes and SPIKES in board.ground:
        row, column = divmod(board.ground.index(SPIKES), board.size)
        raise BadSetup(f"the map, row {row + 1}, column {column + 1}: this preset has no spikes ('^^')")


def _checked_id(game_id: Json) -> str:
    """Check a game id. It becomes part of URLs, so only characters that need no escaping are allowed."""
    if isinstance(game_id, str) and game_id.isascii() and game_id.isalnum() and len(game_id) <= _LONGEST_ID:
        return game_id
    raise BadSetup(f"the entry id must be 1 to {_LONGEST_ID} letters and digits, not {quoted(game_id)}")


def _checked_names(names: Json) -> tuple[str, ...]:
    if not isinstance(names, list) or len(names) != len(HEROES):
        raise BadSetup(f"the entry names must be a list of {len(HEROES)} strings")
    for name in names:
        if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= _LONGEST_NAME:
            raise BadSetup(
                f"the entry names holds {quoted(name)}; names must be printable strings of 1 to {_LONGEST_NAME} characters"
            )
    return tuple(names)


def _checked_absent(absent: Json) -> frozenset[int]:
    if not isinstance(absent, list):
        raise BadSetup("the entry absent must be a list of hero numbers")
    for hero in absent:
        if type(hero) is not int or hero not in HEROES:
            raise BadSetup(f"the entry absent holds {quoted(hero)}; choose from 1 to {len(HEROES)}")
    return frozenset(absent)
