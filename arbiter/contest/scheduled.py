"""The games of a contest and their outcomes, as plain values: no processes, no files.

A schedule lists the games to play as :class:`ScheduledGame` values. Such a value is the game's whole identity: equal
values are the same game, whether it is played now, was played yesterday or is replayed after an annulment. The result
of playing it is an :class:`Outcome`, read from the game's record.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arbiter.playing.job import ScheduledGame

__all__ = ["Outcome", "Played", "ScheduledGame"]


class Outcome(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The outcome of a finished game. Tuples are by seat."""

    game: ScheduledGame
    ranks: tuple[int, ...]
    """1 is best; tied seats share a rank. If no seat has rank 1, nobody won."""
    scores: tuple[float, ...]
    """Scores in the game's own points."""
    secondary: tuple[float, ...] | None = None
    """Values of the game's secondary ranking, more is better; None if the game has none."""
    faults: tuple[Mapping[str, int], ...] = ()
    """Number of faults by kind."""
    think_us: tuple[int, ...] = ()
    """Time charged."""
    answers: tuple[int, ...] = ()
    """Number of answers given."""
    turns: int = 0
    digest: str = ""
    """Equal for games with the same moves and results, regardless of their seeds."""
    technical: bool = False
    """Whether an agent could not be started for the first turn: the machine, not the agents, decided the game."""
    record: str = ""
    """Path of the saved game."""
    commitment: str = ""
    """The published hash of the secret that its deal follows from; empty if that is its seed."""
    host: str = ""
    """The machine of a cluster it was played on; empty for this machine."""
    void: bool = False
    """Whether it counts for nobody, because one of its agents was set aside. Later rounds were drawn by it all the same."""


Played = Mapping[ScheduledGame, Outcome]
"""All games played so far, with their outcomes."""
