"""``arbiter arena``: wrong options, TLS, another protocol, and remote agents where they cannot play."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import arbiter
from arbiter.arena.config import house_agents
from arbiter.arena.serve import hosts_of, organiser_token
from arbiter.arena.store import Store, Upload
from arbiter.cli import cli
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.folder_lock import held
from tests.arena.served import KEYS, Served
from tests.tools import need_tool


def refused(*words: str) -> str:
    found = CliRunner().invoke(cli, ["arena", *words])
    assert isinstance(found.exception, UserError)
    return str(found.exception)


def test_a_certificate_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("x")
    said = refused("--tls", str(tmp_path), "--folder", str(tmp_path / "a"))
    expected = f"--tls: '{tmp_path}/cert.pem' and '{tmp_path}/key.pem' must be a certificate and its key in PEM files: "
    assert said.startswith(expected)


def test_files_that_are_no_text_are_named(tmp_path: Path) -> None:
    folder, file = ["--folder", str(tmp_path / "a"), "--port", "0"], tmp_path / "teams"
    file.write_bytes(b"\0\r\xff")
    for words in (["--teams", str(file)], [str(file)]):
        found = CliRunner().invoke(cli, ["arena", *words, *folder])
        assert isinstance(found.exception, UserError)
        assert found.exception.located().startswith(f"{file}: ")
        assert "must be text" in str(found.exception) or "not a text file" in str(found.exception)


def test_mistakes_are_found_before_anything_is_served(tmp_path: Path) -> None:
    folder = ["--folder", str(tmp_path / "a"), "--port", "0"]
    assert "unknown protocol 'ludo'" in refused(*folder, "--queue-protocol", "ludo")
    assert "unknown agent 'nobody'" in refused(*folder, "--house", "nobody")
    assert "must be a program on this machine" in refused(*folder, "--house", "human")
    assert "--join-time" in refused(*folder, "--join-time", "soon")
    assert "unknown option 'wind'" in refused(*folder, "-o", "wind=1")
    assert "limit move 'soon': must be a duration" in refused(*folder, "--limit", "move=soon")
    assert "option rounds=x: must be a whole number" in refused(*folder, "-o", "rounds=x")


def test_one_arena_at_a_time_uses_a_folder(tmp_path: Path) -> None:
    """A second one would take the games of the first for games that a crash has cut off."""
    teams = tmp_path / "teams.txt"
    teams.write_text("Alpha")
    with held(tmp_path, os.O_RDONLY | os.O_DIRECTORY, busy="never"):
        said = refused("--folder", str(tmp_path), "--port", "0", "--teams", str(teams))
    assert said == f"{tmp_path} is in use: another arena runs there; choose another folder with --folder"
    assert Store(tmp_path / "arena.sqlite").teams() == []


def test_teams_of_a_match_file_must_be_registered(tmp_path: Path) -> None:
    file = tmp_path / "day.yaml"
    file.write_text("protocol: splendor\nagents: ['remote:Alpha', random]\nsandbox: none\n")
    assert "team 'Alpha' of the match file is not registered" in refused(str(file), "--folder", str(tmp_path / "a"))


def test_one_command_sets_which_version_plays(tmp_path: Path) -> None:
    store = Store(tmp_path / "arena.sqlite")
    store.register("Alpha = 1")
    store.add_upload(Upload("Alpha = 1", 1, "bot.py", 9, "python", ""))
    store.add_upload(Upload("Alpha = 1", 2, "bot.py", 9, "", "does not compile"))
    given = ["arena", "--folder", str(tmp_path), "--let-play"]
    done = CliRunner().invoke(cli, [*given, "Alpha = 1=1"], catch_exceptions=False)
    assert done.output == "'Alpha = 1' plays with version 1 from its next game on\n"
    assert store.chosen_upload("Alpha = 1") == 1, "also for a server that is running"
    assert store.log_lines()[-1][1:] == ("command line", "chose version 1 of team 'Alpha = 1'")
    assert refused(*given[1:], "Alpha = 1=2") == "version 2 of team 'Alpha = 1' cannot play"
    assert refused(*given[1:], "Alpha = 1=7") == "version 7 of team 'Alpha = 1' is unknown"
    assert refused(*given[1:], "Nobody=0") == "unknown team 'Nobody'"
    assert "as in Alpha=3" in refused(*given[1:], "Alpha")
    assert store.chosen_upload("Alpha = 1") == 1
    CliRunner().invoke(cli, [*given, "Alpha = 1=0"], catch_exceptions=False)
    assert store.chosen_upload("Alpha = 1") == 0
    assert "there is no arena in" in refused("--folder", str(tmp_path / "b"), "--let-play", "Alpha=1")
    assert not (tmp_path / "b").exists()
    store.close()


def test_house_agents_are_those_chosen_and_random_elsewhere() -> None:
    house = house_agents(Workspace(), "heroes", ["steady"])
    assert house["heroes"] == ["steady"]
    assert house["splendor"] == ["random"]


def test_the_organisers_token_is_kept_for_its_owner(tmp_path: Path) -> None:
    token = organiser_token(tmp_path / "arena")
    assert len(token) == 32
    assert organiser_token(tmp_path / "arena") == token
    file = tmp_path / "arena" / "organiser-token"
    assert file.stat().st_mode & 0o077 == 0
    file.write_text("\n")  # as after a full disk: an empty token would let everybody in
    assert len(organiser_token(tmp_path / "arena")) == 32


def test_addresses_are_those_that_teams_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = {
        "lo": [SimpleNamespace(family=socket.AF_INET, address="127.0.0.1")],
        "wlan0": [
            SimpleNamespace(family=socket.AF_INET, address="192.0.2.7"),
            SimpleNamespace(family=socket.AF_INET6, address="fe80::1%wlan0"),
        ],
    }
    monkeypatch.setattr("psutil.net_if_addrs", lambda: cards)
    monkeypatch.setattr("socket.gethostname", lambda: "laptop")
    assert hosts_of("0.0.0.0") == hosts_of("::") == ["192.0.2.7", "laptop"]
    assert hosts_of("127.0.0.1") == ["127.0.0.1"]
    assert hosts_of("2001:db8::1") == ["[2001:db8::1]"]


def test_a_remote_agent_outside_an_arena_is_refused_in_words(tmp_path: Path) -> None:
    told = "'remote:Alpha' plays over the network: 'arbiter play' and 'arbiter arena' run such games"
    with pytest.raises(UserError, match=told):
        arbiter.play("heroes", ["remote:Alpha", "random", "random", "random"], sandbox="none", save=tmp_path)


def test_an_arena_of_a_protocol_without_an_interface_of_its_own(make_arena: Callable[..., Served]) -> None:
    arena = make_arena(queue_protocol="splendor", join_s=0.05)
    status, body = arena.call("/join", {"key": KEYS["Team 1"]})
    assert (status, json.loads(body)["protocol"]) == (200, "splendor")


def test_tls(make_arena: Callable[..., Served], tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    openssl = need_tool("openssl")
    words = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*words, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)  # fmt: skip
    arena = make_arena(certificate=certificate, key=key)
    trust = ssl.create_default_context(cafile=str(certificate))
    url = f"https://127.0.0.1:{arena.port}/api/training"
    with urllib.request.urlopen(url, f"key={KEYS['Team 1']}&turns=1".encode(), timeout=100, context=trust) as response:
        state = json.loads(response.read())
    assert state["playUrl"].startswith("https://127.0.0.1:")
    with urllib.request.urlopen(state["playUrl"], b"dir=North", timeout=100, context=trust) as response:
        assert json.loads(response.read())["game"]["finished"]
