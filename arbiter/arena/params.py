"""The parameters of a request, wherever its client puts them: query, form or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

BODY_BYTES = 64 * 1024
_FIELDS = 100


class BadRequest(Exception):
    """A request that is refused with one sentence."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


async def read_body(request: Request) -> bytes:
    """Return the body, which may be absent. Raises BadRequest if it is too large."""
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared[:12]) > BODY_BYTES:
        raise BadRequest(f"the body must not be larger than {BODY_BYTES} bytes", 413)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise BadRequest(f"the body must not be larger than {BODY_BYTES} bytes", 413)
    return bytes(body)


async def read_params(request: Request) -> dict[str, object]:
    """Return the parameters of a request. What is in the body overrides the query. Raises BadRequest."""
    found: dict[str, object] = dict(_form(request.scope["query_string"]))
    body = await read_body(request)
    if not body.strip():
        return found
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json" or (kind != "application/x-www-form-urlencoded" and body.lstrip()[:1] == b"{"):
        return {**found, **_json(body)}
    return {**found, **_form(body)}


def _form(data: bytes) -> dict[str, str]:
    try:
        return dict(
            parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_FIELDS, errors="replace")
        )
    except ValueError:
        raise BadRequest(f"too many parameters; at most {_FIELDS}") from None


def _json(body: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise BadRequest("the body is not valid JSON") from None
    if not isinstance(found, dict):
        raise BadRequest("the body must be a JSON object")
    return found


def text_of(params: Mapping[str, object], name: str) -> str:
    """Return a parameter as trimmed text; empty if it is absent."""
    value = params.get(name)
    return str(value).strip() if isinstance(value, (str, int, float)) else ""
