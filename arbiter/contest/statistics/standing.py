"""The standing of an agent: what is computed from its games, and the columns that tables show it in.

A figure is a field of :class:`Standing`, which JSON and CSV have under its name, with its computation in
:func:`standing_of`. If people are to see it in a table, it has a line in ``COLUMNS``, from which text, Markdown, HTML, the
pages of the viewer and the arena, and the screen of a running contest are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics import wording
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.pairs import deal_of
from arbiter.contest.statistics.wording import Estimate, estimate
from arbiter.records.scoring import Scoring, SeatResult, points, seat_result

SeatedGame = tuple[GameSummary, int]
"""A game, and the seat that the results are for."""


class Standing(msgspec.Struct, kw_only=True):
    """The standing of one agent over all its games."""

    place: int | None = None
    """By the rules of the contest, or by score; None for an agent that was set aside, and for a boss."""
    agent: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    """Summed over games, by the scoring of the contest."""
    score: Estimate | None = None
    """Points per game; None before the first game. Deals are the independent observations of the interval."""
    rating: Estimate | None = None
    """Elo relative to the mean of its group; None if nothing is known."""
    group: int = 0
    """Only ratings of the same group can be compared."""
    own_score: float | None = None
    """Mean score in the game's own points."""
    secondary: float | None = None
    """Mean value of the secondary ranking, over the games that have one."""
    faults: dict[str, int] = {}
    """Number of faults by kind, sorted by kind."""
    answers: int = 0
    think_us: float | None = None
    """Mean time charged per answer."""
    set_aside: int | None = None
    """Number of games without a valid answer after which the agent was set aside; None if it was not."""
    note: str = ""
    """Its result in words, such as ``semi-final``, if the kind of contest decides places."""
    figures: dict[str, float] = {}
    """The figures that the kind of contest ranks by, the most important first."""


def standing_of(agent: str, games: Sequence[SeatedGame], scoring: Scoring, secondary: str) -> Standing:
    """Compute the standing of an agent; its place, rating and result depend on the other agents. ``secondary`` is that of the
    protocol."""
    faults = Counter(fault.kind for outcome, seat in games for fault in outcome.faults if fault.seat == seat)
    seconds = [(found, seat) for outcome, seat in games if (found := outcome.second_scores(secondary))]
    answers = sum(outcome.answers[seat] for outcome, seat in games)
    return Standing(
        agent=agent,
        **results_of(games, scoring),
        own_score=mean([outcome.scores[seat] for outcome, seat in games]),
        secondary=mean([found[seat] for found, seat in seconds]),
        faults=dict(sorted(faults.items())),
        answers=answers,
        think_us=sum(outcome.think_us[seat] for outcome, seat in games) / answers if answers else None,
    )


def results_of(games: Sequence[SeatedGame], scoring: Scoring) -> Mapping[str, Any]:
    """Compute the fields for wins, draws, losses, points and score."""
    results = Counter(seat_result(outcome.ranks, seat) for outcome, seat in games)
    deals: dict[object, list[float]] = {}
    for outcome, seat in games:
        deals.setdefault(deal_of(outcome.game), []).append(points(outcome.ranks, seat, scoring))
    total = sum(points(outcome.ranks, seat, scoring) for outcome, seat in games)
    found = {
        "games": len(games),
        "wins": results[SeatResult.WON],
        "draws": results[SeatResult.DREW],
        "losses": results[SeatResult.LOST],
        "points": total,
    }
    if not games:
        return found
    score = total / len(games)
    low, high = Sample(min(1.0, sum(values) / len(values)) for values in deals.values()).interval()
    # The interval weighs deals equally and the score weighs games, which differs where deals differ in size.
    return {**found, "score": estimate(score, min(low, score), max(high, score))}


def mean(values: Sequence[float]) -> float | None:
    """Return the mean, which does not depend on the order of the values; None if there are none."""
    return sum(sorted(values)) / len(values) if values else None


def note(row: Standing) -> str:
    """Return the note on an agent: ``semi-final``, ``set aside after 5 games, all void``; empty for most agents."""
    aside = "" if row.set_aside is None else f"set aside after {wording.count(row.set_aside, 'game')}, all void"
    return ", ".join(filter(None, (row.note, aside)))


