"""Sessions of the organiser's page.

The organiser logs in once with the token, and gets a cookie that scripts cannot read and other sites cannot send. Cookies are
shared by all ports of a host, so a request that changes something must also carry the secret of its session in a header, which
only our own page can read, and must come from our own origin.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from starlette.requests import Request
from starlette.responses import Response

from arbiter.arena.params import BadRequest

LASTS_S = 24 * 3600
_MOST = 50
_READING = ("GET", "HEAD")
HEADER = "x-session"


class Sessions:
    """The open sessions, which are lost when the server stops."""

    def __init__(self, port: str = "", *, now: Callable[[], float] = monotonic) -> None:
        self.cookie = f"arena-organiser-{port}" if port else "arena-organiser"
        self._now = now
        self._open: OrderedDict[str, tuple[str, float]] = OrderedDict()
        """By cookie value: the secret of the session, and when it expires."""

    def open(self, request: Request, response: Response) -> str:
        """Open a session and set its cookie; return its secret."""
        name, secret = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self._open[name] = (secret, self._now() + LASTS_S)
        while len(self._open) > _MOST:
            self._open.popitem(last=False)
        response.set_cookie(
            self.cookie, name, LASTS_S, httponly=True, samesite="strict", secure=request.url.scheme == "https"
        )
        return secret

    def close(self, request: Request, response: Response) -> None:
        """End the session of a request."""
        self._open.pop(request.cookies.get(self.cookie, ""), None)
        response.delete_cookie(self.cookie, httponly=True, samesite="strict")

    def secret(self, request: Request) -> str:
        """Return the secret of the session that a request belongs to; empty if there is none."""
        given = request.cookies.get(self.cookie, "").encode(errors="replace")
        found = ""
        for name, (secret, until) in self._open.items():
            if hmac.compare_digest(name.encode(), given) and self._now() < until:
                found = secret
        return found

    def allows(self, request: Request) -> bool:
        """Return whether a request comes from the organiser's page. Raises BadRequest for a forged one."""
        secret = self.secret(request)
        if not secret:
            return False
        if request.method not in _READING:
            check_origin(request)
            given = request.headers.get(HEADER, "")
            if not hmac.compare_digest(given.encode(errors="replace"), secret.encode()):
                raise BadRequest("this request does not come from the organiser's page; reload the page", 403)
        return True


def check_origin(request: Request) -> None:
    """Refuse a request that a browser sends on behalf of another site. Raises BadRequest."""
    origin = request.headers.get("origin", "")
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if (origin and origin != own) or request.headers.get("sec-fetch-site", "same-origin") not in (
        "same-origin",
        "none",
    ):
        raise BadRequest("requests from other sites are refused", 403)
