"""One game to play, as a value: who sits where, what decides its randomness, and where its record goes.

Whoever plays a game is given its plan, once, and a :class:`Job` for each game: this process, a worker of a contest, a host of
a cluster, the arena.
"""

from __future__ import annotations

import msgspec

from arbiter.records.summary import ScheduledGame


class DealSeed(msgspec.Struct, frozen=True):
    """The seed of everything random in the games of a deal, in a contest with a secret."""

    commitment: str
    seed: int


class Job(msgspec.Struct, frozen=True):
    """A game to play."""

    game: ScheduledGame
    number: int
    """Its number in the series or contest, from 1."""
    path: str = ""
    """Where to save the record; by default under a new name in the folder of the plan."""
    deal_seed: DealSeed | None = None
    """The seed of everything random in it; None: its own."""
    host: str = ""
    """The machine of a cluster that other games of its deal were played on, if any."""
    more: bool = False
    """Whether the next game to start has the same deal."""
    left: int = 0
    """How many games are waiting to start after it."""
    keeps_files: bool = False
    """Whether files that agents write persist until the next game, where the protocol allows it."""

    @property
    def seed(self) -> int:
        """The seed of everything random in the game."""
        return self.deal_seed.seed if self.deal_seed else self.game.seed

    @property
    def commitment(self) -> str:
        """The published hash of the secret that the seed follows from; empty if the seed is no secret."""
        return self.deal_seed.commitment if self.deal_seed else ""
