"""The position as plain data."""

from __future__ import annotations

from protocols.heroes.rules import DISCONNECT

from .table import arena, ply

PLACE = """
    +--------+
    |@1^^    |
    |$2  @2  |
    |        |
    |@3    @4|
    +--------+
    """


def test_the_view_tells_everything() -> None:
    game = arena(PLACE, rounds=9)
    ply(game, "East")
    ply(game, DISCONNECT)
    assert game.view() == {
        "turn": 2,
        "turns": 36,
        "round": 1,
        "seat": 2,
        "over": False,
        "size": 4,
        "rows": ["  @1    ", "$2  @2  ", "        ", "@3    @4"],
        "spikes": [[0, 1]],
        "full_life": 100,
        "heroes": [
            {
                "id": 1, "pos": [0, 1], "start": [0, 0], "last": "East", "life": 89, "gold": 0, "mines": 0,
                "captures": 0, "kills": 0, "deaths": 0, "disconnected": False,
            },
            {
                "id": 2, "pos": [1, 2], "start": [1, 2], "last": "Stay", "life": 99, "gold": 1, "mines": 1,
                "captures": 0, "kills": 0, "deaths": 0, "disconnected": True,
            },
            {
                "id": 3, "pos": [3, 0], "start": [3, 0], "last": None, "life": 100, "gold": 0, "mines": 0,
                "captures": 0, "kills": 0, "deaths": 0, "disconnected": False,
            },
            {
                "id": 4, "pos": [3, 3], "start": [3, 3], "last": None, "life": 100, "gold": 0, "mines": 0,
                "captures": 0, "kills": 0, "deaths": 0, "disconnected": False,
            },
        ],
        "events": [{"what": "disconnection", "hero": 2, "other": 0, "amount": 0}],
    }  # fmt: skip


def test_no_seat_is_to_move_when_it_is_over() -> None:
    game = arena(PLACE, rounds=1)
    for _ in range(4):
        ply(game, "Stay")
    view = game.view()
    assert (view["seat"], view["over"], view["round"], view["turn"]) == (None, True, 1, 4)
