"""The position as terminal text, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter.game import Json, columns, paint

from .cards import DESKS, TYPES

_SHORT = ("TRAIN", "CODE", "DAILY", "TASK", "ARCHI", "CI", "REVIEW", "REFACT", "BONUS", "DEBT")
_COLOURS = ("cyan", "blue", "green", "magenta", "yellow", "white", "cyan", "green", "yellow", "red")
_SEAT_COLOURS = ("blue", "magenta")
_LABEL, _CELL, _WIDTH = 10, 7, 80
_APPLICATIONS = 2
"""Applications per line."""


def draw(view: Json, seat: int | None, names: Sequence[str]) -> str:
    """Draw the position as ``seat`` may see it; None shows everything. ``names`` are those of the seats."""
    painted = [paint(name, _SEAT_COLOURS[number], "bold") for number, name in enumerate(names)]
    lines = [*_headline(view, painted), "", *_office(view), "", *_applications(view)]
    for number, team in enumerate(view["teams"]):
        hidden = seat is not None and seat != number
        lines += ["", *_team(view, number, team, painted[number], hidden=hidden, own=seat == number)]
    if not view["over"]:
        lines += ["", *_actions(view, painted[view["seat"]])]
    return "\n".join(lines) + "\n"


def _headline(view: Mapping[str, Json], names: Sequence[str]) -> list[str]:
    title = paint("Green Circle", "green", "bold")
    state = f"{title}  level {view['level']}, phase {view['phases'] + (not view['over'])} of {view['max_phases']}"
    if view["over"]:
        return [f"{state}, game over"]
    question = f"{names[view['seat']]} to answer {paint(view['phase'], 'bold')}"
    return [f"{state}, {question}"] if columns(f"{state}, {question}") <= _WIDTH else [state, question]


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
    rows = [shown[start : start + _APPLICATIONS] for start in range(0, len(shown), _APPLICATIONS)]
    return [paint(f"{len(shown)} applications to release", "bold"), *("".join(row).rstrip() for row in rows)]


def _application(application: Mapping[str, Json]) -> str:
    needs = [(skill, need) for skill, need in enumerate(application["needs"]) if need]
    plain = " + ".join(f"{need} {_SHORT[skill]}" for skill, need in needs)
    painted = " + ".join(f"{need} {paint(_SHORT[skill], _COLOURS[skill])}" for skill, need in needs)
    return f"{application['id']:>2} {painted}" + " " * (_WIDTH // _APPLICATIONS - 3 - len(plain))


def _team(
    view: Mapping[str, Json], number: int, team: Mapping[str, Json], name: str, *, hidden: bool, own: bool
) -> list[str]:
    place = "outside" if team["location"] < 0 else f"desk {team['location']}"
    beaten = paint("  defeated", "red", "bold") if view["defeated"] == number else ""
    heading = f"{name}{', you' if own else ''}: released {paint(str(team['score']), 'bold')}  {place}{beaten}"
    permanent = f"DAILY_ROUTINE {team['daily_routine']}, ARCHITECTURE_STUDY {team['architecture_study']}"
    piles = [(name, team[name]) for name in ("hand", "draw", "discard", "played", "automated")]
    if hidden:
        piles = [("cards", team["hand"] + team["draw"] + team["discard"]), ("automated", team["automated"])]
    return [
        heading,
        f" technical debt {team['technical_debt']}  active {permanent}",
        _row("", _skill_names(TYPES)),
        *(_row(f" {pile_name}", _numbers([pile.count(card) for card in TYPES])) for pile_name, pile in piles if pile),
    ]


def _actions(view: Mapping[str, Json], name: str) -> list[str]:
    """List the possible actions, wrapped."""
    lines, line = [f"{name} may answer"], " "
    for action in view["actions"]:
        if len(line) + len(action) + 2 > _WIDTH:
            lines.append(line)
            line = " "
        line += f" {action},"
    return [*lines, line.rstrip(",")]
