"""A seat of a game that a team has taken: its token, its held requests, and the remote agent's seat behind it."""

from __future__ import annotations

import asyncio
import secrets

from arbiter.arena.bell import Bell, go_round
from arbiter.arena.making import Making
from arbiter.arena.seat import RemoteSeat
from arbiter.plan import Plan

TOKEN_BYTES = 12
SETTLE_S = 10


class Place:
    """A seat that a team has taken."""

    def __init__(
        self,
        index: int,
        team: str,
        plan: Plan,
        making: Making,
        loop: asyncio.AbstractEventLoop,
        *,
        round_trip_us: int = 0,
    ) -> None:
        self.index, self.team = index, team
        self.token = secrets.token_hex(TOKEN_BYTES)
        self.bell = Bell(loop)
        self.holders = 0
        """Requests that are held for it at the moment."""
        self.round_trip_us = round_trip_us
        """How long a packet takes to the client and back, as the kernel measures it; 0 if unknown."""
        self.allowance_ns = making.allowance_for(round_trip_us)
        """What is added to its time limits for the network, throughout the game."""
        self._expected = False

        def settle() -> None:
            asyncio.run_coroutine_threadsafe(go_round(), loop).result(SETTLE_S)

        self.remote = RemoteSeat(
            index,
            plan.entrants[index].limits,
            plan.entrants[index].lifetime,
            changed=self.bell.ring,
            settle=settle,
            allowance_ns=self.allowance_ns,
        )

    def expect(self) -> None:
        """Count the team as waiting from now on, before its request is held: the game may start in this moment."""
        self._expected = True
        self.enter()

    def enter(self) -> None:
        """Hold a request."""
        self.holders += 1
        self.remote.enter()

    def leave(self) -> None:
        """End a held request."""
        self.holders -= 1
        self.remote.leave()

    def hold(self) -> None:
        """Hold the request that was expected, or else one more."""
        if not self._expected:
            self.enter()
        self._expected = False

    def give_up(self) -> None:
        """Expect no request any more."""
        if self._expected:
            self._expected = False
            self.leave()
