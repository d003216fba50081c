"""The position as text, in colour."""

from __future__ import annotations

from arbiter.game import paint

from .rules import FREE, Grid

COLOURS = ("red", "cyan", "yellow", "green")


def board(grid: Grid, names: list[str]) -> str:
    """Return the grid with its riders: capital letters for heads, small ones for walls."""
    heads = {rider.at: seat for seat, rider in enumerate(grid.riders)}
    rows = [
        "".join(_cell(wall, heads.get((x, y)) == wall and wall != FREE) for x, wall in enumerate(row))
        for y, row in enumerate(grid.walls)
    ]
    edge = "+" + "-" * grid.width + "+"
    states = [
        f"{paint(chr(ord('A') + seat), COLOURS[seat], 'bold')} {names[seat]}: "
        + ("riding" if rider.crashed is None else f"crashed in turn {rider.crashed}")
        for seat, rider in enumerate(grid.riders)
    ]
    return "\n".join([f"turn {grid.turn}", edge, *(f"|{row}|" for row in rows), edge, *states])


def _cell(wall: int, head: bool) -> str:
    if wall == FREE:
        return " "
    letter = chr(ord("A" if head else "a") + wall)
    return paint(letter, COLOURS[wall], "bold") if head else paint(letter, COLOURS[wall])
