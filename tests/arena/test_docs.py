"""The programs in docs/arena.md, run as they are printed."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arbiter.config.workspace import bundled
from tests.arena.served import KEYS, Served
from tests.tools import need_tool

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "arena.md"


def program(name: str, folder: Path) -> list[str]:
    """Write a program of the page to a file and return the command that runs it."""
    found = re.search(rf"```\w+\n((?:#|//) {re.escape(name)}\n.*?)```", PAGE.read_text(), re.DOTALL)
    assert found, f"docs/arena.md has no program {name}"
    file = folder / name
    file.write_text(found[1])
    if name.endswith("java"):
        return [need_tool("java"), "-Xshare:auto", "-XX:TieredStopAtLevel=1", str(file)]
    if name.endswith("cs"):
        subprocess.run([need_tool("mcs"), str(file)], check=True, timeout=100)
        return [need_tool("mono"), str(file.with_suffix(".exe"))]
    return [need_tool("node") if name.endswith("mjs") else sys.executable, str(file)]


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["bot.py", "bot.mjs", "Bot.java", "Bot.cs"])
def test_the_first_bot_plays_a_training_game(arena: Served, tmp_path: Path, name: str) -> None:
    bot = program(name, tmp_path)
    output = run([*bot, arena.url, KEYS["Team 1"]])
    assert output.startswith(f"watch {arena.url}/")
    assert "Team 1" in output
    assert "random" in output
    done = subprocess.run([*bot, arena.url, "wrongkey"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, "Blitz - Key not found\n")


def test_the_first_bots_meet_in_an_official_game(arena: Served, tmp_path: Path) -> None:
    game = arena.create(seats="remote:Team 1,remote:Team 2,random,random")
    commands = [
        [*program(name, tmp_path), arena.url, KEYS[team], game]
        for name, team in (("bot.py", "Team 1"), ("bot.mjs", "Team 2"))
    ]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, commands))
    record = arena.record(game)
    assert record.result
    assert not any(line.fault for line in record.answers)


@pytest.mark.parametrize(
    ("protocol", "agent"), [("splendor", "splendor/greedy.py"), ("heroes", "heroes/steady.py")], ids=["move", "game"]
)
def test_a_local_agent_plays_through_the_client(arena: Served, tmp_path: Path, protocol: str, agent: str) -> None:
    bot = bundled() / "sample_agents" / agent
    few = {"max_rounds": "4", "rounds": "", "map": ""} if protocol == "splendor" else {}
    house = ",random" * (1 if protocol == "splendor" else 3)
    game = arena.create(protocol=protocol, seats=f"remote:Team 1{house}", **few)
    command = [*program("remote.py", tmp_path), arena.url, KEYS["Team 1"], f"game={game}", sys.executable, str(bot)]
    told = run(command)
    record = arena.record(game)
    assert record.result
    assert told == f"{record.result.reason}\n"
    assert not any(line.fault for line in record.answers if line.seat == 0)


@pytest.mark.parametrize("name", ["remote_socket.py", "remote.mjs", "remote_socket.mjs"])
def test_a_function_plays_through_the_other_clients(arena: Served, tmp_path: Path, name: str) -> None:
    command = program(name, tmp_path)
    if name == "remote_socket.mjs":  # Node 20 has WebSocket behind a flag, which later versions accept as well
        command.insert(1, "--experimental-websocket")
    told = run([*command, arena.url, KEYS["Team 1"], "training=drones"])
    arena.until(lambda: arena.lobby._over)
    (game,) = arena.lobby._over.values()
    record = arena.record(game.row.id)
    assert record.result
    assert told == f"{record.result.reason}\n"
    answers = [line for line in record.answers if line.seat == 0]
    assert answers
    assert not any(line.fault for line in answers)
