"""A cluster with TLS from end to end, with the commands of docs/cluster.md: games are played, and strangers are kept out."""

from __future__ import annotations

import shlex
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from arbiter.cluster import connect as connecting
from arbiter.cluster.connect import connect
from arbiter.errors import UserError
from tests.cluster.certificates import make_certificates
from tests.cluster.real import PATIENCE_S
from tests.contest.running.around import records, varied
from tests.contest.running.processes import start
from tests.docs.commands import commands, text_of
from tests.nullgame.command import arbiter
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

START, RUN = [command for command in commands(text_of("docs/cluster.md")) if "--tls " in command]


@pytest.fixture
def address(place: Path) -> Iterator[str]:
    """Start the cluster of the page on the loopback address."""
    make_certificates(place / "certificates")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = shlex.split(START.replace("10.0.0.1", "127.0.0.1"))[1:]
    running = start(*words, "--workers", "1", "--scheduler-port", str(port), folder=place)
    assert running.stdout is not None
    assert f"tls://127.0.0.1:{port}" in running.stdout.readline()
    yield f"tls://127.0.0.1:{port}"
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE_S)


def test_a_cluster_with_tls_plays_and_keeps_strangers_out(
    place: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = [Path(path).name for path in varied(place, "ann", "bob")]
    cup = {"protocol": "auction", "agents": agents, "options": {"rounds": 1}, "schedule": {"kind": "round_robin"}}
    write(place / "my-cup.yaml", yaml.safe_dump(cup))

    ran = arbiter(*shlex.split(RUN.replace("tls://10.0.0.1:8786", address))[1:], "--save", "games", folder=place)

    assert ran.code == 0, ran.err
    played = records(place / "games" / "my-cup")
    assert played
    assert all(record.result and record.header.host for record in played)

    monkeypatch.setattr(connecting, "_TIMEOUT_S", 2)
    make_certificates(place / "stranger")
    for tls, where in ((place / "stranger", address), (None, address), (None, address.replace("tls", "tcp"))):
        with pytest.raises(UserError, match="no Dask scheduler at"):
            connect(where, tls)
