"""A map as plain data: the form it has in a record, and the checks for a hand-edited one.

::

    {"terrain": ["0010...", ...],          one string of digits per row of the map
     "regions": [" 0  0  1 ...", ...],     region ids, as many in a row as there are digits
     "towns": [{"x": 3, "y": 4, "wishes": [1, 2]}, ...]}     ids count from 0 in this order
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from arbiter.game import BadSetup, Json, quoted

from .chart import PLAIN, Chart, Town, neighbour_table
from .regions import bordering

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 60
"""The largest width and height of a given map."""


def to_plain(chart: Chart) -> Json:
    """Convert a chart to plain data."""
    terrain, regions = _rows(chart)
    return {
        "terrain": list(terrain),
        "regions": list(regions),
        "towns": [{"x": town.x, "y": town.y, "wishes": list(town.wishes)} for town in chart.towns],
    }


@functools.lru_cache(maxsize=16)  # a game shows its map in every turn
def _rows(chart: Chart) -> tuple[tuple[str, ...], tuple[str, ...]]:
    rows = [slice(y * chart.width, (y + 1) * chart.width) for y in range(chart.height)]
    digits = len(str(max(chart.region)))
    return (
        tuple("".join(map(str, chart.terrain[row])) for row in rows),
        tuple(" ".join(f"{number:{digits}}" for number in chart.region[row]) for row in rows),
    )


def from_plain(data: Json) -> Chart:
    """Convert plain data to a chart. Raises BadSetup if no game can be played on it."""
    if not isinstance(data, dict):
        raise BadSetup(f"the setup must be an object with terrain, regions and towns, not {quoted(data)}")
    if strange := sorted(map(str, set(data) ^ {"terrain", "regions", "towns"})):
        raise BadSetup(
            f"the setup must have exactly the entries terrain, regions and towns; check {quoted(strange[0])}"
        )
    width, terrain = _terrain(data["terrain"])
    height = len(terrain) // width
    region = _regions(data["regions"], width, height)
    chart = Chart(width, height, terrain, region, _towns(data["towns"], width, height))
    _check_regions(chart)
    _check_sites(chart)
    _check_wishes(chart.towns)
    return chart


def _terrain(rows: Json) -> tuple[int, tuple[int, ...]]:
    rows = _texts(rows, "terrain")
    width = len(rows[0])
    if not 1 <= width <= MOST or len(rows) > MOST:
        raise BadSetup(f"terrain: a map must have 1 to {MOST} columns and rows, not {width} by {len(rows)}")
    for y, row in enumerate(rows):
        if len(row) != width:
            raise BadSetup(f"terrain row {y} has {len(row)} cells, but row 0 has {width}")
        for x, digit in enumerate(row):
            if digit not in "0123":
                raise BadSetup(f"terrain row {y}, column {x}: {quoted(digit)} must be a digit from 0 to 3")
    return width, tuple(int(digit) for row in rows for digit in row)


def _regions(rows: Json, width: int, height: int) -> tuple[int, ...]:
    rows = _texts(rows, "regions")
    if len(rows) != height:
        raise BadSetup(f"regions has {len(rows)} rows, but terrain has {height}")
    numbers: list[int] = []
    for y, row in enumerate(rows):
        words = row.split()
        if len(words) != width:
            raise BadSetup(f"regions row {y} has {len(words)} ids, but terrain has {width} cells")
        for x, word in enumerate(words):
            if not (word.isascii() and word.isdigit() and len(word) <= 4):
                raise BadSetup(f"regions row {y}, column {x}: {quoted(word)} must be a region id of up to four digits")
            numbers.append(int(word))
    return tuple(numbers)


def _texts(rows: Json, what: str) -> Sequence[str]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) for row in rows):
        raise BadSetup(f"{what} must be a list of strings, one per row of the map, not {quoted(rows)}")
    return rows


def _towns(entries: Json, width: int, height: int) -> tuple[Town, ...]:
    if not isinstance(entries, list):
        raise BadSetup(f"towns must be a list of objects with x, y and wishes, not {quoted(entries)}")
    towns: list[Town] = []
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict) or set(entry) != {"x", "y", "wishes"}:
            raise BadSetup(f"town {number} must be an object with x, y and wishes, not {quoted(entry)}")
        x, y, wishes = entry["x"], entry["y"], entry["wishes"]
        if not (_is_int(x) and 0 <= x < width and _is_int(y) and 0 <= y < height):
            raise BadSetup(f"town {number} at ({quoted(x)}, {quoted(y)}) is not on the map of {width} by {height}")
        if not isinstance(wishes, list) or not all(_is_int(wish) for wish in wishes):
            raise BadSetup(f"town {number}: wishes must be a list of town ids, not {quoted(wishes)}")
        towns.append(Town(x, y, tuple(wishes)))
    return tuple(towns)


def _check_regions(chart: Chart) -> None:
    """Region ids have no gap, and every region is in one piece."""
    neighbours = neighbour_table(chart.width, chart.height)
    highest = max(chart.region)
    seen: set[int] = set()
    known: set[int] = set()
    for cell, number in enumerate(chart.region):
        if cell in seen:
            continue
        if number in known:
            x, y = chart.place(cell)
            raise BadSetup(f"region {number} is not in one piece: another part of it is at ({x}, {y})")
        known.add(number)
        piece = [cell]
        seen.add(cell)
        for here in piece:
            for near in neighbours[here]:
                if chart.region[near] == number and near not in seen:
                    seen.add(near)
                    piece.append(near)
    if missing := set(range(highest + 1)) - set(chart.region):
        raise BadSetup(f"region ids must run from 0 to {highest} without a gap, but {min(missing)} is missing")


def _check_sites(chart: Chart) -> None:
    """Towns are on plain, at most one per region, and not in neighbouring regions."""
    borders = bordering(chart.region, neighbour_table(chart.width, chart.height))
    town_of: dict[int, int] = {}
    for number, town in enumerate(chart.towns):
        cell = town.y * chart.width + town.x
        if chart.terrain[cell] != PLAIN:
            raise BadSetup(f"town {number} at ({town.x}, {town.y}) is not on plain (terrain 0)")
        region = chart.region[cell]
        if region in town_of:
            raise BadSetup(f"towns {town_of[region]} and {number} are both in region {region}")
        for near in sorted(borders[region]):
            if near in town_of:
                raise BadSetup(f"towns {town_of[near]} and {number} are in neighbouring regions, {near} and {region}")
        town_of[region] = number


def _check_wishes(towns: Sequence[Town]) -> None:
    """Wishes are sorted, go one way per pair of towns, and involve every town."""
    if len(towns) < 2:
        raise BadSetup(f"a map must have at least 2 towns, not {len(towns)}")
    wished = {wish for town in towns for wish in town.wishes}
    for number, town in enumerate(towns):
        for wish in town.wishes:
            if not 0 <= wish < len(towns) or wish == number:
                raise BadSetup(f"town {number} wishes for {wish}, which is not another town")
            if number in towns[wish].wishes:
                raise BadSetup(f"towns {number} and {wish} wish for each other; a wish goes one way")
        if list(town.wishes) != sorted(set(town.wishes)):
            raise BadSetup(
                f"town {number}: wishes must be different town ids in ascending order, not {list(town.wishes)}"
            )
        if not town.wishes and number not in wished:
            raise BadSetup(f"town {number} has no wish, and no other town wishes for it")


def _is_int(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
