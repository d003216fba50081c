"""Random maps: a quarter scattered with wood, mirrored to a whole map.

Reachability is decided in the quarter alone, because a step across a mirror line leads to the image of the cell that
it came from: a hero's start is connected to the other three if it is connected to both inner edges of its quarter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .mirror import unfold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from arbiter.game import Chance

SIZES: Final = range(10, 29, 2)
WOOD_PERCENT: Final = (10, 41)
MINE_PERCENT: Final = (3, 9)
SPIKE_PERCENT: Final = (2, 11)


def generate(size: int, spikes: bool, chance: Chance) -> list[str]:
    """Return the rows of a random map; draw again until one meets all requirements."""
    while True:
        quarter = _attempt(size // 2, spikes, chance)
        if quarter:
            return unfold(quarter)


def _attempt(side: int, spikes: bool, chance: Chance) -> list[list[str]] | None:
    """Return a quarter, or None if the wood separates the heroes or leaves too little ground to walk on.

    Taverns and mines replace wood that borders on reachable ground, so that they are reachable themselves and block
    no path.
    """
    cells = side * side
    mines = _amount(cells, MINE_PERCENT, chance)
    wood = _amount(cells, WOOD_PERCENT, chance)
    order = chance.shuffled(range(cells))
    scattered = set(order[: wood + mines + 1])
    start = next((cell for cell in order if cell not in scattered and not _on_inner_edge(cell, side)), None)
    if start is None:
        return None
    reached = _reach(start, scattered, side)
    rim = [cell for cell in order if cell not in reached and any(near in reached for near in _near(cell, side))]
    too_woody = cells - len(reached) - mines - 1 > cells * WOOD_PERCENT[1] // 100
    if too_woody or len(rim) <= mines or not _connects_quarters(reached, side):
        return None
    drawn = ["  " if cell in reached else "##" for cell in range(cells)]
    drawn[start] = "@1"
    drawn[rim[0]] = "[]"
    for cell in rim[1 : mines + 1]:
        drawn[cell] = "$-"
    if spikes:
        ground = [cell for cell in order if drawn[cell] == "  "]
        for cell in ground[: _amount(cells, SPIKE_PERCENT, chance)]:
            drawn[cell] = "^^"
    return [drawn[row : row + side] for row in range(0, cells, side)]


def _amount(cells: int, percent: tuple[int, int], chance: Chance) -> int:
    fewest, most = -(-cells * percent[0] // 100), cells * percent[1] // 100
    return fewest + chance.below(most - fewest + 1)


def _on_inner_edge(cell: int, side: int) -> bool:
    """Whether a hero here would start next to its own image and be hit before its first move."""
    return cell // side == side - 1 or cell % side == side - 1


def _reach(start: int, blocked: Collection[int], side: int) -> set[int]:
    reached, fresh = {start}, [start]
    while fresh:
        for near in _near(fresh.pop(), side):
            if near not in reached and near not in blocked:
                reached.add(near)
                fresh.append(near)
    return reached


def _connects_quarters(reached: Collection[int], side: int) -> bool:
    return any(cell // side == side - 1 for cell in reached) and any(cell % side == side - 1 for cell in reached)


def _near(cell: int, side: int) -> Iterator[int]:
    row, column = divmod(cell, side)
    if row:
        yield cell - side
    if column < side - 1:
        yield cell + 1
    if row < side - 1:
        yield cell + side
    if column:
        yield cell - 1
