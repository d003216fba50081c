"""The files that pages consist of: those of the arbiter, and the drawings of protocols."""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arbiter.config.workspace import Workspace
from arbiter.game import Protocol
from arbiter.registry import find_protocol
from arbiter.web.drawings import FILE, STATIC, drawing_of, drawing_parts

_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


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


def drawing_address(protocol: Protocol) -> str | None:
    """Return where pages get the drawing of a protocol; None if it has none."""
    return f"/drawing/{protocol.name}/{FILE}" if drawing_of(protocol) else None


def absent(reason: str) -> Response:
    """Answer 404."""
    return JSONResponse({"error": reason}, 404)


class PublicRoute(Route):
    """A route of the viewer that an arena shows to strangers, too. All others are private."""


PAGE_ROUTES = (PublicRoute("/static/{file}", static), PublicRoute("/drawing/{protocol}/{file}", drawing))
"""What every application that shows games serves."""
