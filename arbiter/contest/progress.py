"""The progress of a contest while it runs, and the result of the run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from arbiter.contest.ledger import Ledger
from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics.until import QuestionAnswer


class RunningGame(msgspec.Struct, frozen=True):
    """A game that a worker is playing now."""

    worker: int
    """The number of the worker, from 0."""
    number: int
    seats: Sequence[str]
    record: str
    """The path of its record, which is being written."""


class ContestProgress(msgspec.Struct):
    """The progress of a contest; observers receive it after every game."""

    names: Sequence[str]
    """All agents."""
    total: int | None
    """The number of games in the end, as far as known, and never less than ``played``; None if the contest has no end."""
    played: int = 0
    now_played: int = 0
    """Games played in this run."""
    in_hand: int = 0
    """Games being played."""
    running: tuple[RunningGame, ...] = ()
    """The games being played, by worker."""
    started: float = msgspec.field(default_factory=time.monotonic)
    set_aside: dict[str, int] = msgspec.field(default_factory=dict)
    """Agents that were set aside, each with the number of games after which."""
    not_played: dict[int, str] = msgspec.field(default_factory=dict)
    """Numbers of the games that could not be played, each with the reason."""
    stopping: bool = False
    """Whether no more games are started, after Ctrl-C."""
    paused: str = ""
    """The stage before which the contest waits for the organiser; empty if it does not."""
    answer: QuestionAnswer | None = None
    """The answer to the question of ``--until``."""
    last: GameSummary | None = None
    """The game that has just ended."""
    notes: list[str] = msgspec.field(default_factory=list)
    """Notes for the organiser, in the order they came up."""
    chance: str = ""
    """What all deals are derived from, shown before the first game; empty if no game is played."""
    announcements: list[str] = msgspec.field(default_factory=list)
    """Notes about games that are played again or could not be played. They are shown while the contest runs; a report
    leaves them out, since it has the games that were played in the end and lists those that were not."""

    def left_s(self) -> float | None:
        """The estimated time to the end in seconds; None if there is no estimate."""
        if self.total is None or not self.now_played:
            return None
        return (time.monotonic() - self.started) / self.now_played * (self.total - self.played)


ContestObserver = Callable[[ContestProgress, Ledger], None]
"""Called when the contest begins, when its first games have begun, after every game, and when it is being stopped."""


class RunResult(msgspec.Struct, frozen=True):
    """The result of running a contest."""

    ledger: Ledger
    counted: list[GameSummary]
    """The games that count, by number."""
    progress: ContestProgress
    complete: bool
    """Whether all games have been played, or the question has been settled."""
