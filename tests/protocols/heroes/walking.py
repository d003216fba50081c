"""Reachability, computed on the text of a whole map."""

from __future__ import annotations

from collections.abc import Sequence

Spot = tuple[int, int]


def cells(rows: Sequence[str]) -> dict[Spot, str]:
    """Return the tiles by row and column."""
    return {(x, at // 2): row[at : at + 2] for x, row in enumerate(rows) for at in range(0, len(row), 2)}


def spots(rows: Sequence[str], tile: str) -> list[Spot]:
    """Return the positions of this tile."""
    return [spot for spot, drawn in cells(rows).items() if drawn == tile]


def beside(spot: Spot) -> list[Spot]:
    """Return the four neighbours of a cell, on the map or not."""
    x, y = spot
    return [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]


def reachable(rows: Sequence[str]) -> set[Spot]:
    """Return all cells that hero 1 can reach from its start, over spikes and the starts of the others."""
    ground = {spot for spot, tile in cells(rows).items() if tile in ("  ", "^^") or tile[0] == "@"}
    found: set[Spot] = set()
    fresh = spots(rows, "@1")
    while fresh:
        spot = fresh.pop()
        if spot in ground and spot not in found:
            found.add(spot)
            fresh += beside(spot)
    return found


def check_fair_map(rows: Sequence[str], *, symmetric: bool = True) -> None:
    """Assert what holds for both generated and built-in maps."""
    size, drawn = len(rows), cells(rows)
    assert {len(row) for row in rows} == {2 * size}
    assert size % 2 == 0
    mirrored = {"@1": "@4", "@4": "@1", "@2": "@3", "@3": "@2"}
    upside_down = {"@1": "@2", "@2": "@1", "@3": "@4", "@4": "@3"}
    for (x, y), tile in drawn.items() if symmetric else ():
        assert drawn[x, size - 1 - y] == mirrored.get(tile, tile)
        assert drawn[size - 1 - x, y] == upside_down.get(tile, tile)
    start = spots(rows, "@1")[0]
    assert max(start) < size // 2, "hero 1 starts in the upper left quarter"
    walkable = reachable(rows)
    assert {spot for number in "1234" for spot in spots(rows, f"@{number}")} <= walkable
    assert all(spot in walkable for tile in ("  ", "^^") for spot in spots(rows, tile)), "unreachable cells are wood"
    assert len(spots(rows, "[]")) == 4
    assert spots(rows, "$-")
    for target in (*spots(rows, "$-"), *spots(rows, "[]")):
        assert walkable & set(beside(target))
