"""``arbiter play`` with agents on other machines, which serves the arena's endpoints while the games last."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

import pytest

from arbiter.config.workspace import Workspace
from arbiter.records.reader import Record, load_record
from arbiter.records.summary import summarise
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from tests.arena.clients import client
from tests.arena.test_records import BOT, choose
from tests.nullgame.command import arbiter
from tests.tools import ROOT

pytestmark = pytest.mark.slow

SEED = str(2**128 - 7)
"""As large as one that is drawn at random."""
_REMOTE = re.compile(r"remote +(?P<team>\S+) +POST (?P<url>\S+)  key=(?P<key>\w{8})\n")


@dataclass
class Playing:
    """A running ``arbiter play``."""

    process: subprocess.Popen[str]
    keys: dict[str, str]
    url: str
    """Where teams join."""

    @property
    def port(self) -> int:
        return int(urlsplit(self.url).port or 0)

    def report(self) -> Any:
        """Wait for the end and return the JSON document."""
        out, err = self.process.communicate(timeout=600)
        assert self.process.returncode == 0, err
        return json.loads(out)


@contextlib.contextmanager
def playing(folder: Path, *words: str) -> Iterator[Playing]:
    command = [sys.executable, "-m", "arbiter", "play", *words, "--port", "0", "--json", "--sandbox", "none"]
    own = ["--save", str(folder / "games"), "--seed", SEED, "--move", "10s", "--limit", "first_move=20s"]
    with subprocess.Popen(
        [*command, *own], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stderr
        keys: dict[str, str] = {}
        try:
            for line in process.stderr:
                if found := _REMOTE.fullmatch(line):
                    keys[found["team"]], url = found["key"], found["url"]
                if line.startswith("waiting"):
                    break
            assert keys, process.communicate()
            yield Playing(process, keys, url)
        finally:
            process.kill()


def record_of(report: Any, game: int = 0) -> Record:
    return load_record(Path(report["games"][game]["record"]))


def test_the_same_moves_give_the_same_digest_over_pipes_and_over_http(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    table = ["heroes", f"first={bot}", "-o", "rounds=10", f"third={bot}", "random"]
    with playing(tmp_path, *table, "remote:Alpha") as play, client("1", play.port, play.keys["Alpha"]) as player:
        player.play_out(player.join(arena=True), choose)
        remote = record_of(play.report())
    words = [*table, f"Alpha={bot}", "--seed", SEED, "--json", "--sandbox", "none", "--save", str(tmp_path / "local")]
    local = record_of(arbiter("play", *words, folder=ROOT).document)
    assert remote.result
    assert local.result
    assert remote.result.digest == local.result.digest
    assert [seat.language for seat in remote.header.seats] == ["Python", "Python", "Python", "remote"]
    assert not list(differences(remote, find_protocol("heroes", Workspace())))


def test_seats_rotate_and_house_agents_fill_the_table(tmp_path: Path) -> None:
    with playing(tmp_path, "heroes", "remote:Alpha", "remote:Beta", "-n", "4", "-o", "rounds=2") as play:

        def one(team: str) -> list[int]:
            heroes = []
            for _ in range(4):
                with client("19", play.port, play.keys[team]) as player:
                    state = player.join(arena=True)
                    heroes.append(state["hero"]["id"])
                    player.play_out(state, lambda _: "Stay")
            return heroes

        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(one, ("Alpha", "Beta"))) == [[1, 4, 3, 2], [2, 1, 4, 3]]
        report = play.report()
    assert [seat.name for seat in record_of(report).header.seats] == ["Alpha", "Beta", "random", "random-2"]
    assert not any(line.fault for game in range(4) for line in record_of(report, game).answers)


def test_any_protocol_is_played_through_the_generic_api(tmp_path: Path) -> None:
    with playing(tmp_path, "splendor", "greedy", "mine=remote:Alpha", "-o", "max_rounds=6") as play:
        assert play.url.endswith("/join")
        seat = json.load(urlopen(play.url, urlencode({"key": play.keys["mine"]}).encode(), timeout=60))
        assert (seat["protocol"], seat["seat"]) == ("splendor", 1)
        message = json.load(urlopen(seat["playUrl"], timeout=60))
        texts = []
        while not message["over"]:
            texts.append(message["text"])
            answer = {"number": message["number"], "answer": "not a move", "kibitz": "who knows"}
            request = Request(seat["playUrl"], json.dumps(answer).encode(), {"Content-Type": "application/json"})
            message = json.load(urlopen(request, timeout=60))
        record = record_of(play.report())
    own = [line for line in record.answers if line.seat == 1]
    assert len(texts) == len(own) > 0
    assert all(line.fault for line in own)
    assert own[0].kibitz == ["who knows"]


def test_a_team_that_does_not_come_leaves_a_disconnected_hero(tmp_path: Path) -> None:
    words = ["heroes", "remote:Alpha", "remote:Beta", "-o", "rounds=2", "--join-time", "50ms"]
    with playing(tmp_path, *words) as play, client("1", play.port, play.keys["Alpha"]) as player:
        last = player.play_out(player.join(arena=True), lambda _: "Stay")
        assert [hero["crashed"] for hero in last["game"]["heroes"]] == [False, True, False, False]
        record = record_of(play.report())
    assert isinstance(record.header.setup, dict)
    assert record.header.setup["absent"] == [2]
    assert 1 not in {line.seat for line in record.answers}
    assert [(fault.seat, fault.kind) for fault in summarise(record).faults if fault.kind == "absent"] == [(1, "absent")]


def test_nothing_else_is_played(tmp_path: Path) -> None:
    with playing(tmp_path, "heroes", "remote:Alpha") as play:

        def told(path: str, key: str) -> str:
            with pytest.raises(HTTPError) as error:
                urlopen(f"http://127.0.0.1:{play.port}{path}", urlencode({"key": key}).encode(), timeout=60)
            return error.value.read().decode()

        key = play.keys["Alpha"]
        assert told("/api/training", "12345678") == "Blitz - Key not found"
        assert told("/api/arena?gameId=nowhere1", key) == "Blitz - No round with id nowhere1"
        assert told("/api/training", key) == "Blitz - There are no house agents for heroes"


def test_a_name_that_no_team_can_have_is_refused(tmp_path: Path) -> None:
    ran = arbiter("play", "heroes", "remote:A", "--port", "0", "--sandbox", "none", folder=tmp_path)
    assert ran.code == 2
    assert "team name 'A': must be 3 to 40 printable characters" in ran.err
