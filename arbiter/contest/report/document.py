"""The result of a contest as one document: plain typed data, from which every shape is made and which ``--format json``
prints. JSON has no infinity, so whatever may be infinite is None here where it is.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from arbiter.contest.statistics.standings import Cell, SeatScore, SecondPlace

Verdict = Literal["yes", "no", "not yet", ""]
"""Empty where nothing was asked that can be answered so."""
Measure = Literal["lead", "rating", "score"]
Reason = Literal["fault", "lost", "against the trend", "upset", "close", "last"]


class Estimate(msgspec.Struct, frozen=True):
    """A figure with its 95 % interval; None is infinite, or not known."""

    value: float | None
    low: float | None
    high: float | None


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One agent."""

    place: int | None
    """By the rules of the contest, or by score; None if it has none: it was set aside, or is there to be beaten."""
    agent: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    """Share of the others at the table it was ahead of, summed over games."""
    score: Estimate | None
    """Points a game; None before the first."""
    rating: Estimate | None
    """Elo above the mean of its group; None if nothing is known."""
    group: int = 0
    """Only ratings of the same group can be compared."""
    own_score: float | None
    """Mean of the game's own points."""
    secondary: float | None
    """Mean of what the second ranking counts."""
    faults: dict[str, int]
    answers: int
    think_us: float | None
    """Mean time charged for an answer."""
    set_aside: int | None = None
    """It was, after so many games without a good answer."""
    note: str = ""
    """What became of it, where the kind of contest decides that."""
    figures: dict[str, float] = {}
    """What the kind of contest ranked it by, the weightiest first."""


class Duel(msgspec.Struct, frozen=True, kw_only=True):
    """One agent against another, in all games in which they met."""

    one: str
    other: str
    games: int
    pairs: int
    """Independent observations."""
    wins: int
    draws: int
    losses: int
    score: float | None
    elo: Estimate
    superiority: float
    """How likely the one is the better."""
    verdict: Verdict
    """Whether it is."""
    sentence: str
    llr: float | None = None
    """Log-likelihood ratio of the sequential test, if one was asked for."""
    llr_bounds: tuple[float, float] | None = None
    """At the lower one the answer is no, at the upper one yes."""


class GameLine(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One game. Lists are by seat."""

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
    """Path from where the report is."""


class Pick(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is worth looking at."""

    game: int
    """Its number."""
    reason: Reason
    why: str
    """In plain English."""


class Encounter(msgspec.Struct, frozen=True, kw_only=True):
    """Agents that met in a stage, and what they got there; best first."""

    agents: list[str]
    points: list[float]
    games: list[int]
    """Numbers."""


class StageLine(msgspec.Struct, frozen=True, kw_only=True):
    """A round, a final, a batch."""

    name: str
    encounters: list[Encounter]


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """One agent over the games."""

    agent: str
    values: list[float | None]
    low: list[float | None] = []
    """Lower end of the 95 % interval, if that is given."""
    high: list[float | None] = []


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """How a figure went as games came in."""

    measure: Measure
    games: list[int]
    """After so many games; values of the curves belong to these."""
    curves: list[Curve]


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """Games that went exactly alike: together they tell no more than one."""

    digest: str
    games: list[int]
    """Numbers."""


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """What all games were played under."""

    version: int | None = None
    """Of the protocol; None before the first game, as all that only games tell."""
    options: dict[str, bool | int | float | str] = {}
    limits: dict[str, str | int] = {}
    """As the contest gives them; those of the game hold otherwise."""
    time_factor: float = 1.0
    clock: str = ""
    sandbox: str = ""
    """The weakest level of all games."""
    enforced: dict[str, str] = {}
    arbiter: str = ""


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Games."""

    played: int
    counted: int
    """Those that everything here rests on."""
    total: int | None
    """In the end, as far as can be told; None if there is no end."""
    copies: int
    """Games that went exactly as another one did."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to show."""

    name: str
    title: str
    about: str
    protocol: str
    game: str
    """The protocol as people call it."""
    kind: str
    seats: int
    """Of one table."""
    complete: bool
    missing: list[str]
    """What is, in plain English."""
    verdict: Verdict
    answer: str
    """The result in one sentence."""
    asked: str
    """The answer to the question of ``--until``; empty if there was none."""
    counts: Counts
    rows: list[Row]
    """Best first."""
    ranked_by: Literal["kind", "score"]
    """What decides the places: the rules of this kind of contest, or the score."""
    cross: dict[str, dict[str, Cell]]
    """By name of the one and of the other, best first, where they met."""
    duels: list[Duel]
    """Those that the contest is about: of two agents, of a challenger with everybody, or that the question asks for."""
    second: list[SecondPlace]
    second_name: str
    seat_scores: list[SeatScore]
    stages: list[StageLine]
    """Empty where there is only one."""
    picks: list[Pick]
    courses: list[Course]
    duplicates: list[Alike]
    not_played: dict[int, str]
    """Games by number that could not be, with the reason."""
    notes: list[str]
    """What the reader should know."""
    conditions: Conditions
    games: list[GameLine]
    """By number."""


def finite(value: float | None) -> float | None:
    """None for what JSON cannot say."""
    return value if value is not None and math.isfinite(value) else None


def estimate(value: float, low: float, high: float) -> Estimate:
    """With None where it is infinite."""
    return Estimate(finite(value), finite(low), finite(high))
