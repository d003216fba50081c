"""The pages of the contest's server have their addresses here, too."""

from __future__ import annotations

import http.client

from tests.arena.served import Served


def target(arena: Served, path: str) -> tuple[int, str]:
    """Return the status, and where the page is, or else what is said."""
    connection = http.client.HTTPConnection("127.0.0.1", arena.port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    said = response.read().decode()
    connection.close()
    return response.status, response.headers.get("location") or said


def test_tv_shows_the_newest_game_that_has_started_or_else_the_newest(arena: Served) -> None:
    assert target(arena, "/tv") == (404, "No game has been created yet")
    started = arena.create(seats="random,random,random,random")
    arena.organise(f"/games/{started}/start")
    arena.create()
    assert target(arena, "/tv") == (303, f"/{started}")


def test_tv_shows_a_game_that_waits_if_there_is_no_other(arena: Served) -> None:
    assert target(arena, "/tv")[0] == 404
    waiting = arena.create()
    assert target(arena, "/tv") == (303, f"/{waiting}")


def test_the_pages_of_all_teams_and_of_one(arena: Served) -> None:
    assert target(arena, "/ai") == (303, "/")
    assert target(arena, "/ai/Team%201") == (303, "/team?name=Team+1")
    assert target(arena, "/ai/Team%201%26x%3D%0d%0ay") == (404, "Unknown team Team 1&x=\r\ny")
    assert arena.call("/ai/Team%201")[0] == 200
