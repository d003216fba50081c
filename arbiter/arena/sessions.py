"""Sessions of the organiser's page.

The organiser logs in once with the token, and gets a cookie that scripts cannot read and other sites cannot send. Cookies are
shared by all ports of a host, so a request that changes something must also carry the secret of its session in a header, which
only our own page can read, and must come from our own origin. A cookie says when it expires, and is signed with the token: so
sessions survive a restart.
"""

from __future__ import annotations

import hmac
import secrets
from time import time

from starlette.requests import Request
from starlette.responses import Response

from arbiter.arena.params import BadRequest
from arbiter.arena.store import Store

LASTS_S = 24 * 3600
SINCE = "sessions since"
"""The key in the store of a random text that is signed as well: a new one ends all sessions."""
_READING = ("GET", "HEAD")
HEADER = "x-session"


class Sessions:
    """The sessions of an organiser's token."""

    def __init__(self, token: str, store: Store, port: str = "") -> None:
        self.cookie = f"arena-organiser-{port}" if port else "arena-organiser"
        self._token, self._store = token, store

    def _signature(self, name: str, use: str) -> str:
        text = f"{use} {name} {self._store.setting(SINCE)}"
        return hmac.new(self._token.encode(), text.encode(), "sha256").hexdigest()

    def open(self, request: Request, response: Response) -> None:
        """Open a session and set its cookie."""
        name = f"{int(time()) + LASTS_S}-{secrets.token_urlsafe(12)}"
        value = f"{name}.{self._signature(name, 'cookie')}"
        secure = request.url.scheme == "https"
        response.set_cookie(self.cookie, value, LASTS_S, httponly=True, samesite="strict", secure=secure)

    def close(self, response: Response) -> None:
        """End all sessions."""
        self._store.set_setting(SINCE, secrets.token_urlsafe(12))
        response.delete_cookie(self.cookie, httponly=True, samesite="strict")

    def secret(self, request: Request) -> str:
        """Return the secret of the session that a request belongs to; empty if there is none."""
        name, _, signature = request.cookies.get(self.cookie, "").rpartition(".")
        until = name.partition("-")[0]
        if not until.isdecimal() or len(until) > 12 or int(until) < time():
            return ""
        known = hmac.compare_digest(signature.encode(errors="replace"), self._signature(name, "cookie").encode())
        return self._signature(name, "secret") if known else ""

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
    origin, site = request.headers.get("origin", ""), request.headers.get("sec-fetch-site", "same-origin")
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if (origin and origin != own) or site not in ("same-origin", "none"):
        raise BadRequest("requests from other sites are refused", 403)
