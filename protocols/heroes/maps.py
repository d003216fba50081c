"""Maps: parsed from text, two characters per cell."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from arbiter.game import BadSetup, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FREE: Final = 0
WOOD: Final = 1
TAVERN: Final = 2
MINE: Final = 3
SPIKES: Final = 4

HEROES: Final = (1, 2, 3, 4)
NOBODY: Final = 0
GROUND: Final[Mapping[str, int]] = {
    "  ": FREE,
    "##": WOOD,
    "[]": TAVERN,
    "^^": SPIKES,
    **dict.fromkeys(("$-", "$1", "$2", "$3", "$4"), MINE),
    **dict.fromkeys(("@1", "@2", "@3", "@4"), FREE),
}
SMALLEST: Final = 2
LARGEST: Final = 48
"""A map of this size with its frame fits into a hundred columns."""


@dataclass(frozen=True, slots=True)
class Board:
    """A valid map. Cells are numbered row by row, from 0; one extra cell stands for everything outside the map."""

    size: int
    ground: tuple[int, ...]
    """By cell. The outside counts as wood."""
    around: tuple[tuple[int, ...], ...]
    """By cell: its neighbours in the north, east, south and west."""
    starts: tuple[int, ...]
    """Where heroes 1 to 4 start and respawn."""
    mines: Mapping[int, int]
    """By cell of a mine: the hero that owns it at the start, or 0."""
    rows: tuple[str, ...]
    """The text of the map, without a frame and with trailing blanks."""


def parse(text: str) -> Board:
    """Parse a map, one line per row, in a frame of ``+``, ``-`` and ``|`` or without one.

    Empty lines around it are dropped, and rows may lack trailing blanks. Raises BadSetup with one line that
    names the row and the column, counted from 1.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return parse_rows(_unframed(lines) if lines and lines[0].startswith("+-") else lines)


def parse_rows(rows: Sequence[str]) -> Board:
    """Parse the rows of a map. Raises BadSetup like :func:`parse`."""
    size = len(rows)
    _check_square(rows)
    full = tuple(row.ljust(2 * size) for row in rows)
    cells = [row[start : start + 2] for row in full for start in range(0, 2 * size, 2)]
    for cell, drawn in enumerate(cells):
        if drawn not in GROUND:
            _refuse(cell // size, cell % size, f"unknown cell {quoted(drawn)}")
    return Board(
        size=size,
        ground=(*(GROUND[drawn] for drawn in cells), WOOD),
        around=_neighbours(size),
        starts=_starts(cells, size),
        mines={cell: "-1234".index(drawn[1]) for cell, drawn in enumerate(cells) if drawn[0] == "$"},
        rows=full,
    )


def _unframed(lines: Sequence[str]) -> list[str]:
    if len(lines) < 2 or not lines[-1].startswith("+-"):
        raise BadSetup("the frame of the map is not closed: its last line must be like its first")
    inside = []
    for row, line in enumerate(lines[1:-1]):
        bare = line.rstrip()
        if len(bare) < 2 or bare[0] != "|" or bare[-1] != "|":
            raise BadSetup(f"the map, row {row + 1}: in a frame, every row must begin and end with '|'")
        inside.append(bare[1:-1])
    return inside


def _check_square(rows: Sequence[str]) -> None:
    size = len(rows)
    if not SMALLEST <= size <= LARGEST:
        raise BadSetup(f"a map must have {SMALLEST} to {LARGEST} rows, not {size}")
    columns = [(len(row) + 1) // 2 for row in rows]
    widest = max(columns)
    if widest > size:
        _refuse(columns.index(widest), size, f"a map must be square, and this one has {size} rows")
    if widest < size:
        raise BadSetup(
            f"a map must be square, but this one has {size} rows and {widest} columns; use a frame to keep trailing blanks"
        )


def _starts(cells: Sequence[str], size: int) -> tuple[int, ...]:
    found: dict[str, int] = {}
    for cell, drawn in enumerate(cells):
        if drawn[0] == "@":
            if drawn in found:
                other = found[drawn]
                row, column = other // size + 1, other % size + 1
                _refuse(cell // size, cell % size, f"'{drawn}' is already at row {row}, column {column}")
            found[drawn] = cell
    for hero in HEROES:
        if f"@{hero}" not in found:
            raise BadSetup(f"the map lacks hero '@{hero}'; it must have '@1', '@2', '@3' and '@4'")
    return tuple(found[f"@{hero}"] for hero in HEROES)


@functools.lru_cache(maxsize=16)  # the same for all games of a size
def _neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    outside = size * size

    def cell(row: int, column: int) -> int:
        return row * size + column if 0 <= row < size and 0 <= column < size else outside

    return tuple(
        (cell(row - 1, column), cell(row, column + 1), cell(row + 1, column), cell(row, column - 1))
        for row in range(size)
        for column in range(size)
    )


def _refuse(row: int, column: int, reason: str) -> NoReturn:
    raise BadSetup(f"the map, row {row + 1}, column {column + 1}: {reason}")
