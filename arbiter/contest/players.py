"""The interface of what plays the games of a contest: worker processes on this machine, a cluster, or the arena.

The runner depends on this interface only. When a game is reported, its record is at the path in its job.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, Self

from arbiter.contest.progress import RunningGame
from arbiter.contest.worker import Done
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan


class Players(Protocol):
    """Plays games. Use as a context manager: on exit, all of its processes have ended."""

    @property
    def in_hand(self) -> int:
        """The number of games that were started and have not ended."""

    @property
    def running(self) -> tuple[RunningGame, ...]:
        """The known games in flight."""

    @property
    def free(self) -> bool:
        """Whether one more game can be started."""

    def begin(self, job: Job) -> None:
        """Start a game, or queue it. Only allowed while :attr:`free`."""

    def wait(self) -> Iterator[tuple[Job, Done]]:
        """Wait until something happens, and yield the games that have ended. Raises UserError if no game can be played."""

    def stop_soon(self) -> None:
        """Finish the games being played, and drop those that are still queued."""

    def news(self) -> list[str]:
        """Return new messages for the organiser, one line each."""

    def __enter__(self) -> Self:
        """Get ready to play."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Stop: after an exception, in the middle of a game."""


MakePlayers = Callable[[Plan, str, int, int | None], Players]
"""Takes the plan, the name of the contest, how many games to play at the same time, and a file descriptor that ends
:meth:`Players.wait` when it becomes readable."""
