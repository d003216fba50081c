"""The games of a contest, as plain values: no processes, no files.

A schedule lists the games to play as :class:`ScheduledGame` values. Such a value is the game's whole identity: equal
values are the same game, whether it is played now, was played yesterday or is replayed after an annulment. The outcome of
playing it is the :class:`GameSummary` of its record.
"""

from __future__ import annotations

from collections.abc import Mapping

from arbiter.records.summary import GameSummary, ScheduledGame

__all__ = ["GameSummary", "Played", "ScheduledGame"]

Played = Mapping[ScheduledGame, GameSummary]
"""All games played so far, with their outcomes. One that is annulled counts for nobody, because one of its agents was set aside;
later rounds were drawn by it all the same."""
