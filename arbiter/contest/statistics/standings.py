"""Standings: from outcomes to a row per agent and per seat, the crosstable and the secondary ranking. Plain values.

Wins, draws, losses and points are those of :mod:`arbiter.records.scoring`. Agents are sorted best first: by points per game,
then by the share of games won, then by the mean score in the game's own points, then by name. Agents that are equal in
everything but the name share a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics.crosstable import Crosstable, crosstable_of
from arbiter.contest.statistics.standing import SeatedGame, Standing, results_of, standing_of
from arbiter.contest.statistics.wording import Estimate
from arbiter.game import ranks_from_scores
from arbiter.records.scoring import Scoring


class SeatScore(msgspec.Struct, kw_only=True):
    """The results of one seat, whichever agents sat there. Where seats rotate, its score shows what the seat is worth."""

    seat: int
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    score: Estimate | None = None


class SecondPlace(msgspec.Struct, kw_only=True):
    """One row of the secondary ranking."""

    place: int
    name: str
    games: int
    mean: float


class Standings(msgspec.Struct, kw_only=True):
    """Everything that is computed from the outcomes of a contest, except ratings."""

    games: int
    rows: list[Standing]
    """Best first."""
    cross: Crosstable
    """Best first, in rows and columns."""
    seats: list[SeatScore]
    second: list[SecondPlace]
    """Best first; empty if the game has no secondary ranking."""
    duplicates: list[list[GameSummary]]
    """Groups of games with exactly the same moves and results: together they are no more evidence than one of them."""


def compute_standings(
    outcomes: Iterable[GameSummary], names: Iterable[str] = (), *, scoring: Scoring = "places", secondary: str = ""
) -> Standings:
    """Return the standings of all agents in these games, and of the agents named, with or without games.

    The order of the games does not matter. ``secondary`` is that of the protocol.
    """
    played = sorted(outcomes, key=lambda outcome: outcome.game)  # the last digit of a sum depends on its order
    by_agent: dict[str, list[SeatedGame]] = {name: [] for name in names}
    by_seat: dict[int, list[SeatedGame]] = {}
    for outcome in played:
        for seat, name in enumerate(outcome.game.seats):
            by_agent.setdefault(name, []).append((outcome, seat))
            by_seat.setdefault(seat, []).append((outcome, seat))
    ranked = _ranked([standing_of(name, games, scoring, secondary) for name, games in by_agent.items()])
    return Standings(
        games=len(played),
        rows=ranked,
        cross=crosstable_of([row.agent for row in ranked], played),
        seats=[SeatScore(seat=seat, **results_of(by_seat[seat], scoring)) for seat in sorted(by_seat)],
        second=_secondary_ranking(ranked, by_agent, secondary),
        duplicates=_find_duplicates(played),
    )


def _ranked(rows: list[Standing]) -> list[Standing]:
    def worth(row: Standing) -> tuple[float, float, float]:
        # Rounded, because the same points added in another order may differ in the last digit.
        score = -1.0 if row.score is None else round(row.points / row.games, 9)
        own = float("-inf") if row.own_score is None else round(row.own_score, 9)
        return score, row.wins / max(1, row.games), own

    rows.sort(key=lambda row: row.agent)
    rows.sort(key=worth, reverse=True)
    for index, row in enumerate(rows):
        row.place = rows[index - 1].place if index and worth(rows[index - 1]) == worth(row) else index + 1
    return rows


def _secondary_ranking(
    rows: Sequence[Standing], games: Mapping[str, Sequence[SeatedGame]], secondary: str
) -> list[SecondPlace]:
    means = sorted(
        ((row.secondary, row.agent) for row in rows if row.secondary is not None), key=lambda one: (-one[0], one[1])
    )
    places = ranks_from_scores([mean for mean, _ in means])
    return [
        SecondPlace(
            place=place,
            name=name,
            mean=mean,
            games=sum(outcome.second_scores(secondary) is not None for outcome, _ in games[name]),
        )
        for place, (mean, name) in zip(places, means, strict=True)
    ]


def _find_duplicates(played: Sequence[GameSummary]) -> list[list[GameSummary]]:
    """Return the groups of two or more identical games; games without a digest are ignored."""
    by_digest: dict[str, list[GameSummary]] = {}
    for outcome in played:
        if outcome.moves_hash:
            by_digest.setdefault(outcome.moves_hash, []).append(outcome)
    return [group for group in by_digest.values() if len(group) > 1]
