"""Stand-ins for the contest's clients: raw sockets that send exactly the requests of each family, quirks included."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

FORM = "application/x-www-form-urlencoded"
Where = Literal["form", "query", "json"]


class Wire:
    """One connection for raw bytes."""

    def __init__(self, port: int, timeout: float = 60) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self._rest = b""

    @classmethod
    def over(cls, connected: socket.socket) -> Wire:
        """Wrap a socket that is already connected."""
        made = cls.__new__(cls)
        made.socket, made._rest = connected, b""
        return made

    def send(self, data: bytes) -> None:
        """Write bytes."""
        self.socket.sendall(data)

    def close(self) -> None:
        """Close the connection."""
        self.socket.close()

    def _more(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError(f"closed after {self._rest[:200]!r}")
        self._rest += data

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._rest:
            self._more()
        found, _, self._rest = self._rest.partition(mark)
        return found

    def head(self) -> tuple[int, dict[str, str]]:
        """Read the head of a response."""
        lines = self._until(b"\r\n\r\n").decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        return int(lines[0].split()[1]), headers

    def response(self) -> tuple[int, dict[str, str], bytes]:
        """Read one response."""
        status, headers = self.head()
        if "content-length" in headers:
            size = int(headers["content-length"])
            while len(self._rest) < size:
                self._more()
            body, self._rest = self._rest[:size], self._rest[size:]
            return status, headers, body
        body = b""
        while headers.get("transfer-encoding") == "chunked":
            size = int(self._until(b"\r\n"), 16)
            while len(self._rest) < size + 2:
                self._more()
            body, self._rest = body + self._rest[:size], self._rest[size + 2 :]
            if size == 0:
                break
        return status, headers, body


@dataclass(frozen=True)
class Family:
    """The requests that one family of clients sends."""

    name: str
    join_in: Where = "form"
    turns: bool = False
    map: str | None = None
    also_in_arena: bool = False
    """Whether turns and map are sent in the arena, too."""
    id_in_query: bool = True
    play_in: Where = "form"
    play: Sequence[str] = ("dir",)
    headers: Sequence[tuple[str, str]] = ()
    content_type: str = FORM
    expect: Sequence[str] = ()
    """Where the client sends Expect: 100-continue: join, play."""
    connections: Literal["keep", "split", "left open", "closed"] = "keep"
    lower: bool = False
    """Whether its header names are lower-case."""
    newline_in_key: bool = False
    first_url: bool = False
    """Whether it keeps using the playUrl of the first state."""
    own_host: bool = False
    """Whether it takes only the path of playUrl."""
    bare_join: bool = False
    """A join without body and length."""


_REQUESTS = (("User-Agent", "python-requests/2.9.1"), ("Accept-Encoding", "gzip, deflate"), ("Accept", "*/*"),
             ("Connection", "keep-alive"))  # fmt: skip
_NODE = (("accept", "application/json"), ("user-agent", "node"), ("connection", "close"))

FAMILIES = {
    family.name: family
    for family in (
        Family("1", headers=_REQUESTS),
        Family("2", play=("key", "dir"), headers=_NODE, lower=True),
        Family("3", join_in="query", turns=True, play=("key", "dir"), expect=("play",), connections="split", bare_join=True),
        Family("4", play=("dir", "key"), content_type=f"{FORM}; charset=UTF-8",
               headers=(("Accept-Encoding", "gzip"), ("User-Agent", "Google-HTTP-Java-Client/1.19.0 (gzip)"))),
        Family("11", turns=True, map="m1", headers=_REQUESTS),
        Family("12", turns=True, map="m2", headers=_REQUESTS, first_url=True),
        Family("13", turns=True, map="m1", play=("key", "dir"), headers=_NODE, lower=True, id_in_query=False),
        Family("16", turns=True, expect=("join", "play"), play=("key", "dir")),
        Family("17", play=("key", "dir"), headers=(("Date", "Sat, 16 Jan 2016 12:00:00 GMT"),), first_url=True),
        Family("18", turns=True, also_in_arena=True, play=("dir", "key"),
               headers=(("TE", "deflate,gzip;q=0.3"), ("Connection", "Keep-Alive, TE"), ("User-Agent", "libwww-perl"))),
        Family("19", turns=True, connections="left open", headers=(("User-Agent", "Go-http-client/1.1"),)),
        Family("20", play=("dir", "key"), headers=(("User-Agent", "Go-http-client/1.1"), ("Accept-Encoding", "gzip"))),
        Family("21", turns=True, headers=(("Accept", "*/*"),), own_host=True, first_url=True),
        Family("22", turns=True, map="m1", connections="closed"),
        Family("rust", "json", turns=True, map="m1", play_in="json", play=("key", "dir"), content_type="Application/Json",
               headers=(("Accept", "Application/Json"),), newline_in_key=True),
        Family("haskell", "json", turns=True, play_in="json", play=("key", "dir"), content_type="application/json",
               connections="closed"),
        Family("kotlin", "query", play_in="query", play=("key", "dir"), headers=(("Accept", "application/json"),),
               first_url=True),
        Family("scala", turns=True, map=""),
        Family("erlang", turns=True, map="m1", also_in_arena=True, play=("key", "dir")),
        Family("lisp", turns=True, map="m1", also_in_arena=True, play=("key", "dir"), connections="closed"),
        Family("nim", turns=True, map="m1", play=("key", "dir")),
    )
}  # fmt: skip


class Client:
    """A client of one family."""

    def __init__(self, family: Family, port: int, key: str) -> None:
        self.family, self.port = family, port
        self.key = key + "\n" if family.newline_in_key else key
        self._kept: Wire | None = None
        self._left: list[Wire] = []
        self._plays = 0
        self._play_url = ""

    def close(self) -> None:
        """Close all connections."""
        for wire in [*self._left, *([self._kept] if self._kept else [])]:
            wire.close()

    def join(self, game: str | None = None, turns: int = 2, arena: bool = False) -> dict[str, Any]:
        """Join a training game, the official game with this id, or the queue, and return the state."""
        family = self.family
        params = {"key": self.key}
        official = arena or game is not None
        if not official or family.also_in_arena:
            params |= {"turns": str(turns)} if family.turns else {}
            params |= {"map": family.map} if family.map is not None else {}
        query: dict[str, str] = {}
        if game:
            (query if family.id_in_query else params)["gameId"] = game
        if family.join_in == "query":
            query, params = {**params, **query}, {}
        path = ("/api/arena" if official else "/api/training") + (f"?{urlencode(query)}" if query else "")
        state = self._post(path, params, family.join_in, "join")
        self._play_url = str(state["playUrl"])
        return state

    def play(self, direction: str) -> dict[str, Any]:
        """Send a move and return the next state."""
        family = self.family
        self._plays += 1
        values = {"key": self.key, "dir": direction}
        params = {name: values[name] for name in (family.play if self._plays % 2 else family.play[::-1])}
        address = urlsplit(self._play_url)
        assert address.scheme == "http"
        path = address.path
        if not family.own_host:
            assert address.netloc == f"127.0.0.1:{self.port}"
        if family.play_in == "query":
            path, params = f"{path}?{urlencode(params)}", {}
        state = self._post(path, params, family.play_in, "play")
        if not family.first_url:
            self._play_url = str(state["playUrl"])
        return state

    def play_out(self, state: dict[str, Any], choose: Callable[[dict[str, Any]], str]) -> dict[str, Any]:
        """Play until the game is over, checking each state as the strictest client would, and return the last state."""
        check_state(state)
        while not state["game"]["finished"]:
            state = self.play(choose(state))
            check_state(state)
        return state

    def _post(self, path: str, params: Mapping[str, str], where: Where, step: str) -> dict[str, Any]:
        status, headers, body = self.post(path, params, where, step)
        assert status == 200, body
        assert headers["content-type"].startswith("application/json")
        assert "content-encoding" not in headers
        found: dict[str, Any] = json.loads(body)
        return found

    def post(self, path: str, params: Mapping[str, str], where: Where, step: str) -> tuple[int, dict[str, str], bytes]:
        """Send a request as this family does, and read the response."""
        family = self.family
        wire = self._wire(step)
        body = b"" if where == "query" else (json.dumps(params) if where == "json" else urlencode(params)).encode()
        headers = [("Host", f"127.0.0.1:{self.port}"), *family.headers, ("Content-Type", family.content_type)]
        if not (family.bare_join and step == "join"):
            headers.append(("Content-Length", str(len(body))))
        if step in family.expect:
            headers.append(("Expect", "100-continue"))
        lines = [f"{name.lower() if family.lower else name}: {value}\r\n" for name, value in headers]
        wire.send(f"POST {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode())
        if step in family.expect:
            assert wire.head()[0] == 100
        if body:
            wire.send(body)
        response = wire.response()
        if family.connections == "closed" or response[1].get("connection") == "close":
            wire.close()
            self._kept = None
        return response

    def _wire(self, step: str) -> Wire:
        how = self.family.connections
        if how == "left open" and self._kept:
            self._left.append(self._kept)
            self._kept = None
        if how == "split" and step == "play" and self._plays == 1 and self._kept:
            self._left.append(self._kept)
            self._kept = None
        if self._kept is None:
            self._kept = Wire(self.port)
        return self._kept


def check_state(state: dict[str, Any]) -> None:
    """Check everything that any of the clients relies on."""
    game, hero = state["game"], state["hero"]
    size, tiles = game["board"]["size"], game["board"]["tiles"]
    assert len(tiles) == 2 * size * size
    assert [each["id"] for each in game["heroes"]] == [1, 2, 3, 4]
    assert game["heroes"][hero["id"] - 1] == hero
    for each in game["heroes"]:
        assert each["mineCount"] == sum(tiles[at : at + 2] == f"${each['id']}" for at in range(0, len(tiles), 2))
    assert game["finished"] == (game["turn"] == game["maxTurns"])
    assert not hero["crashed"]
    assert state["viewUrl"].startswith("http://127.0.0.1:")


@contextlib.contextmanager
def client(name: str, port: int, key: str) -> Any:
    """A client that is closed at the end of the block."""
    found = Client(FAMILIES[name], port, key)
    try:
        yield found
    finally:
        found.close()
