"""The tables of a result, for all text formats. Cells are plain text that may contain untrusted names; each format
escapes them in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arbiter.contest.report import Report
from arbiter.contest.report.document import Duel, GameLine
from arbiter.contest.schedules.base import BracketEntry
from arbiter.contest.statistics import wording
from arbiter.contest.statistics.crosstable import CrosstableCell
from arbiter.contest.statistics.standing import RESULTS, SCORE, columns_of

Names = Mapping[str, str]
"""Names of agents as a table shows them, by full name."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of text."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int] = frozenset()
    """Indices of right-aligned columns."""


def standings(report: Report, names: Names) -> Grid:
    """Return the standings, a row per agent; columns without content are left out."""
    columns = columns_of(report.rows)
    rows = [
        [names[row.agent] if column.key == "agent" else column.show(row) for column in columns] for row in report.rows
    ]
    right = frozenset(index for index, column in enumerate(columns) if column.right)
    return Grid([column.heading for column in columns], rows, right)


def crosstable(report: Report, names: Names, *, brief: bool = False) -> Grid:
    """Return every agent against every other: wins, draws and losses, or in brief the share of the points."""
    order = [row.agent for row in report.rows]
    rows = [
        [
            str(number),
            names[one],
            *("" if one == other else _cell(report.cross[one].get(other), brief=brief) for other in order),
        ]
        for number, one in enumerate(order, 1)
    ]
    head = [
        "no.",
        "% of points against" if brief else "results against",
        *(str(number) for number in range(1, len(order) + 1)),
    ]
    return Grid(head, rows, frozenset({0, *range(2, len(head))}))


def has_useful_crosstable(report: Report) -> bool:
    """Return whether the crosstable is worth showing: there are more than two agents, and most pairs met."""
    agents = len(report.rows)
    met = sum(map(len, report.cross.values()))
    return agents > 2 and 2 * met >= agents * (agents - 1)


def _cell(cell: CrosstableCell | None, *, brief: bool) -> str:
    if cell is None or not cell.games:
        return "·"
    if brief:
        return f"{100 * cell.points / cell.games:.0f}"
    return wording.wins_draws_losses(cell.wins, cell.draws, cell.losses)


def duels(report: Report, names: Names) -> Grid:
    """Return the duels that the contest is about."""
    rows = [
        [
            names[duel.one],
            names[duel.other],
            duel.verdict,
            wording.wins_draws_losses(duel.wins, duel.draws, duel.losses),
            wording.elo_lead(duel.elo),
            superiority(duel),
        ]
        for duel in report.duels
    ]
    head = ["agent", "opponent", "agent is better", RESULTS, "Elo lead (95 % interval)", "probability of being better"]
    return Grid(head, rows, frozenset({3, 4, 5}))


def superiority(duel: Duel) -> str:
    """Format the probability that the first agent of a duel is better; it is unknown before they meet."""
    return wording.probability(duel.superiority) if duel.games else "unknown"


def test(duel: Duel) -> str:
    """Format the log-likelihood ratio of the sequential test, with its bounds."""
    if duel.llr is None or duel.llr_bounds is None:
        return "–"
    low, high = duel.llr_bounds
    return f"{wording.signed(duel.llr)} ({wording.signed(low)} no, {wording.signed(high)} yes)"


def second(report: Report, names: Names) -> Grid:
    """Return the secondary ranking."""
    rows = [[str(one.place), names[one.name], wording.compact(one.mean), str(one.games)] for one in report.second]
    heading = f"mean {report.second_name}" if report.second_name else "secondary ranking"
    return Grid(["place", "agent", heading, "games"], rows, frozenset({0, 2, 3}))


def seats(report: Report) -> Grid:
    """Return the score of every seat."""
    rows = [
        [
            str(report.first_seat + seat.seat),
            wording.wins_draws_losses(seat.wins, seat.draws, seat.losses),
            wording.score(seat.score),
        ]
        for seat in report.seat_scores
    ]
    return Grid([report.seat_word, RESULTS, SCORE], rows, frozenset({0, 1, 2}))


def encounters(report: Report, names: Names) -> Grid:
    """Return the encounters of every stage, with the best agent first in each."""
    rows = [
        [
            stage.name if first == 0 else "",
            ", ".join(names[agent] for agent in met.agents),
            " : ".join(wording.compact(points) for points in met.points),
        ]
        for stage in report.stages
        for first, met in enumerate(stage.encounters)
    ]
    return Grid(["stage", "agents", "points"], rows)


def bracket(report: Report, names: Names) -> Grid:
    """Return every stage of the elimination: the agents of each table, best first, and who went on."""
    rows = [
        [
            stage.name if first == number == 0 else "",
            str(number + 1) if first == 0 and len(stage.tables) > 1 else "",
            "" if entry.place is None else str(entry.place),
            names[entry.agent],
            "" if entry.points is None else wording.compact(entry.points),
            went_on(entry),
        ]
        for stage in report.bracket
        for number, table in enumerate(stage.tables)
        for first, entry in enumerate(table)
    ]
    return Grid(["stage", "table", "place", "agent", "points", "goes on to"], rows, frozenset({1, 2, 4}))


def went_on(entry: BracketEntry) -> str:
    """Return where an agent went on to: ``semi-final``, ``semi-final (by lot)``, ``out (tie, by the season)``; empty if it is not
    known yet."""
    known = entry.goes_to or ("–" if entry.place is not None else "")
    return f"{known} ({entry.why})" if entry.why else known


def result(game: GameLine, names: Names) -> str:
    """Format the result of a game: ``new* 15, old 11``; the star marks the winner."""
    return ", ".join(
        f"{names[name]}{'*' if rank == 1 else ''} {wording.compact(score)}"
        for name, rank, score in zip(game.seats, game.ranks, game.scores, strict=True)
    )
