"""What strangers see of the viewer: only the routes that are declared public."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arbiter.arena import game_pages
from arbiter.web.app import make_viewer_app
from arbiter.web.page_files import PublicRoute
from tests.arena.served import Served


async def page(_: Request) -> Response:
    return PlainTextResponse("a new page")


def test_a_new_page_of_the_viewer_is_private_unless_it_is_declared_public(
    make_arena: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_new_pages(*args: Any) -> Starlette:
        app = make_viewer_app(*args)
        app.router.routes += [Route("/data/new/private", page), PublicRoute("/data/new/public", page)]
        return app

    monkeypatch.setattr(game_pages, "make_viewer_app", with_new_pages)
    arena = make_arena()
    assert arena.call("/data/new/public") == (200, "a new page")
    assert arena.call("/data/new/private")[0] == 404
