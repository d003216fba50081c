from __future__ import annotations
import json
from tests.arena.served import KEYS, Served

def test_a_training_game_is_played_to_its_end(arena: Served) -> None:
    status, body = arena.call("/api/training", {"key": KEYS["Team 1"], "turns": "3"})
    assert status == 200, body
    state = json.loads(body)
    moves = 0
    while not state["game"]["finished"]:
        status, body = arena.call(state["playUrl"].removeprefix(arena.url), {"dir": "North"})
        assert status == 200, body
        state = json.loads(body)
        moves += 1
    assert moves == 3
    record = arena.record(state["game"]["id"])
    assert record.result
