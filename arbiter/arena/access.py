"""Who sends a request: a team by its key, a seat by its token, the organiser by a token of their own.

Whoever guesses is slowed down: failures are counted per address, and beyond a limit nothing is looked up any more.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from time import monotonic

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from arbiter.arena.game import ArenaGame
from arbiter.arena.hall import Hall
from arbiter.arena.kernel import arrival
from arbiter.arena.params import BadRequest, request_header, text_of
from arbiter.arena.place import Place
from arbiter.arena.sessions import Sessions

_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:[0-9]{1,5})?")


OrganisersHandler = Callable[[Request], Awaitable[Response]]


class Rate:
    """A budget of events per name that refills with time."""

    def __init__(
        self, most: float, per_second: float, *, names: int = 10_000, now: Callable[[], float] = monotonic
    ) -> None:
        self._most, self._per_second, self._names, self._now = most, per_second, names, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, name: str) -> bool:
        """Return whether there is something left, without spending it."""
        return self._budget(name) >= 1

    def spend(self, name: str) -> bool:
        """Spend one; False if nothing is left."""
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
        self, hall: Hall, organiser_token: str, own_host: str, *, now: Callable[[], float] = monotonic
    ) -> None:
        """``own_host`` is used in addresses when a request names no usable host."""
        self._hall, self._token, self._own_host = hall, organiser_token, own_host
        self._failures = Rate(60, 1, now=now)
        """Wrong keys and tokens per address: after 60, one per second."""
        self._organiser_failures = Rate(10, 0.1, now=now)
        self._joins = Rate(30, 1, now=now)
        """Joins per team."""
        self._one_key = asyncio.Lock()
        self.sessions = Sessions(own_host.rpartition(":")[2], now=now)

    async def team(self, request: Request, params: Mapping[str, object]) -> str:
        """Return the team whose key a request carries. Raises BadRequest."""
        key = text_of(params, "key")
        if not key:
            raise BadRequest("Did you forget the key parameter?")
        team = await self._team_with(key, address_of(request))
        if not self._joins.spend(team):
            raise BadRequest("Your team joins too often; wait a few seconds", 429)
        if round_trip_us := arrival(request.scope).round_trip_us:
            self._hall.round_trips_us[team] = round_trip_us
        return team

    async def _team_with(self, key: str, address: str) -> str:
        keys = self._hall.store.keys
        if self._failures.allows(address) and (known := keys.recognised(key)):
            return known
        async with self._one_key:  # so that guesses are counted one by one
            if not self._failures.allows(address):
                raise BadRequest("Too many wrong keys from your address; wait a minute", 429)
            team = await asyncio.to_thread(keys.team, key)
            if team is None:
                self._failures.spend(address)
                raise BadRequest("Key not found")
        return team

    def place(self, request: Request) -> tuple[ArenaGame, Place]:
        """Return the game and the seat that the path of a request names. Raises BadRequest."""
        return self.place_of(address_of(request), request.path_params["game"], request.path_params["token"])

    def place_of(self, address: str, game_id: str, token: str) -> tuple[ArenaGame, Place]:
        """Return the game and the seat with this token. Raises BadRequest."""
        game = self._hall.find(game_id)
        place = game.place_with(token) if game else None
        if game and place:
            return game, place
        if not self._failures.spend(address):
            raise BadRequest("Too many wrong tokens from your address; wait a minute", 429)
        if game is None:
            raise BadRequest(f"Unknown game {game_id[:40]}", 404)
        raise BadRequest("Wrong or expired token", 404)

    def organiser(self, request: Request) -> None:
        """Check the organiser's token, or session. Raises BadRequest."""
        if not self.sessions.allows(request):
            self.check_token(address_of(request), request.query_params.get("apiKey", "") or bearer_of(request))

    def organised(self, handler: OrganisersHandler) -> OrganisersHandler:
        """Return a handler that is for the organiser alone."""

        async def checked(request: Request) -> Response:
            self.organiser(request)
            return await handler(request)

        return checked

    def log(self, request: Request, what: str) -> None:
        """Write down what was done, and from where."""
        self._hall.store.log(address_of(request), what)

    def check_token(self, address: str, given: str) -> None:
        """Check the organiser's token, as somebody at this address gave it. Raises BadRequest.

        The token is too long to be guessed, so whoever has it is let in, whatever others at the same address have tried.
        """
        if hmac.compare_digest(given.encode(errors="replace"), self._token.encode()):
            return
        if not self._organiser_failures.spend(address):
            raise BadRequest("Too many wrong tokens from your address; wait a minute", 429)
        raise BadRequest("Unauthorized!", 401)

    def base(self, scope: Scope) -> str:
        """Return the beginning of our addresses as the client of this request knows them."""
        return f"{scope['scheme']}://{_host(request_header(scope, b'host')) or self._own_host}"


@lru_cache(maxsize=1000)
def _host(named: bytes) -> str:
    """Return the host that a request names; empty if it is none that may stand in an address."""
    host = named.decode("latin-1")
    return host if _HOST.fullmatch(host) else ""


def bearer_of(request: Request) -> str:
    """Return the secret in the header Authorization; empty if there is none."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def address_in(scope: Scope) -> str:
    """Return the network address of a client."""
    return str(scope["client"][0]) if scope.get("client") else "unknown"


def address_of(request: Request) -> str:
    """Return the network address of a client."""
    return address_in(request.scope)
