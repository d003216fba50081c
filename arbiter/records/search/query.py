"""A query about saved games, and the games that match it, whether they are files or packed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from arbiter.errors import UserError
from arbiter.records.scoring import SeatResult
from arbiter.records.search.moments import moment_us
from arbiter.records.summary import GameSummary

Sort = Literal["date", "length", "duration"]
ANY_FAULT = "any"
_MOST_NAMES = 100
UNKNOWN = -(1 << 63)
"""The sort value of a game whose value is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Conditions that must all hold, and the order of the games that match. The default matches every saved game."""

    agents: tuple[str, ...] = ()
    """All of these played. With ``faults`` or ``kibitz``, only their own faults and kibitz count."""
    won: tuple[str, ...] = ()
    drew: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    protocol: str | None = None
    faults: tuple[str, ...] = ()
    """There was a fault of one of these kinds; ``any`` matches every kind."""
    since_us: int | None = None
    """Started at this time or later; games without a known start match no time."""
    until_us: int | None = None
    seed: int | None = None
    kibitz: str | None = None
    """Part of a line of kibitz, ignoring case."""
    contest: str | None = None
    stage: str | None = None
    finished: bool | None = None
    duplicates: bool = False
    """There is another record with the same digest. Equal games are then listed together."""
    sort: Sort = "date"
    """Newest, most turns or longest duration first; unknown values last."""
    reverse: bool = False
    limit: int | None = None
    """The maximum number of games to return."""

    def __post_init__(self) -> None:
        """Raise UserError for so many names that a search would take long."""
        given = sum(map(len, (self.agents, self.won, self.drew, self.lost, self.faults)))
        if given > _MOST_NAMES:
            raise UserError(f"{given} agents and faults to search for; give at most {_MOST_NAMES}")

    def matches(self, game: GameSummary, spoken: Collection[int]) -> bool:
        """Return whether a game matches, but for ``duplicates`` and ``limit``; ``spoken`` are the seats whose kibitz has the text."""
        wanted = (
            (self.protocol, game.protocol), (self.contest, game.contest), (self.stage, game.stage), (self.seed, game.seed),
            (self.finished, game.finished),
        )  # fmt: skip
        if any(value not in (None, found) for value, found in wanted) or not set(self.agents) <= set(game.seats):
            return False
        if self.won or self.drew or self.lost:
            endings = {(name, game.ending(seat)) for seat, name in enumerate(game.seats)}
            ended = ((SeatResult.WON, self.won), (SeatResult.DREW, self.drew), (SeatResult.LOST, self.lost))
            if not endings >= {(name, ending) for ending, names in ended for name in names}:
                return False
        if (self.since_us, self.until_us) != (None, None):
            started = moment_us(game.started)
            if started is None or (self.since_us is not None and started < self.since_us):
                return False
            if self.until_us is not None and started > self.until_us:
                return False
        if not self.faults and self.kibitz is None:
            return True
        own = {seat for seat, name in enumerate(game.seats) if not self.agents or name in self.agents}
        if self.faults and not any(
            fault.seat in own and (ANY_FAULT in self.faults or fault.kind in self.faults) for fault in game.faults
        ):
            return False
        return self.kibitz is None or not own.isdisjoint(spoken)

    def sort_value(self, game: GameSummary) -> int:
        """Return what a game is sorted by, in microseconds or turns; :data:`UNKNOWN` if it is not known."""
        if self.sort == "length":
            return game.turns
        found = moment_us(game.started) if self.sort == "date" else game.duration_us
        return UNKNOWN if found is None else found


@dataclass(frozen=True, slots=True)
class Hit:
    """A game that matches."""

    key: int
    """The value that games are sorted by."""
    digest: str
    """Empty unless duplicates are searched for."""
    path: Callable[[], str]
    game: Callable[[], GameSummary]
