"""The position as terminal text: three columns per cell, so that the widest map fits into 100 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from arbiter.game import paint

from .network import NEUTRAL
from .state import SEATS, State

if TYPE_CHECKING:
    from .network import Route

SEAT_COLOURS = ("red", "cyan")
TERRAIN_GLYPHS = ((".", "grey"), ("~", "blue"), ("^", "yellow"), ("*", "magenta"))
LEVELS = " ¹²³⁴⁵⁶⁷⁸⁹"
NO_BREAK = "\u00a0"
WRAP = 96


def draw(state: State) -> str:
    """Draw the scores, the map, the connections and a key."""
    return "\n".join([*_header(state), *_map(state), *_connections(state), *_key(state)]) + "\n"


def _header(state: State) -> list[str]:
    lines = [f"turn {state.turn} of {state.last_turn}"]
    for seat in SEATS:
        notes = [f"{state.gains[seat]:+} per turn"] if state.gains[seat] else []
        notes += [f"{state.network.owner.count(seat)} tracks"]
        notes += ["side quest done"] if state.quests[seat] else []
        notes += [f"defeated: {state.defeats[seat]}"] if state.defeats[seat] else []
        name = paint(f"seat {seat}", SEAT_COLOURS[seat], "bold")
        lines.append(f"{name} {state.scores[seat]:6} points  ({', '.join(notes)})")
    return lines


def _map(state: State) -> list[str]:
    chart = state.world.chart
    ruler = "    " + "".join(f"{x:>2} " for x in range(chart.width))
    rows = [paint(ruler.rstrip(), "dim")]
    for y in range(chart.height):
        cells = "".join(_cell(state, y * chart.width + x) for x in range(chart.width))
        rows.append(paint(f"{y:>3} ", "dim") + cells)
    return rows


def _cell(state: State, cell: int) -> str:
    """Draw the region's left border, the glyph and the instability; a low line where the region ends below."""
    chart = state.world.chart
    region = chart.region[cell]
    below = cell + chart.width
    floor = "▁" if below < len(chart.region) and chart.region[below] != region else " "
    left = "│" if cell % chart.width and chart.region[cell - 1] != region else floor
    if state.inked[region]:
        return paint(left, "dim") + paint("▒▒", "dim")
    if (town := state.world.town_at.get(cell)) is not None:
        return paint(left, "dim") + paint(f"{town:<2}", "bold", "reverse")
    level = state.instability[region]
    right = paint(LEVELS[min(level, 9)], "magenta") if level else paint(floor, "dim")
    return paint(left, "dim") + _glyph(state, cell) + right


def _glyph(state: State, cell: int) -> str:
    owner = state.network.owner[cell]
    if owner == NEUTRAL:
        return paint("=", "white", "bold")
    if owner in SEATS:
        return paint("AB"[owner] if cell in state.shown else "ab"[owner], SEAT_COLOURS[owner], "bold")
    glyph, colour = TERRAIN_GLYPHS[state.world.chart.terrain[cell]]
    return paint(glyph, colour)


def _connections(state: State) -> list[str]:
    """List the active connections with what they pay, then the wishes that are not connected."""
    active, missing = [], []
    for wish, route in zip(state.world.wishes, state.routes, strict=True):
        if route:
            active.append(f"{wish.name}{NO_BREAK}({_pay(state, route)})")
        else:
            missing.append(wish.name)
    lines = [("active: ", active), ("wished: ", missing)]
    return [
        row.replace(NO_BREAK, " ")
        for title, names in lines
        if names
        for row in textwrap.wrap(title + ", ".join(names), WRAP, subsequent_indent=" " * len(title))
    ]


def _pay(state: State, route: Route) -> str:
    owners = [state.network.owner[cell] for cell in route]
    return f"{owners.count(0)}:{owners.count(1)}"


def _key(state: State) -> list[str]:
    a, b = (paint(letters, SEAT_COLOURS[seat], "bold") for seat, letters in zip(SEATS, ("A a", "B b"), strict=True))
    terrain = "  ".join(
        f"{paint(glyph, colour)} {name}"
        for (glyph, colour), name in zip(TERRAIN_GLYPHS, ("plain", "river", "mountain", "place"), strict=True)
    )
    rest = f"{paint('▒▒', 'dim')} inked out  {paint('¹²', 'magenta')} instability, inked at {state.ink_threshold}"
    return [
        f"tracks (capitals on an active connection): {a} seat 0  {b} seat 1  {paint('=', 'white', 'bold')} neutral",
        f"{terrain}  {rest}",
    ]
