"""Authentication: teams by their keys, seats by their tokens, the organiser by the organiser's token.

Failures are counted per address, and beyond a limit answered as such. What is valid is accepted from every address.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping
from time import monotonic

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from arbiter.arena.game import ArenaGame
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest, Params, read_params, request_header, text_of
from arbiter.arena.sessions import Sessions
from arbiter.arena.tcp_info import arrival
from arbiter.arena.team_seat import TeamSeat

_HOST = re.compile(r"([A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:[0-9]{1,5})?")


Handler = Callable[[Request], Awaitable[Response]]
Told = tuple[str, object]
"""What a call of the organiser has done: the line for the log, and the JSON for the response."""
INVITATION = "invitation"
"""The key in the store of the code with which teams register themselves; empty if they may not."""


class TokenBuckets:
    """A token bucket per name: a budget of events that refills with time."""

    def __init__(
        self, most: float, per_second: float, *, names: int = 10_000, now: Callable[[], float] = monotonic
    ) -> None:
        self._most, self._per_second, self._names, self._now = most, per_second, names, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, name: str) -> bool:
        """Return whether at least one token is left, without spending it."""
        return self._budget(name) >= 1

    def spend(self, name: str) -> bool:
        """Spend one token; return False if none is left."""
        left = self._budget(name)
        enough = left >= 1
        self._left[name] = (left - 1 if enough else left, self._now())
        self._left.move_to_end(name)
        while len(self._left) > self._names:
            self._left.popitem(last=False)
        return enough

    def _budget(self, name: str) -> float:
        left, at = self._left.get(name, (self._most, self._now()))
        return min(self._most, left + (self._now() - at) * self._per_second)


class Authentication:
    """Checks keys and tokens."""

    def __init__(
        self,
        lobby: Lobby,
        organiser_token: str,
        own_host: str,
        names: Collection[str],
        *,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """``names`` are those of this machine, in lower case; ``own_host`` is used in URLs when a request has none of them in its
        Host header."""
        self._lobby, self._token, self._own_host, self._names = lobby, organiser_token, own_host, names
        self._failures = TokenBuckets(60, 1, now=now)
        """Wrong keys and tokens per address: after 60, one per second."""
        self._organiser_failures = TokenBuckets(10, 0.1, now=now)
        self._joins = TokenBuckets(30, 1, now=now)
        """Joins per team: after 30, one per second."""
        self._one_key = asyncio.Lock()
        self.sessions = Sessions(organiser_token, lobby.store, own_host.rpartition(":")[2])

    async def team(self, request: Request, params: Mapping[str, object]) -> str:
        """Return the team that a request's key belongs to. Raises BadRequest."""
        key = text_of(params, "key")
        if not key:
            raise BadRequest("Did you forget the key parameter?")
        team = await self._team_with(key, address_of(request))
        if not self._joins.spend(team):
            raise BadRequest("Your team joins too often; wait a few seconds", 429)
        self._lobby.heard_of(team, arrival(request.scope).round_trip_us)
        return team

    async def team_on_page(self, request: Request) -> str:
        """Return the team whose key a page sends as a bearer token. Raises BadRequest."""
        return await self._team_with(bearer_of(request), address_of(request))

    def spend_failure(self, address: str) -> None:
        """Count a wrong key or code. Raises BadRequest beyond the limit."""
        if not self._failures.spend(address):
            raise BadRequest("Too many wrong keys from your address; wait a minute", 429)

    async def _team_with(self, key: str, address: str) -> str:
        keys = self._lobby.store.keys
        if known := keys.recognised(key):
            return known
        async with self._one_key:  # slows guesses: one key is hashed at a time
            team = await asyncio.to_thread(keys.team, key)
        if team is None:
            # A whole hall may have one address, so valid keys are accepted however many wrong ones come from there.
            self.spend_failure(address)
            raise BadRequest("Key not found")
        return team

    def seat(self, request: Request) -> tuple[ArenaGame, TeamSeat]:
        """Return the game and the seat named in the path of a request. Raises BadRequest."""
        return self.seat_with_token(address_of(request), request.path_params["game"], request.path_params["token"])

    def seat_with_token(self, address: str, game_id: str, token: str) -> tuple[ArenaGame, TeamSeat]:
        """Return the game and the seat with this token. Raises BadRequest."""
        game = self._lobby.find(game_id)
        seat = game.seat_with(token) if game else None
        if game and seat:
            return game, seat
        if not self._failures.spend(address):
            raise BadRequest("Too many wrong tokens from your address; wait a minute", 429)
        if game is None:
            raise BadRequest(f"Unknown game {game_id[:40]}", 404)
        raise BadRequest("Wrong or expired token", 404)

    def organiser(self, request: Request) -> None:
        """Check the organiser's session or token. Raises BadRequest."""
        if not self.sessions.allows(request):
            self.check_token(address_of(request), request.query_params.get("apiKey", "") or bearer_of(request))

    def organiser_only(self, handler: Handler) -> Handler:
        """Return a handler that only the organiser may call."""

        async def checked(request: Request) -> Response:
            self.organiser(request)
            return await handler(request)

        return checked

    def organiser_call(self, work: Callable[[Params], Awaitable[Told]]) -> Handler:
        """Return a handler for a change that only the organiser may make, given its parameters; it is logged."""

        async def call(request: Request) -> Response:
            self.organiser(request)
            what, found = await work({**await read_params(request), **request.path_params})
            self.log(request, what)
            return JSONResponse(found)

        return call

    def log(self, request: Request, what: str) -> None:
        """Log an action, with the address of its client."""
        self._lobby.store.log(address_of(request), what)

    def check_token(self, address: str, given: str) -> None:
        """Check an organiser's token sent from this address. Raises BadRequest.

        The token is too long to be guessed, so the right one is accepted even from an address with too many failures.
        """
        if hmac.compare_digest(given.encode(errors="replace"), self._token.encode()):
            return
        if not self._organiser_failures.spend(address):
            raise BadRequest("Too many wrong tokens from your address; wait a minute", 429)
        raise BadRequest("Unauthorized!", 401)

    def base(self, scope: Scope) -> str:
        """Return the base URL of this server as the client of this request sees it."""
        found = _HOST.fullmatch(request_header(scope, b"host").decode("latin-1"))
        host = found[0] if found and found[1].lower() in self._names else self._own_host
        return f"{scope['scheme']}://{host}"


def bearer_of(request: Request) -> str:
    """Return the bearer token in the Authorization header; empty if there is none."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def address_in(scope: Scope) -> str:
    """Return the network address of a client."""
    return str(scope["client"][0]) if scope.get("client") else "unknown"


def address_of(request: Request) -> str:
    """Return the network address of a client."""
    return address_in(request.scope)
