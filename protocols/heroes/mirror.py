"""The upper left quarter of a map, mirrored to a whole map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_HALF_OF_HEROES: Final = (("@1", "@4"), ("@2", "@3"))
"""In the upper and in the lower half: the hero on the left and the one on the right."""


def unfold(quarter: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of the whole map: the quarter mirrored to the right and then down.

    The hero of the quarter is number 1. Its image in the lower half is number 2, the one across number 3, the one on
    the right number 4.
    """
    upper = [_row(cells, _HALF_OF_HEROES[0]) for cells in quarter]
    lower = [_row(cells, _HALF_OF_HEROES[1]) for cells in reversed(quarter)]
    return upper + lower


def _row(cells: Sequence[str], heroes: tuple[str, str]) -> str:
    left, right = ([hero if cell == "@1" else cell for cell in cells] for hero in heroes)
    return "".join(left) + "".join(reversed(right))
