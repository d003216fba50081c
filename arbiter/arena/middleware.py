"""The outermost middleware: security headers and CORS for every response."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arbiter.web.security import HEADERS

ADDRESS_BYTES = 8 * 1024
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_NAMES = {name for name, _ in _HEADERS}
_OWN = ("/organiser", "/export")
"""Paths without CORS: pages of other sites must not use them."""


class ArenaMiddleware:
    """The ASGI application that is served."""

    def __init__(self, app: Starlette) -> None:
        self._app = app

    @property
    def state(self) -> State:
        """The state of the application."""
        return self._app.state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path, origin, more = scope["path"], _origin(scope), _HEADERS
        own = path.startswith(_OWN)
        if origin and not own:
            more = [*_HEADERS, (b"access-control-allow-origin", origin), (b"vary", b"Origin")]

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.get("headers", [])
                known = _NAMES.intersection(name for name, _ in headers)
                message["headers"] = (
                    [*headers, *(one for one in more if one[0] not in known)] if known else headers + more
                )
            await send(message)

        if len(scope["raw_path"]) + len(scope["query_string"]) > ADDRESS_BYTES:
            refusal = PlainTextResponse(f"the address is longer than {ADDRESS_BYTES} bytes", 414)
            await refusal(scope, receive, guarded)
        elif scope["method"] == "OPTIONS" and not own:
            await _preflight(scope)(scope, receive, guarded)
        else:
            await self._app(scope, receive, guarded)


def _origin(scope: Scope) -> bytes:
    for name, value in scope["headers"]:
        if name == b"origin":
            return bytes(value)
    return b""


def _preflight(scope: Scope) -> ASGIApp:
    """Allow any cross-origin request: access depends on keys and tokens, not on the origin."""
    asked = dict(scope["headers"]).get(b"access-control-request-headers", b"").decode("latin-1")
    allow = {"access-control-allow-methods": "GET, POST, DELETE", "access-control-max-age": "3600"}
    if asked:
        allow["access-control-allow-headers"] = asked
    return Response(status_code=204, headers=allow)
