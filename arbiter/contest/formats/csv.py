"""CSV tables for spreadsheets and data frames: the agents, the games, or the crosstable. Figures have at most four decimals."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from arbiter.contest.formats.plain import plain
from arbiter.contest.report import Report
from arbiter.contest.report.document import Estimate

_FORMULA = ("=", "+", "-", "@")
_UNKNOWN = Estimate(None, None, None)


def standings(report: Report) -> str:
    """Return the standings, a line per agent."""
    kinds = sorted({kind for row in report.rows for kind in row.faults})
    figures = list(dict.fromkeys(name for row in report.rows for name in row.figures))
    head = ["place", "agent", "games", "wins", "draws", "losses", "points", "score", "score_low", "score_high"]
    head += ["elo", "elo_low", "elo_high", "group", "own_score", "secondary", "answers", "think_us", "faults"]
    head += (
        [f"faults: {kind}" for kind in kinds] + [f"ranked by: {name}" for name in figures] + ["set_aside_after", "note"]
    )
    lines = []
    for row in report.rows:
        score, elo = row.score or _UNKNOWN, row.rating or _UNKNOWN
        lines.append(
            [
                *(row.place, _text(row.agent), row.games, row.wins, row.draws, row.losses, row.points),
                *(score.value, score.low, score.high, elo.value, elo.low, elo.high, row.group),
                *(row.own_score, row.secondary, row.answers, row.think_us, sum(row.faults.values())),
                *(row.faults.get(kind, 0) for kind in kinds),
                *(row.figures.get(name) for name in figures),
                *(row.set_aside, _text(row.note)),
            ]
        )
    return _table(head, lines)


def games(report: Report) -> str:
    """Return the games, a line for every seat of every game."""
    head = [
        "game",
        "stage",
        "seed",
        "seat",
        "agent",
        "rank",
        "score",
        "faults",
        "think_us",
        "answers",
        "turns",
        "record",
    ]
    return _table(
        head,
        (
            [
                *(game.number, _text(game.stage), game.seed, seat, _text(name), game.ranks[seat], game.scores[seat]),
                sum(game.faults[seat].values()) if game.faults else 0,
                game.think_us[seat] if game.think_us else None,
                game.answers[seat] if game.answers else None,
                *(game.turns, _text(game.record)),
            ]
            for game in report.games
            for seat, name in enumerate(game.seats)
        ),
    )


def crosstable(report: Report) -> str:
    """Return the crosstable, a line for every ordered pair of agents that met."""
    return _table(
        ["agent", "opponent", "games", "wins", "draws", "losses", "points"],
        (
            [_text(one), _text(other), cell.games, cell.wins, cell.draws, cell.losses, cell.points]
            for one, cells in report.cross.items()
            for other, cell in cells.items()
        ),
    )


def _text(text: str) -> str:
    """Return text on one line, with a quote in front of anything that a spreadsheet would evaluate as a formula."""
    shown = plain(text, 5000)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def _table(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(lines)
    return text.getvalue()
