"""The result of a contest as one document: plain typed data that every output format is made from, and that
``--format json`` prints. JSON has no infinity, so infinite values are None.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from arbiter.contest.schedules.base import BracketStage
from arbiter.contest.statistics.crosstable import Crosstable
from arbiter.contest.statistics.sprt import Verdict
from arbiter.contest.statistics.standing import Standing
from arbiter.contest.statistics.standings import SeatScore, SecondPlace
from arbiter.contest.statistics.wording import Estimate
from arbiter.records.scoring import Scoring

ContestVerdict = Verdict | Literal[""]
"""Empty if the result of the contest is not the answer to a question."""
Measure = Literal["lead", "rating", "score"]
Reason = Literal["fault", "lost", "against the trend", "upset", "close", "last"]


class Duel(msgspec.Struct, frozen=True, kw_only=True):
    """One agent against another, over all games in which they met."""

    one: str
    other: str
    games: int
    pairs: int
    """Number of independent observations (deals)."""
    wins: int
    draws: int
    losses: int
    score: float | None
    elo: Estimate
    superiority: float
    """Probability that ``one`` is better than ``other``."""
    verdict: Verdict
    """Whether ``one`` is better."""
    sentence: str
    llr: float | None = None
    """Log-likelihood ratio of the sequential test, if ``--until`` asked for one."""
    llr_bounds: tuple[float, float] | None = None
    """At the lower bound the answer is no, at the upper bound it is yes."""


class GameLine(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One game. Tuples are by seat."""

    number: int
    stage: str
    seed: int
    seats: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    faults: tuple[dict[str, int], ...]
    think_us: tuple[int, ...]
    answers: tuple[int, ...]
    turns: int
    record: str
    """Path of the saved game, relative to the folder of the report."""
    page: str = ""
    """Path of the page that shows the game, likewise; empty if there is none."""


class Highlight(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is worth looking at, and why."""

    game: int
    """Number of the game."""
    reason: Reason
    why: str
    """The reason as a sentence."""


class Encounter(msgspec.Struct, frozen=True, kw_only=True):
    """Agents that met in a stage and the points they scored, best first."""

    agents: list[str]
    points: list[float]
    games: list[int]
    """Numbers of the games."""


class StageLine(msgspec.Struct, frozen=True, kw_only=True):
    """One stage of a contest: a round, a final, a batch."""

    name: str
    encounters: list[Encounter]


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """The values of one agent over time."""

    agent: str
    values: list[float | None]
    low: list[float | None] = []
    """Lower end of the 95 % interval; empty if the curve has no interval."""
    high: list[float | None] = []


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """A figure over the course of a contest, with a curve per agent."""

    measure: Measure
    games: list[int]
    """Numbers of games played, one for each value of a curve."""
    curves: list[Curve]


class IdenticalGames(msgspec.Struct, frozen=True, kw_only=True):
    """Games with identical moves: together they are no more evidence than one."""

    digest: str
    games: list[int]
    """Numbers of the games."""


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions that all games were played under."""

    version: int | None = None
    """Version of the protocol; None before the first game, since only records have it."""
    options: dict[str, bool | int | float | str] = {}
    limits: dict[str, str | int] = {}
    """Limits set by the contest; the protocol's defaults apply otherwise."""
    time_factor: float = 1.0
    clock: str = ""
    sandbox: str = ""
    """The weakest sandbox level among all games."""
    enforced: dict[str, str] = {}
    arbiter: str = ""


class ChanceSource(msgspec.Struct, frozen=True, kw_only=True):
    """A secret from which deals of the contest follow; ``arbiter verify`` checks that they do."""

    commitment: str
    """``sha256:`` and the SHA-256 of the secret, published before the first game."""
    secret: str = ""
    """Empty until the contest has ended."""


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of games."""

    played: int
    counted: int
    """Games that the results are based on."""
    total: int | None
    """Expected number in the end; None if the contest has no end."""
    copies: int
    """Games whose moves are identical to those of another game."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a contest, complete or so far."""

    name: str
    title: str
    about: str
    protocol: str
    game: str
    """Title of the protocol."""
    kind: str
    seats: int
    """Number of seats per table."""
    scoring: Scoring = "places"
    """How ranks become points."""
    seat_word: str = "seat"
    """What the game calls a seat."""
    first_seat: int = 0
    """The number of the first seat, as people see it. In this document seats are numbered from 0."""
    complete: bool
    missing: list[str]
    """What is missing, in plain English; empty if the contest is complete."""
    verdict: ContestVerdict
    answer: str
    """The result in one sentence."""
    asked: str
    """The answer to the question of ``--until``; empty if there was none."""
    counts: Counts
    rows: list[Standing]
    """Best first."""
    ranked_by: Literal["kind", "score"]
    """Whether places are decided by the rules of this kind of contest, or by score."""
    cross: Crosstable
    """Best first, in rows and columns."""
    duels: list[Duel]
    """The duels that the contest is about: of its two agents, of each challenger, or of the agents in the question."""
    second: list[SecondPlace]
    second_name: str
    seat_scores: list[SeatScore]
    stages: list[StageLine]
    """Empty if there is only one."""
    bracket: list[BracketStage] = []
    """Who met whom in an elimination, and who went on and why; empty in contests without one."""
    highlights: list[Highlight]
    timelines: list[Timeline]
    duplicates: list[IdenticalGames]
    not_played: dict[int, str]
    """Games that could not be played, by number, with the reason."""
    notes: list[str]
    """Remarks for the reader."""
    conditions: Conditions
    chance: list[ChanceSource] = []
    """Empty if agents can predict the deals."""
    games: list[GameLine]
    """Sorted by number."""
    agents_page: str = ""
    """Path of the page that shows the agents, relative to the folder of the report; empty if there is none."""


DECIMALS = 4
"""Figures of a report are rounded to this many decimals, so that none prints as 1.9999999999999998."""


def rounded(report: Report) -> Report:
    """Return the report with all figures rounded; the conditions stay exact."""
    kept = {"conditions": report.conditions, "games": []}
    plain = _rounded(msgspec.to_builtins(msgspec.structs.replace(report, **kept), str_keys=False))
    games = [msgspec.structs.replace(game, scores=tuple(map(_rounded, game.scores))) for game in report.games]
    return msgspec.structs.replace(msgspec.convert(plain, Report), conditions=report.conditions, games=games)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0  # adding zero makes -0.0 positive
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list | tuple) else value
