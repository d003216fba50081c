"""The files of pages."""

from __future__ import annotations

import asyncio
import gc
import warnings
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Message, Scope

from arbiter.web.app import make_viewer_app
from arbiter.web.library import Library
from arbiter.web.security import AccessPolicy


@pytest.mark.parametrize("path", ["/games", "/static/games.js", "/drawing/rails/drawing-map.js"])
def test_a_server_that_ends_while_a_page_loads_leaves_no_warning(shelf: Path, path: str) -> None:
    app = make_viewer_app(Library(folder=shelf), AccessPolicy(port=1))
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        asyncio.run(ended_while_answering(app, path))
        gc.collect()
    assert [str(each.message) for each in warned] == []


async def ended_while_answering(app: ASGIApp, path: str) -> None:
    """Send a request, and cancel all tasks, as a server that ends does, as soon as the application waits for more."""

    async def receive() -> Message:
        for task in asyncio.all_tasks() - {waiting}:
            task.cancel()
        await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    waiting, sent = asyncio.current_task(), list[Message]()
    scope: Scope = {
        "type": "http", "asgi": {"spec_version": "2.3"}, "method": "GET", "path": path, "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:1")],
    }  # fmt: skip
    await asyncio.wait([asyncio.create_task(app(scope, receive, send))])  # type: ignore[arg-type]
    assert all(message.get("status", 200) == 200 for message in sent)
