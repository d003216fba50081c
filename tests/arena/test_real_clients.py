"""Clients written with the libraries that teams use, where they are installed. docs/arena.md has those of node, Java and C#."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.arena.served import KEYS, Served
from tests.tools import need_tool

pytestmark = pytest.mark.slow


def create(arena: Served) -> str:
    return arena.create(seats="remote:Team 1,random,random,random", rounds="2")


def curl(*words: str) -> dict[str, Any]:
    done = subprocess.run([need_tool("curl"), "-sS", "--max-time", "60", *words], capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "style", [(), ("-H", "Expect: 100-continue"), ("--http1.0",), ("-L",), ("--compressed",)], ids=str
)
def test_curl(arena: Served, style: tuple[str, ...]) -> None:
    game = create(arena)
    state = curl(*style, "-d", f"key={KEYS['Team 1']}", f"{arena.url}/api/arena?gameId={game}")
    while not state["game"]["finished"]:
        state = curl(*style, "-d", "dir=North", state["playUrl"])
    assert [line.move for line in arena.record(game).answers if line.seat == 0] == ["North", "North"]


def test_requests(arena: Served) -> None:
    import requests

    game = create(arena)
    session = requests.session()
    state = session.post(f"{arena.url}/api/arena?gameId={game}", {"key": KEYS["Team 1"]}, timeout=600).json()
    while not state["game"]["finished"]:
        state = session.post(state["playUrl"], {"dir": "Stay"}, timeout=100).json()
    assert arena.record(game).result
