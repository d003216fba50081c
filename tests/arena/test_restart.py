"""An arena killed in the middle of games: finished games survive, interrupted ones are marked, teams can continue at once."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from arbiter.records.reader import load_record
from tests.arena.clients import client
from tests.tools import until

pytestmark = pytest.mark.slow


@contextmanager
def command(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], int, str, dict[str, str]]]:
    """Run ``arbiter arena``; yields the process, its port, the organiser's token and the keys it printed."""
    words = [
        sys.executable, "-m", "arbiter", "arena", "--folder", str(folder), "--port", "0", "--sandbox", "none",
        *options,
    ]  # fmt: skip
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        keys: dict[str, str] = {}
        port, token = 0, ""
        assert process.stdout
        try:
            while not token:
                line = process.stdout.readline()
                assert line, "the command ended"
                if found := re.match(r"arena +http://127\.0\.0\.1:(\d+)", line):
                    port = int(found[1])
                elif found := re.search(r"/organiser#(\S+)", line):
                    token = found[1]
                elif found := re.fullmatch(r"([a-z0-9]{8})  (.+)\n", line):
                    keys[found[2]] = found[1]
            yield process, port, token, keys
        finally:
            process.kill()


def organise(port: int, token: str, path: str, method: str, **params: str) -> Any:
    query = urlencode({**params, "apiKey": token})
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}?{query}", method=method, headers={"Accept": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=100) as response:
        return json.loads(response.read())


def create(port: int, token: str) -> str:
    seats = "remote:Alpha,random,random,random"
    return str(organise(port, token, "/games", "POST", seats=seats, rounds="5", map="m1")["id"])


def test_a_killed_server_loses_nothing_that_is_finished(tmp_path: Path) -> None:
    teams = tmp_path / "teams.txt"
    teams.write_text("Alpha\n\nBeta\n")
    folder = tmp_path / "arena"
    with command(folder, "--teams", str(teams), "--limit", "move=20s") as (process, port, token, keys):
        assert list(keys) == ["Alpha", "Beta"]
        done = create(port, token)
        with client("1", port, keys["Alpha"]) as player:
            player.play_out(player.join(done), lambda state: "Stay")
        until(lambda: not organise(port, token, "/games/active", "GET"), "the end of the game")
        running, waiting = create(port, token), create(port, token)
        with client("1", port, keys["Alpha"]) as player:
            player.join(running)
            player.play("North")
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    with command(folder, "--teams", str(teams), "--limit", "move=20s") as (_, port, same_token, new_keys):
        assert (same_token, new_keys) == (token, {})
        games = {game["id"]: game for game in organise(port, token, "/games", "GET")}
        assert games[done]["status"] == "finished"
        assert games[done]["digest"].startswith("sha256:")
        assert (games[running]["status"], games[running]["reason"]) == ("aborted", "the server was restarted")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/data/games?finished=no", timeout=100) as response:
            assert json.loads(response.read())["games"] == [], "the wall shows none as being played"
        cut = load_record(folder / games[running]["record"])
        assert cut.result is None
        with client("1", port, keys["Alpha"]) as player:  # goes on at once, in the game that had not started
            last = player.play_out(player.join(waiting), lambda state: "Stay")
        assert last["game"]["id"] == waiting


def test_a_stopped_server_ends_its_games(tmp_path: Path) -> None:
    teams = tmp_path / "teams.txt"
    teams.write_text("Alpha\n")
    folder = tmp_path / "arena"
    with command(folder, "--teams", str(teams), "--limit", "move=20s") as (process, port, token, keys):
        game = create(port, token)
        with client("1", port, keys["Alpha"]) as player:
            player.join(game)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
    with command(folder) as (_, port, token, _):
        (found,) = organise(port, token, "/games", "GET")
        assert (found["status"], found["reason"]) == ("aborted", "the server was stopped")
