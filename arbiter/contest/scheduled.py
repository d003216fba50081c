"""What a contest plays and what came of it, as plain values: no processes, no files.

A schedule says which games are to be played, as keys. A key is all of a game's identity: the same key is the same
game, whether it is played now, was played yesterday or is played again after an annulment. What became of it is an
outcome, read from its record.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class ScheduledGame(msgspec.Struct, frozen=True, order=True, gc=False):
    """One game of a contest, before it is played."""

    seats: tuple[str, ...]
    """Names of the agents, by seat."""
    seed: int
    """Of everything random in it. Games of the same agents with the same seed, in all seatings, belong together:
    what the deal gave to one of them in one game it gave to the others in the next."""
    stage: str = ""
    """Where in the contest it belongs: ``round 3``, ``final``; empty where there is only one stage."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What came of a game. Tuples are by seat."""

    key: ScheduledGame
    ranks: tuple[int, ...]
    """1 is best; equal ranks share a place. No 1 at all: nobody won."""
    scores: tuple[float, ...]
    """In the game's own points."""
    secondary: tuple[float, ...] | None = None
    """What a second ranking of the game counts, more is better; None where the game has none."""
    faults: tuple[Mapping[str, int], ...] = ()
    """How many of which kind."""
    think_us: tuple[int, ...] = ()
    """Time charged."""
    answers: tuple[int, ...] = ()
    """Answers given."""
    turns: int = 0
    digest: str = ""
    """Games that went alike have equal ones, whatever their seeds."""
    record: str = ""
    """Where it is saved."""


Played = Mapping[ScheduledGame, Outcome]
"""Everything played so far."""
