"""Other users of the machine get nothing from a server on the loopback address, whatever they send."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.web.library import Library
from arbiter.web.peer import Endpoint, is_own_user, uid_of
from arbiter.web.serve import listen, serve_people
from tests.tools import missing
from tests.web.served import Served, serving

STRANGER = 10002
"""Uid of somebody else."""
ASK = """
import http.client, sys
port, method, path, forwarded = int(sys.argv[1]), *sys.argv[2:5]
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
connection.request(method, path, "{}", {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}",
                                         "X-Forwarded-For": forwarded})
answer = connection.getresponse()
print(answer.status, len(answer.read()))
"""


@pytest.fixture(params=[("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "127.0.0.1")], ids=lambda pair: pair[0])
def connection(request: pytest.FixtureRequest) -> Iterator[tuple[socket.socket, Endpoint, Endpoint]]:
    """A connection: the client's end, and both endpoints as a server reports them."""
    bound, reached = request.param
    family = socket.AF_INET6 if ":" in bound else socket.AF_INET
    try:
        listening = socket.create_server((bound, 0), family=family, dualstack_ipv6=bound == "::")
    except OSError:
        missing(f"listening on {bound}")
    with listening, socket.create_connection((reached, listening.getsockname()[1])) as client:
        accepted, _ = listening.accept()
        with accepted:
            yield client, client.getsockname()[:2], client.getpeername()[:2]


def test_the_user_at_the_other_end_is_known(connection: tuple[socket.socket, Endpoint, Endpoint]) -> None:
    client, here, there = connection
    assert uid_of(here, there) == os.getuid()
    assert uid_of(there, (here[0], here[1] ^ 1)) is None, "a socket that listens is not the end of a connection"
    client.close()  # now the kernel lists it as root's
    assert uid_of(here, there) is None


def test_somebody_else_is_told_apart() -> None:
    if os.geteuid() != 0:
        missing("running as root: becoming another user")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        os.seteuid(STRANGER)  # a socket belongs to the effective user who makes it
        try:
            client = socket.create_connection(listening.getsockname())
        finally:
            os.seteuid(0)
        with client:
            assert uid_of(client.getsockname(), client.getpeername()) == STRANGER


def test_a_server_of_root_also_serves_who_became_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arbiter.web.peer.uid_of", lambda *_: 1000)
    ends: tuple[Endpoint, Endpoint] = (("127.0.0.1", 1), ("127.0.0.1", 2))
    for own, environment, expected in (
        (1000, {}, True),
        (0, {}, False),
        (0, {"SUDO_UID": "1000"}, True),
        (0, {"SUDO_UID": "1001"}, False),
        (1001, {"SUDO_UID": "1000"}, False),
    ):
        monkeypatch.setattr(os, "getuid", lambda own=own: own)
        assert is_own_user(*ends, environment) is expected
    assert not is_own_user(None, None)


def ask(port: int, method: str, path: str, *, forwarded: str = "") -> str:
    """Send a request as another user, ``forwarded`` for somebody; return its status."""
    if os.geteuid() != 0:
        missing("running as root: becoming another user")
    switch = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", "env"]
    python = next((path for path in ("/usr/bin/python3", sys.executable) if os.access(path, os.X_OK)), sys.executable)
    words = [*switch, python, "-I", "-c", ASK, str(port), method, path, forwarded]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd="/", env={"PATH": os.defpath})
    assert done.stderr == ""
    return done.stdout.split()[0]


@pytest.mark.parametrize("path", ["/", "/games", "/data/games", "/static/page.css"])
def test_another_user_sees_nothing(shelf: Path, path: str) -> None:
    with serving(Library(folder=shelf)) as served:
        assert ask(served.address.port, "GET", path) == "403"
        assert served.get("/games").status == 200


def test_another_user_cannot_pass_for_the_owner_of_another_connection(shelf: Path) -> None:
    with serving(Library(folder=shelf)) as served, socket.create_connection(("127.0.0.1", served.address.port)) as own:
        forwarded = f"127.0.0.1:{own.getsockname()[1]}"
        assert ask(served.address.port, "GET", "/data/games", forwarded=forwarded) == "403"


def test_another_user_cannot_move_for_a_person_even_with_the_address() -> None:
    import threading

    from arbiter.web.person import People

    address, people = listen("127.0.0.1", 0), People(["anna"])
    server = serve_people(people, address)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]}, daemon=True)
    thread.start()
    try:
        key = people.keys["anna"]
        assert ask(address.port, "GET", f"/play/{key}") == "403"
        assert ask(address.port, "POST", f"/data/play/{key}/answer") == "403"
        assert Served(address, Library([])).get(f"/play/{key}").status == 200
    finally:
        server.should_exit = True
        thread.join(10)
