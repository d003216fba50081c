"""The parameters of a request, from its query, form or JSON body."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Scope

from arbiter.errors import UserError
from arbiter.units import show_size

BODY_BYTES = 64 * 1024
_FIELDS = 100
_FORM = b"application/x-www-form-urlencoded"
_PLAIN = re.compile(rb"\w+=\w*(&\w+=\w*){0,9}")

Handler = Callable[[Request], Awaitable[ASGIApp]]
Params = Mapping[str, object]
"""The parameters of a request, by name."""


class BadRequest(Exception):
    """A request that is refused; the message is one sentence."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


def refusing_with(handler: Handler, render: Callable[[BadRequest], Response]) -> Handler:
    """Return a handler that sends refusals as ``render`` makes them, instead of as plain text."""

    async def wrapped(request: Request) -> ASGIApp:
        try:
            return await handler(request)
        except BadRequest as error:
            return render(error)
        except UserError as error:
            return render(BadRequest(str(error)))

    return wrapped


def json_refusal(error: BadRequest) -> Response:
    """Return a refusal as JSON."""
    return JSONResponse({"error": str(error)}, error.status)


async def read_body(request: Request, most: int = BODY_BYTES) -> bytes:
    """Return the body, which may be absent. Raises BadRequest if it is too large."""
    too_large = BadRequest(f"the body must not be larger than {show_size(most)}", 413)
    declared = request_header(request.scope, b"content-length")
    if declared.isdigit() and int(declared[:12]) > most:
        raise too_large
    body = bytearray()
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > most:
            raise too_large
        if not message.get("more_body"):
            return bytes(body)


def request_header(scope: Scope, wanted: bytes) -> bytes:
    """Return the value of a header, named in lower case; empty if it is absent."""
    for name, value in scope["headers"]:
        if name == wanted:
            return bytes(value)
    return b""


async def read_params(request: Request) -> dict[str, object]:
    """Return the parameters of a request. Those in the body override the query. Raises BadRequest."""
    scope = request.scope
    query: bytes = scope["query_string"]
    found: dict[str, object] = dict(form(query)) if query else {}
    body = await read_body(request)
    if not body.strip():
        return found
    if request_header(scope, b"content-encoding").strip().lower() not in (b"", b"identity"):
        raise BadRequest("the body must not be compressed: send it without Content-Encoding", 415)
    kind = request_header(scope, b"content-type").partition(b";")[0].strip().lower()
    if kind.startswith(b"multipart/"):
        raise BadRequest("parameters must be sent as application/x-www-form-urlencoded or as JSON", 415)
    if kind == b"application/json" or (kind != _FORM and body.lstrip()[:1] == b"{"):
        found.update(_json(body))
    else:
        found.update(form(body))
    return found


def form(data: bytes) -> dict[str, str]:
    """Return the fields of a form or a query. Raises BadRequest if there are too many."""
    if _PLAIN.fullmatch(data):  # the case of nearly all moves: nothing to decode
        return dict(field.split("=") for field in data.decode("ascii").split("&"))
    try:
        return dict(
            parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_FIELDS, errors="replace")
        )
    except ValueError:
        raise BadRequest(f"too many parameters; at most {_FIELDS}") from None


def _json(body: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(body, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise BadRequest("the body is not valid JSON") from None
    if not isinstance(found, dict):
        raise BadRequest("the body must be a JSON object")
    return found


def _refused(constant: str) -> object:
    raise ValueError(constant)  # NaN and the infinities are not JSON


def text_of(params: Params, name: str) -> str:
    """Return a parameter as trimmed text; empty if it is absent."""
    value = params.get(name)
    return str(value).strip() if isinstance(value, (str, int, float)) else ""
