"""The pages of the contest's original server at their old addresses."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable

import pytest

from tests.arena.served import Served


def target(arena: Served, path: str) -> tuple[int, str]:
    """Return the status, and the target of the redirect or else the text."""
    connection = http.client.HTTPConnection("127.0.0.1", arena.port, timeout=600)
    connection.request("GET", path)
    response = connection.getresponse()
    said = response.read().decode()
    connection.close()
    return response.status, response.headers.get("location") or said


def test_tv_shows_the_newest_game_that_has_started_or_else_the_newest(arena: Served) -> None:
    assert target(arena, "/tv") == (303, "/newest")
    assert target(arena, "/newest") == (404, "No game has been created yet")
    started = arena.create(seats="random,random,random,random")
    arena.organise(f"/games/{started}/start")
    arena.create()
    assert target(arena, "/newest") == (303, f"/{started}")


def test_tv_shows_a_game_that_waits_if_there_is_no_other(arena: Served) -> None:
    assert target(arena, "/newest")[0] == 404
    waiting = arena.create()
    assert target(arena, "/newest") == (303, f"/{waiting}")


def test_the_pages_of_all_teams_and_of_one(arena: Served) -> None:
    assert target(arena, "/ai") == (303, "/")
    assert target(arena, "/ai/Team%201") == (303, "/team?name=Team%201")
    assert target(arena, "/ai/Team%201%26x%3D%0d%0ay") == (303, "/team?name=Team%201%26x%3D%0D%0Ay")
    assert arena.call("/ai/Team%201")[0] == 200


def test_random_maps_are_shown_one_after_the_other(make_arena: Callable[..., Served]) -> None:
    arena = make_arena(settings={"options": {}})
    shown = []
    for _ in range(2):
        status, page = target(arena, "/map/5")
        assert status == 200
        assert '<meta http-equiv="refresh" content="5">' in page
        (board,) = re.findall("<pre>(.*)</pre>", page, re.DOTALL)
        assert "\x1b" not in board
        assert all(f"@{hero}" in board for hero in range(1, 5))
        shown.append(board)
    assert shown[0] != shown[1]


@pytest.mark.parametrize("delay", ["0", "x", "-1", "99999999999", "%3Cb%3E", "1.5"])
def test_a_delay_must_be_a_number_of_seconds(shared: Served, delay: str) -> None:
    status, said = target(shared, f"/map/{delay}")
    assert (status, "must be a number of seconds" in said) == (404, True)
