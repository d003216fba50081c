"""The files that pages consist of: those of the arbiter, and the drawings of protocols."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arbiter.config.workspace import Workspace
from arbiter.game import Protocol
from arbiter.registry import find_protocol
from arbiter.web.drawings import FILE, STATIC, drawing_of, drawing_parts, rules_of

_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".md": "text/plain",
}


def page_file(path: Path) -> Response:
    """Send a small file as a whole.

    Starlette's FileResponse starts a task for it, and Python prints a warning if the server ends before that task runs.
    """
    return Response(path.read_bytes(), media_type=_TYPES[path.suffix])


def html_page(name: str) -> Response:
    """Send a page of the arbiter."""
    return page_file(STATIC / name)


async def static(request: Request) -> Response:
    """Send a file of the page."""
    # One path segment, compared with the names of the files: nothing else can be asked for.
    return await run_in_threadpool(_static, request.path_params["file"])


def _static(name: str) -> Response:
    file = next((path for path in STATIC.iterdir() if path.name == name and path.suffix in _TYPES), None)
    return page_file(file) if file else absent("no such file")


async def drawing(request: Request) -> Response:
    """Send a module of the drawing of a protocol."""
    return await run_in_threadpool(_drawing, request.path_params["protocol"], request.path_params["file"])


def _drawing(protocol: str, name: str) -> Response:
    main = drawing_of(find_protocol(protocol, Workspace()))
    # One path segment, compared with the names of the files, as above.
    file = drawing_parts(main).get(name) if main else None
    return page_file(file) if file else absent("this protocol has no such drawing")


async def rules(request: Request) -> Response:
    """Send the rules of a game as plain text."""
    file = await run_in_threadpool(
        lambda name: rules_of(find_protocol(name, Workspace())), request.path_params["protocol"]
    )
    return page_file(file) if file else absent("this game has no rules to show")


def protocol_files(protocol: Protocol, *, drawn: bool = True) -> dict[str, Any]:
    """Return, for the document of a game, where pages get the drawing, unless it is None, and whether there are rules."""
    drawing = f"/drawing/{protocol.name}/{FILE}" if drawn and drawing_of(protocol) else None
    return {"drawing": drawing, "has_rules": rules_of(protocol) is not None}


def absent(reason: str) -> Response:
    """Answer 404."""
    return JSONResponse({"error": reason}, 404)


class PublicRoute(Route):
    """A route of the viewer that an arena shows to strangers, too. All others are private."""


PAGE_ROUTES = (
    PublicRoute("/static/{file}", static),
    PublicRoute("/drawing/{protocol}/{file}", drawing),
    PublicRoute("/rules/{protocol}", rules),
)
"""What every application that shows games serves."""
