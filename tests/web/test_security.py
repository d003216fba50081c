"""Who may see the pages, and what a page may do."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from arbiter.errors import UserError
from arbiter.web.library import Library
from arbiter.web.security import POLICY, is_loopback
from arbiter.web.serve import listen
from tests.web.served import Served, serving

PATHS = ["/", "/games", "/static/page.css", "/data/games", "/nothing", "/data/game/x"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_policy(served: Served, path: str) -> None:
    headers = served.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers


def test_the_policy_allows_nothing_from_elsewhere_and_nothing_inline() -> None:
    assert POLICY.startswith("default-src 'none'")
    for forbidden in ("unsafe", "http", "*"):
        assert forbidden not in POLICY


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.evil.example:{port}", "localhost:1", ""]
)
@pytest.mark.parametrize("path", ["/games", "/data/games"])
def test_another_host_name_gets_nothing(served: Served, host: str, path: str) -> None:
    sent = served.get(path, {"Host": host.format(port=served.address.port)})
    assert sent.status in {400, 421}
    assert b"counted" not in sent.body


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}"])
def test_the_loopback_names_are_known(served: Served, host: str) -> None:
    assert served.get("/games", {"Host": host.format(port=served.address.port)}).status == 200


def test_a_second_host_name_gets_nothing(served: Served) -> None:
    connection = served.connect()
    connection.putrequest("GET", "/games")
    connection.putheader("Host", "evil.example")
    connection.endheaders()
    assert connection.getresponse().status == 400


def test_the_head_of_a_request_is_not_read_without_end(served: Served) -> None:
    connection = served.connect()
    connection.connect()
    with contextlib.suppress(ConnectionError):  # it may be closed while we write
        connection.sock.sendall(b"GET /games HTTP/1.1\r\n" + b"X: x\r\n" * 1_000_000)
    with contextlib.suppress(ConnectionError):
        assert connection.sock.recv(100).startswith(b"HTTP/1.1 4")


def test_an_offer_of_a_websocket_is_a_request_like_any_other(served: Served) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "eA==",
    }
    assert served.get("/games", upgrade).status == 200
    assert served.get("/games", upgrade | {"Host": "evil.example"}).status == 421


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(served: Served, method: str) -> None:
    assert served.get("/games", method=method).status == 405


def test_other_addresses_need_the_token(shelf: Path) -> None:
    with serving(Library(folder=shelf), host="0.0.0.0") as served:
        token = served.address.token
        assert len(token) >= 20
        for path in PATHS:
            assert served.get(path).status == 403
        assert served.get("/games?token=wrong").status == 403
        assert served.get("/games", {"Cookie": f"arbiter-token-{served.address.port}=wrong"}).status == 403
        entered = served.get(f"/games?agent=a&token={token}")
        assert (entered.status, entered.headers["location"]) == (303, "/games?agent=a")
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert served.get("/games", {"Cookie": cookie.split(";")[0]}).status == 200
        assert token in served.url()


@pytest.mark.parametrize("slashes", ["//", "///", "////"])
def test_the_way_in_never_leads_to_another_site(shelf: Path, slashes: str) -> None:
    with serving(Library(folder=shelf), host="0.0.0.0") as served:
        sent = served.get(f"{slashes}evil.example/?token={served.address.token}")
        assert not sent.headers.get("location", "").startswith("//")


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False), ("10.0.0.1", False)]
)  # fmt: skip
def test_only_loopback_addresses_go_without_a_token(host: str, local: bool) -> None:
    assert is_loopback(host) is local


def test_a_port_in_use_is_one_line() -> None:
    taken = listen("127.0.0.1", 0)
    try:
        with pytest.raises(
            UserError, match=f"cannot listen on 127.0.0.1 port {taken.port}: Address already in use; choose another"
        ):
            listen("127.0.0.1", taken.port)
    finally:
        taken.listening.close()


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1"])
def test_an_address_of_another_machine_is_one_line_about_the_host(host: str) -> None:
    with pytest.raises(UserError, match=rf"cannot listen on {host}: .+; choose another with --host$"):
        listen(host, 8123)


def test_no_page_has_inline_script_or_style_or_anything_from_elsewhere() -> None:
    from arbiter.web.drawings import STATIC

    for page in STATIC.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<style" not in text
        assert " style=" not in text
        assert "http:" not in text
        assert "https:" not in text
        assert all("src=" in part[: part.index(">")] for part in text.split("<script")[1:])


def test_no_script_makes_markup_from_text() -> None:
    from arbiter.web.drawings import STATIC

    for script in (*STATIC.glob("*.js"), *STATIC.glob("*.mjs")):
        text = script.read_text(encoding="utf-8")
        for dangerous in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "DOMParser",
        ):
            assert dangerous not in text, f"{script.name} uses {dangerous}"
