"""The position as terminal text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter.game import Json, paint
from arbiter.protocols.green_circle.cards import DESKS, TYPES

_SHORT = ("TRAIN", "CODE", "DAILY", "TASK", "ARCHI", "CI", "REVIEW", "REFACT", "BONUS", "DEBT")
_COLOURS = ("cyan", "blue", "green", "magenta", "yellow", "white", "cyan", "green", "yellow", "red")
_SEAT_COLOURS = ("blue", "magenta")
_LABEL, _CELL = 12, 8
_APPLICATION = 33


def draw(view: Json, seat: int | None) -> str:
    """Draw the position as ``seat`` may see it; None shows everything."""
    lines = [_headline(view), "", *_office(view), "", *_applications(view)]
    for number, team in enumerate(view["teams"]):
        lines += ["", *_team(view, number, team, hidden=seat is not None and seat != number)]
    if not view["over"]:
        lines += ["", *_actions(view)]
    return "\n".join(lines) + "\n"


def _headline(view: Mapping[str, Json]) -> str:
    title = paint("Green Circle", "green", "bold")
    state = f"level {view['level']}, phase {view['phases'] + (not view['over'])} of {view['max_phases']}"
    if view["over"]:
        return f"{title}  {state}, game over"
    return f"{title}  {state}, {_seat(view['seat'])} to answer {paint(view['phase'], 'bold')}"


def _seat(number: int) -> str:
    return paint(f"seat {number}", _SEAT_COLOURS[number], "bold")


def _row(label: str, cells: Sequence[str]) -> str:
    return (label.ljust(_LABEL) + "".join(cells)).rstrip()


def _cell(text: str, *styles: str) -> str:
    padding = " " * (_CELL - len(text))
    return padding + (paint(text, *styles) if styles else text)


def _skill_names(types: Sequence[int]) -> list[str]:
    return [_cell(_SHORT[card], _COLOURS[card]) for card in types]


def _numbers(counts: Sequence[int]) -> list[str]:
    return [_cell(str(count), "bold") if count else _cell("·", "dim") for count in counts]


def _office(view: Mapping[str, Json]) -> list[str]:
    stock = [*view["desks"], view["bonus_pool"], view["debt_pool"]]
    visitors = [[seat for seat, team in enumerate(view["teams"]) if team["location"] == desk] for desk in range(DESKS)]
    return [
        _row("desk", [_cell(str(desk), "bold") for desk in range(DESKS)] + [_cell("pool"), _cell("pool")]),
        _row("", _skill_names(TYPES)),
        _row("cards left", _numbers(stock)),
        _row("visited by", [_visitors(seats) for seats in visitors]),
    ]


def _visitors(seats: Sequence[int]) -> str:
    plain = "+".join(map(str, seats))
    painted = "+".join(paint(str(seat), _SEAT_COLOURS[seat], "bold", "reverse") for seat in seats)
    return " " * (_CELL - len(plain)) + painted


def _applications(view: Mapping[str, Json]) -> list[str]:
    shown = [_application(each) for each in view["applications"]]
    rows = [shown[start : start + 3] for start in range(0, len(shown), 3)]
    return [paint(f"{len(shown)} applications to release", "bold"), *("".join(row).rstrip() for row in rows)]


def _application(application: Mapping[str, Json]) -> str:
    needs = [(skill, need) for skill, need in enumerate(application["needs"]) if need]
    plain = " + ".join(f"{need} {_SHORT[skill]}" for skill, need in needs)
    painted = " + ".join(f"{need} {paint(_SHORT[skill], _COLOURS[skill])}" for skill, need in needs)
    return f"{application['id']:>2} {painted}" + " " * (_APPLICATION - 3 - len(plain))


def _team(view: Mapping[str, Json], number: int, team: Mapping[str, Json], *, hidden: bool) -> list[str]:
    place = "outside" if team["location"] < 0 else f"desk {team['location']}"
    permanent = f"DAILY_ROUTINE {team['daily_routine']}, ARCHITECTURE_STUDY {team['architecture_study']}"
    beaten = paint("  defeated", "red", "bold") if view["defeated"] == number else ""
    heading = (
        f"{_seat(number)}  {place}  released {paint(str(team['score']), 'bold')}"
        f"  technical debt {team['technical_debt']}  active {permanent}{beaten}"
    )
    piles = [(name, team[name]) for name in ("hand", "draw", "discard", "played", "automated")]
    if hidden:
        piles = [("cards", team["hand"] + team["draw"] + team["discard"]), ("automated", team["automated"])]
    return [
        heading,
        _row("", _skill_names(TYPES)),
        *(_row(f"  {name}", _numbers([pile.count(card) for card in TYPES])) for name, pile in piles if pile),
    ]


def _actions(view: Mapping[str, Json]) -> list[str]:
    """List the possible actions, wrapped."""
    lines = [f"{_seat(view['seat'])} may answer"]
    line = " "
    for action in view["actions"]:
        if len(line) + len(action) + 2 > 98:
            lines.append(line)
            line = " "
        line += f" {action},"
    return [*lines, line.rstrip(",")]
