"""A seat that a team has taken: its token, its long polls, and the remote agent's seat behind it."""

from __future__ import annotations

import asyncio
import secrets

from arbiter.arena.config import ArenaConfig
from arbiter.arena.notifier import Notifier, run_pending_callbacks
from arbiter.arena.seat import RemoteSeat
from arbiter.playing.plan import Plan

TOKEN_BYTES = 12
SETTLE_S = 10


class TeamSeat:
    """A seat that a team has taken."""

    def __init__(
        self,
        index: int,
        team: str,
        plan: Plan,
        config: ArenaConfig,
        loop: asyncio.AbstractEventLoop,
        *,
        round_trip_us: int = 0,
    ) -> None:
        self.index, self.team = index, team
        self.token = secrets.token_hex(TOKEN_BYTES)
        self.notifier = Notifier(loop)
        self.round_trip_us = round_trip_us
        """The network round trip to the client, as measured by the kernel; 0 if unknown."""
        self.allowance_ns = config.allowance_for(round_trip_us)
        """Added to its time limits for the network, throughout the game."""
        self.first_number = 0
        """The number of the first question that the team's program got."""
        self.is_numbered = False
        """Whether the program has named the number of another question, so it sends every answer to the URL of its question."""
        self._expected = False

        def settle() -> None:
            asyncio.run_coroutine_threadsafe(run_pending_callbacks(), loop).result(SETTLE_S)

        self.remote = RemoteSeat(
            index,
            plan.entrants[index].limits,
            plan.entrants[index].lifetime,
            changed=self.notifier.notify,
            settle=settle,
            allowance_ns=self.allowance_ns,
        )

    def rejoin(self) -> None:
        """Continue with a program that was restarted."""
        self.first_number, self.is_numbered = 0, False
        self.remote.restart()

    def number_of(self, named: str) -> int | None:
        """Return the number of the question that an answer belongs to, given the number in its URL.

        None if the program sends all its answers to the URL of its first question, as some clients do.
        """
        if not named.isdecimal() or len(named) > 9:
            return None
        self.is_numbered |= int(named) != self.first_number
        return int(named) if self.is_numbered else None

    def expect(self) -> None:
        """Count the team as waiting before its request waits: the game may start at once."""
        self._expected = True
        self.remote.enter()

    def enter(self) -> None:
        """Count a waiting request, unless it was counted by :meth:`expect`."""
        if not self._expected:
            self.remote.enter()
        self._expected = False

    def leave(self) -> None:
        """Count a waiting request no more."""
        self.remote.leave()

    def give_up(self) -> None:
        """Stop counting a request that was expected and has not come."""
        if self._expected:
            self._expected = False
            self.leave()
