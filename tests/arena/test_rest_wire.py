"""A wire with other addresses and keys than those of Heroes is served without a change in the arena."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from arbiter.config.workspace import Workspace
from arbiter.registry import find_protocol
from tests.arena.served import KEYS, Served


@pytest.fixture
def arena(make_arena: Callable[..., Served], monkeypatch: pytest.MonkeyPatch) -> Served:
    protocol = type(find_protocol("heroes", Workspace()))
    own = type(protocol.rest)
    other = type(
        "OtherWire",
        (own,),
        {
            "prefix": "Other: ",
            "training_path": "/v2/practice",
            "join_path": "/v2/enter",
            "play_path": "/v2/seats/{token}/of/{game}",
            "id_key": "match",
            "move_key": "action",
            "pages": {"events": "/v2/watch/{game}"},
        },
    )
    monkeypatch.setattr(protocol, "rest", other())
    return make_arena()


def test_the_addresses_and_keys_of_a_wire_are_its_own(arena: Served) -> None:
    assert arena.call("/api/training", {"key": KEYS["Team 1"]})[0] != 200
    assert arena.call("/tv")[0] == 404
    game = arena.create(seats="remote:Team 1,random,random,random", rounds="1")
    status, body = arena.call("/v2/enter", {"key": KEYS["Team 1"], "match": game})
    assert status == 200
    play = json.loads(body)["playUrl"].removeprefix(arena.url)
    assert play.startswith("/v2/seats/")
    assert play.endswith(f"/of/{game}")
    assert arena.call(play, {"dir": "Stay"}) == (400, "Did you forget the action parameter?")
    status, body = arena.call(play, {"action": "Stay"})
    assert (status, json.loads(body)["game"]["finished"]) == (200, True)
    assert arena.call(play, {"action": "Stay"}) == (400, "Other: Game is finished")
    assert arena.call(f"/v2/watch/{game}")[1].count("data: ") == 4