Output = Literal["table", "arena", "screen", "wall"]
"""What shows a column: full tables (text, Markdown, HTML and the viewer), an arena's pages, the screen of a running contest, and the
page for a projector."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the standings."""

    key: str
    """The field of the standing that the column is sorted by."""
    heading: str
    show: Callable[[Standing], str]
    outputs: frozenset[Output] = frozenset({"table"})
    right: bool = True
    """Whether it is right-aligned."""
    empty: str = ""
    """What a cell without content shows. A column of such cells, or of dashes, is left out."""
    figure: bool = False
    """Whether it is one of the figures that the kind of contest ranks by, rather than a field."""

    def number(self, row: Standing) -> float | None:
        """Return what the column is sorted by; None for text."""
        value = row.figures.get(self.key) if self.figure else getattr(row, self.key)
        if isinstance(value, dict):
            return sum(value.values())
        return value.value if isinstance(value, Estimate) else None if isinstance(value, str) else value


_EVERYWHERE = frozenset[Output]({"table", "arena", "screen", "wall"})
_RESULT = frozenset[Output]({"table", "arena", "wall"})
RESULTS = "wins-draws-losses"
SCORE = "score (95 % interval)"
COLUMNS = (
    Column("place", "place", lambda row: "–" if row.place is None else str(row.place), _EVERYWHERE),
    Column("agent", "agent", lambda row: row.agent, _EVERYWHERE, right=False),
    Column("points", "points / games", lambda row: f"{wording.compact(row.points)}/{row.games}", _RESULT, empty="0/0"),
    Column("games", "games", lambda row: str(row.games), frozenset({"screen"})),
    Column(
        "wins",
        RESULTS,
        lambda row: wording.wins_draws_losses(row.wins, row.draws, row.losses),
        frozenset({"table", "screen"}),
        empty="0-0-0",
    ),
    Column("score", SCORE, lambda row: wording.score(row.score), frozenset({"table", "screen"})),
    Column("rating", "Elo", lambda row: wording.rating(row.rating)),
    Column("own_score", "mean score in the game", lambda row: _dash(row.own_score), empty="0"),
    Column("think_us", "mean think time", lambda row: wording.format_think_time(row.think_us)),
    Column("faults", "faults", lambda row: wording.faults(row.faults), frozenset({"table", "screen"}), right=False),
    Column("note", "note", note, frozenset({"table", "arena"}), right=False),
)
"""The columns, from left to right. The figures that the kind of contest ranks by follow the agent, instead of columns of the same
key."""
_WHOLE_FIGURES = ("rating", "uncertainty")


def columns_of(rows: Sequence[Standing], output: Output = "table") -> list[Column]:
    """Return the columns for these standings; those without content are left out."""
    names = _figure_names(rows)
    figures = [Column(name, name, _figure(name), _RESULT, figure=True) for name in names]
    if output == "wall" and figures:  # those that decide places
        tied = len({row.figures.get(names[0]) for row in rows}) < len(rows)
        figures = figures[: 2 if tied else 1]
    first, others = COLUMNS[:2], [column for column in COLUMNS[2:] if column.key not in names]
    shown = [column for column in (*first, *figures, *others) if output in column.outputs]
    return [column for column in shown if not {column.show(row) for row in rows} <= {"", "–", column.empty}]


def _figure_names(rows: Sequence[Standing]) -> list[str]:
    return [name for name in dict.fromkeys(name for row in rows for name in row.figures) if name != "games"]


def page_table(rows: Sequence[Standing], output: Output = "table") -> dict[str, Any]:
    """Return the standings for a web page: the columns, in each row the text of every cell by key, and what decides the order, the
    most important first."""
    columns = columns_of(rows, output)
    return {
        "order": _figure_names(rows),
        "columns": [{"key": column.key, "heading": column.heading, "right": column.right} for column in columns],
        "rows": [{column.key: column.show(row) for column in columns} for row in rows],
    }


def _figure(name: str) -> Callable[[Standing], str]:
    """Format a figure that the contest ranks by; ratings are in whole Elo."""

    def show(row: Standing) -> str:
        value = row.figures.get(name)
        return _dash(round(value) if value is not None and name in _WHOLE_FIGURES else value)

    return show


def _dash(value: float | None) -> str:
    return "–" if value is None else wording.compact(value)
