"""CSV tables for spreadsheets and data frames: the agents, the games, or the crosstable. Figures have at most four decimals."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arbiter.contest.formats.plain import plain
from arbiter.contest.report import Report
from arbiter.contest.statistics.standing import Standing
from arbiter.contest.statistics.wording import Estimate

_FORMULA = ("=", "+", "-", "@")


def standings(report: Report) -> str:
    """Return the standings, a line per agent, with every field; an interval has columns of its own."""
    columns = list(_columns(report.rows))
    return _table([heading for heading, _ in columns], zip(*(cells for _, cells in columns), strict=True))


def _columns(rows: Sequence[Standing]) -> Iterator[tuple[str, list[object]]]:
    for field in msgspec.structs.fields(Standing):
        values = [getattr(row, field.name) for row in rows]
        if field.type == Estimate | None:
            for suffix, end in (("", "value"), ("_low", "low"), ("_high", "high")):
                yield f"{field.name}{suffix}", [value and getattr(value, end) for value in values]
        elif field.type in (dict[str, int], dict[str, float]):
            counts = field.type == dict[str, int]
            if counts:
                yield field.name, [sum(value.values()) for value in values]
            for name in dict.fromkeys(name for value in values for name in value):
                yield f"{field.name}: {name}", [value.get(name, 0 if counts else None) for value in values]
        else:
            yield field.name, [_text(value) if isinstance(value, str) else value for value in values]


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
