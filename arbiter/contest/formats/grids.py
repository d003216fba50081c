"""The tables of a result, for shapes that are made of letters. Cells are words and figures; names in them are as they
were given here, and each shape makes all of them harmless in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arbiter.contest.report import Report, wording
from arbiter.contest.report.document import Duel, Estimate, GameLine, Row
from arbiter.contest.statistics.standings import Cell, SeatScore

Names = Mapping[str, str]
"""How agents are called in a table."""
_HIDDEN_FIGURES = ("games",)
"""Of a kind of contest, that are in the table anyway."""
_WHOLE_FIGURES = ("rating", "uncertainty")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int] = frozenset()
    """Columns of figures."""


def standings(report: Report, names: Names) -> Grid:
    """A line an agent, with what there is to tell."""
    figures = figures_of(report)
    columns: list[tuple[str, bool, list[str]]] = []

    def column(head: str, cells: list[str], *, right: bool = True) -> None:
        if any(cell not in ("", "–", "?", "0/0", "0-0-0") for cell in cells):
            columns.append((head, right, cells))

    rows = report.rows
    column("#", [place(row) for row in rows])
    column("agent", [names[row.agent] for row in rows], right=False)
    for figure in figures:
        column(figure, [figure_of(row, figure) for row in rows])
    if "points" not in figures:
        column("points", [f"{wording.number(row.points)}/{row.games}" for row in rows])
    column("W-D-L", [wording.record(row.wins, row.draws, row.losses) for row in rows])
    column("score (95 %)", [wording.score(row.score) for row in rows])
    if "rating" not in figures:
        column("Elo", [wording.rating(row.rating) for row in rows])
    column("own score", [own_score(row) for row in rows])
    column("think", [wording.think(row.think_us) for row in rows])
    column("faults", [wording.faults(row.faults) for row in rows], right=False)
    column("", [note(row) for row in rows], right=False)
    return Grid(
        [head for head, _, _ in columns],
        [list(cells) for cells in zip(*(cells for _, _, cells in columns), strict=True)],
        frozenset(index for index, (_, right, _) in enumerate(columns) if right),
    )


def figures_of(report: Report) -> list[str]:
    """What the kind of contest ranks by, as columns."""
    found = dict.fromkeys(name for row in report.rows for name in row.figures)
    return [name for name in found if name not in _HIDDEN_FIGURES]


def figure_of(row: Row, name: str) -> str:
    """One of them; a rating in whole Elo."""
    value = row.figures.get(name)
    if value is None:
        return "–"
    return wording.number(round(value) if name in _WHOLE_FIGURES else value)


def place(row: Row) -> str:
    """``3``, or ``–``."""
    return "–" if row.place is None else str(row.place)


def own_score(row: Row) -> str:
    """The mean of the game's own points; nothing where those are all 0."""
    return wording.number(row.own_score) if row.own_score else "–"


def note(row: Row) -> str:
    """What became of it."""
    aside = "" if row.set_aside is None else f"set aside after {wording.count(row.set_aside, 'game')}"
    return ", ".join(filter(None, (row.note, aside)))


def crosstable(report: Report, names: Names, *, brief: bool = False) -> Grid:
    """Every agent against every other: wins, draws and losses, or in brief the share of the points."""
    order = [row.agent for row in report.rows]
    rows = [
        [
            str(number),
            names[one],
            *("" if one == other else _met(report.cross[one].get(other), brief=brief) for other in order),
        ]
        for number, one in enumerate(order, 1)
    ]
    head = ["", "against", *(str(number) for number in range(1, len(order) + 1))]
    return Grid(head, rows, frozenset({0, *range(2, len(head))}))


def crosstable_tells(report: Report) -> bool:
    """Whether it is worth showing: more than two agents, most of which met."""
    agents = len(report.rows)
    met = sum(map(len, report.cross.values()))
    return agents > 2 and 2 * met >= agents * (agents - 1)


def _met(cell: Cell | None, *, brief: bool) -> str:
    if cell is None or not cell.games:
        return "·"
    if brief:
        return f"{100 * cell.points / cell.games:.0f}"
    return wording.record(cell.wins, cell.draws, cell.losses)


def duels(report: Report, names: Names) -> Grid:
    """Who was asked about, against whom."""
    rows = [
        [
            names[duel.one],
            names[duel.other],
            duel.verdict,
            wording.record(duel.wins, duel.draws, duel.losses),
            wording.lead(duel.elo),
            wording.likely(duel.superiority),
        ]
        for duel in report.duels
    ]
    head = ["is", "better than", "", "W-D-L", "Elo (95 %)", "likely better"]
    return Grid(head, rows, frozenset({3, 4, 5}))


def test(duel: Duel) -> str:
    """Where the sequential test stands between no and yes."""
    if duel.llr is None or duel.llr_bounds is None:
        return "–"
    low, high = duel.llr_bounds
    return f"{wording.signed(duel.llr)} ({wording.signed(low)} no, {wording.signed(high)} yes)"


def second(report: Report, names: Names) -> Grid:
    """The second ranking."""
    rows = [[str(one.place), names[one.name], wording.number(one.mean), str(one.games)] for one in report.second]
    return Grid(["#", "agent", report.second_name or "second ranking", "games"], rows, frozenset({0, 2, 3}))


def seats(report: Report) -> Grid:
    """What each seat was worth."""
    rows = [
        [str(seat.seat), wording.record(seat.wins, seat.draws, seat.losses), seat_score(seat)]
        for seat in report.seat_scores
    ]
    return Grid(["seat", "W-D-L", "score (95 %)"], rows, frozenset({0, 1, 2}))


def seat_score(seat: SeatScore) -> str:
    """``57 % (50–63)``."""
    return wording.score(Estimate(seat.score, seat.low, seat.high))


def encounters(report: Report, names: Names) -> Grid:
    """Who met whom in which stage; the best of them first."""
    rows = [
        [
            stage.name if first == 0 else "",
            ", ".join(names[agent] for agent in met.agents),
            " : ".join(wording.number(points) for points in met.points),
        ]
        for stage in report.stages
        for first, met in enumerate(stage.encounters)
    ]
    return Grid(["stage", "agents", "points"], rows)


def result(game: GameLine, names: Names) -> str:
    """``new* 15, old 11``: the star is for the winner."""
    return ", ".join(
        f"{names[name]}{'*' if rank == 1 else ''} {wording.number(score)}"
        for name, rank, score in zip(game.seats, game.ranks, game.scores, strict=True)
    )
