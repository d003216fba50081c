"""The position as terminal text, at most 80 columns wide.

A cell takes three columns: the border of its region, its glyph and the instability of its region. Wide maps have two
columns per cell, without instability, and the widest have one, without borders; what is not drawn is listed below the map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import columns, padded, paint, wrapped

from .network import NEUTRAL
from .state import SEATS, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .network import Route

SEAT_COLOURS = ("red", "cyan")
TERRAIN_GLYPHS = ((".", "grey"), ("~", "blue"), ("^", "yellow"), ("*", "magenta"))
LEVELS = " ¹²³⁴⁵⁶⁷⁸⁹"
NO_BREAK = "\u00a0"
WIDTH = 80
MARGIN = 4
"""Columns for the numbers of the rows."""


def draw(state: State, names: Sequence[str]) -> str:
    """Draw the scores, the map, the connections and a key. ``names`` are those of the seats."""
    lines = [*_header(state, names), *_map(state), *_connections(state), *_not_drawn(state), *_key(state, names)]
    return "\n".join(lines) + "\n"


def _across(state: State) -> int:
    """Return how many columns a cell takes."""
    return max(1, min(3, (WIDTH - MARGIN) // state.world.chart.width))


def _header(state: State, names: Sequence[str]) -> list[str]:
    lines = [f"turn {state.turn} of {state.last_turn}"]
    widest = max(map(columns, names))
    for seat in SEATS:
        notes = [f"{state.gains[seat]:+} per turn"] if state.gains[seat] else []
        tracks = state.network.owner.count(seat)
        notes += ["1 track" if tracks == 1 else f"{tracks} tracks"]
        notes += ["side quest done"] if state.quests[seat] else []
        notes += [f"defeated: {state.defeats[seat]}"] if state.defeats[seat] else []
        name = paint(padded(names[seat], widest), SEAT_COLOURS[seat], "bold")
        points = "point " if state.scores[seat] == 1 else "points"
        head = f"{name} {state.scores[seat]:6} {points}  "
        lines += wrapped(f"({', '.join(notes)})", WIDTH, first=head, margin=" " * (widest + 9))
    return lines


def _map(state: State) -> list[str]:
    chart, across = state.world.chart, _across(state)
    rows = [paint(_ruler(chart.width, across), "dim")]
    for y in range(chart.height):
        cells = "".join(_cell(state, y * chart.width + x, across) for x in range(chart.width))
        rows.append(paint(f"{y:>3} ", "dim") + cells)
    return rows


def _ruler(width: int, across: int) -> str:
    """Number the columns of the map: all of them, or every fifth or tenth where there is no room."""
    step = {3: 1, 2: 5, 1: 10}[across]
    numbers = (f"{x:>2}" if across == 3 else str(x) for x in range(0, width, step))
    return (" " * MARGIN + "".join(number.ljust(step * across) for number in numbers)).rstrip()


def _cell(state: State, cell: int, across: int) -> str:
    """Draw the region's left border, the glyph and the instability; a low line where the region ends below."""
    chart = state.world.chart
    region = chart.region[cell]
    inked, town = state.inked[region], state.world.town_at.get(cell)
    if across == 1:
        return _single(state, cell)
    below = cell + chart.width
    floor = "▁" if below < len(chart.region) and chart.region[below] != region else " "
    left = paint("│" if cell % chart.width and chart.region[cell - 1] != region else floor, "dim")
    if inked:
        return left + paint("▒" * (across - 1), "dim")
    if town is not None:
        return left + paint(f"{town:<2}", "bold", "reverse") if across == 3 else paint(f"{town:>2}", "bold", "reverse")
    if across == 2:
        return left + _glyph(state, cell)
    level = state.instability[region]
    return left + _glyph(state, cell) + (paint(LEVELS[min(level, 9)], "magenta") if level else paint(floor, "dim"))


def _single(state: State, cell: int) -> str:
    if state.inked[state.world.chart.region[cell]]:
        return paint("▒", "dim")
    return paint("T", "bold", "reverse") if cell in state.world.town_at else _glyph(state, cell)


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
    return [*_listed("active:", active), *_listed("wished:", missing)]


def _listed(title: str, items: Sequence[str]) -> list[str]:
    """List items that contain no-break spaces, with commas between them."""
    rows = wrapped(", ".join(items), WIDTH, first=f"{title} ", margin=" " * (len(title) + 1)) if items else []
    return [row.replace(NO_BREAK, " ") for row in rows]


def _not_drawn(state: State) -> list[str]:
    """List what the map has no room for: towns, and the instability of regions."""
    across, chart = _across(state), state.world.chart
    towns = [f"{number}{NO_BREAK}({town.x},{NO_BREAK}{town.y})" for number, town in enumerate(chart.towns)]
    levels = [f"region{NO_BREAK}{region}:{NO_BREAK}{level}" for region, level in enumerate(state.instability)
              if level and not state.inked[region]]  # fmt: skip
    return [
        *_listed("towns:", towns if across == 1 else []),
        *_listed("instability, not drawn:", levels if across < 3 else []),
    ]


def _pay(state: State, route: Route) -> str:
    owners = [state.network.owner[cell] for cell in route]
    return f"{owners.count(0)}:{owners.count(1)}"


def _key(state: State, names: Sequence[str]) -> list[str]:
    owners = [
        f"{paint(letters, SEAT_COLOURS[seat], 'bold')} {names[seat]}"
        for seat, letters in zip(SEATS, ("A a", "B b"), strict=True)
    ]
    tracks = [*owners, f"{paint('=', 'white', 'bold')} neutral", "capitals are on an active connection"]
    terrain = [
        f"{paint(glyph, colour)} {name}"
        for (glyph, colour), name in zip(TERRAIN_GLYPHS, ("plain", "river", "mountain", "place"), strict=True)
    ]
    across = _across(state)
    rest = [f"{paint('▒', 'dim')} inked out"]
    if across == 3:
        rest.append(f"{paint('¹²', 'magenta')} instability, inked at {state.ink_threshold}")
    elif across == 1:
        rest.append(f"{paint('T', 'bold', 'reverse')} town")
    return [*_in_columns(tracks), *_in_columns([*terrain, *rest])]


def _in_columns(items: Sequence[str]) -> list[str]:
    """Return items with two spaces between them, on as many lines as they need."""
    lines = [items[0]]
    for item in items[1:]:
        longer = f"{lines[-1]}  {item}"
        lines[-1:] = [longer] if columns(longer) <= WIDTH else [lines[-1], item]
    return lines
