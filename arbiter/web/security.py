"""Protection of the pages: a content security policy, a check of the host name, and a token for other machines.

- A page may load only from its own origin, and runs no inline script, so nothing that an agent prints can become code.
- On the loopback address, the ``Host`` header must name that address: a web site that points its own name there (DNS
  rebinding) gets no answer. The connection must come from a program of the same user: others on this machine get none either.
- On any other address, every request needs the token that was printed with the address. The first visit brings it in the
  query and takes it away as a cookie, so that links stay short.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arbiter.web.peer import is_own_user

POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    )
)  # fmt: skip
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_COOKIE = "arbiter-token"


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server on this address."""
    return host in ("localhost", "::1") or host.startswith("127.")


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Decides which requests may see the pages."""

    port: int
    token: str = ""
    """Empty on the loopback address."""
    names: tuple[str, ...] = field(default=_LOOPBACK)
    """Host names that a request may use if there is no token."""
    own_user: bool = False
    """Whether only programs of the user who runs the server may connect, if there is no token."""
    posts: bool = False
    """Whether pages may send something: JSON, and from nowhere but these pages."""

    def check(self, request: Request) -> Response | None:
        """Return the error response to a request that is refused; None for one that is allowed."""
        if refusal := self._check_method(request):
            return refusal
        if self.token:
            return self._check_token(request)
        if request.headers.get("host", "") not in {f"{name}:{self.port}" for name in self.names}:
            return PlainTextResponse("unknown host name: use the address that arbiter printed", 421)
        if self.own_user and not is_own_user(request.scope.get("client"), request.scope.get("server")):
            return PlainTextResponse("only the user who started arbiter may see this page", 403)
        return None

    def _check_method(self, request: Request) -> Response | None:
        if request.method in ("GET", "HEAD"):
            return None
        if request.method != "POST" or not self.posts:
            return PlainTextResponse("only GET is supported", 405)
        # A page elsewhere can post a form without asking, but no JSON; and browsers say where a request comes from.
        if request.headers.get("content-type", "") != "application/json":
            return PlainTextResponse("only application/json is accepted", 415)
        origin = request.headers.get("origin", "")
        if origin and origin != f"http://{request.headers.get('host', '')}":
            return PlainTextResponse("requests from other sites are refused", 403)
        return None

    def _check_token(self, request: Request) -> Response | None:
        cookie = f"{_COOKIE}-{self.port}"
        if self._is_token(request.cookies.get(cookie, "")):
            return None
        if not self._is_token(request.query_params.get("token", "")):
            return PlainTextResponse("this page needs the token in the address that arbiter printed", 403)
        rest = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
        response = RedirectResponse("/" + request.url.path.lstrip("/") + (f"?{urlencode(rest)}" if rest else ""), 303)
        response.set_cookie(cookie, self.token, httponly=True, samesite="strict")
        return response

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


class SecurityMiddleware:
    """Middleware that applies the access policy and adds the security headers to every response."""

    def __init__(self, app: ASGIApp, access: AccessPolicy) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", []),
                    *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        refusal = self._access.check(Request(scope))
        await (refusal or self._app)(scope, receive, guarded)
