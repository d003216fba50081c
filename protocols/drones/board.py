"""The match as terminal text. The view of a seat shows only its own units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arbiter.game import paint, wrapped

from .state import SEATS
from .words import counted, ending, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .options import Settings
    from .state import Clash, Position, Units

_COLOURS: Final = ("cyan", "yellow")
_LABEL: Final = 9
_LONGEST_BAR: Final = 12
_WIDTH: Final = 80
_ROUNDS_SHOWN: Final = 40


def board(position: Position, settings: Settings, seat: int | None, names: Sequence[str]) -> str:
    """Draw the position as this seat may see it; None shows everything. ``names`` are those of the seats."""
    lines = [_heading(position, settings), ""]
    for place in SEATS:
        lines += _seat_lines(position, place, seat, names[place])
    if position.winners:
        lines += ["", "rounds".ljust(_LABEL) + _history(position)]
    if position.last_clash:
        lines += _last_round(position.last_clash, settings, names)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _heading(position: Position, settings: Settings) -> str:
    if position.over:
        state = f"all {settings.rounds} rounds are played" if settings.rounds > 1 else "the only round is played"
    else:
        state = f"round {position.round} of {settings.rounds}, turn {position.turn} of {settings.turns}"
    return f"{paint('GameOfDrones', 'bold')}  {state}"


def _seat_lines(position: Position, place: int, seat: int | None, name: str) -> list[str]:
    you = ", you" if place == seat else ""
    title = f"{paint(name, _COLOURS[place], 'bold')}{you}: won {position.wins[place]}"
    if position.over:
        return [title]
    if seat is not None and seat != place:
        return [title, "  " + paint("units unknown", "dim")]
    producers = _units("producers", "○", position.producers[place], place)
    return [title, "  " + producers + _units("soldiers", "▲", position.soldiers[place], place)]


def _units(kind: str, glyph: str, units: Units, place: int) -> str:
    """Draw a number, and that many glyphs if it is small."""
    bar = glyph * int(units) if units <= _LONGEST_BAR else ""
    number = f"{shown(units):>4}"
    gap = " " * (_LONGEST_BAR + 5 - len(number) - len(bar))
    return f"{kind} {number} {paint(bar, _COLOURS[place]) if bar else ''}{gap}"


def _history(position: Position) -> str:
    recent = position.winners[-_ROUNDS_SHOWN:]
    earlier = len(position.winners) - len(recent)
    winners = "".join(
        paint("=", "dim") if winner is None else paint(str(winner), _COLOURS[winner]) for winner in recent
    )
    drawn = f"   {position.draws} drawn" if position.draws else ""
    return (paint(f"{earlier} earlier … ", "dim") if earlier else "") + winners + drawn


def _last_round(clash: Clash, settings: Settings, names: Sequence[str]) -> list[str]:
    summary = f"round {clash.round}: {ending(clash, settings.defender_bonus, names)}"
    margin = " " * _LABEL
    lines = wrapped(summary, _WIDTH, first="last".ljust(_LABEL), margin=margin)
    for place in SEATS:
        attacked = ", attacked" if clash.attacked[place] else ""
        units = f"{counted(clash.producers[place], 'producer')}, {counted(clash.soldiers[place], 'soldier')}{attacked}"
        lines += wrapped(f"{names[place]} had {units}", _WIDTH, first=margin, margin=margin + "  ")
    return lines
