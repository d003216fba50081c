"""The saved game: JSON Lines. A header, a line for every answer, a result. README.md beside this file is its page.

Lines are appended as the game goes, so a game that was cut off is a record without its last line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from arbiter.game import Json

FORMAT = 1
"""Goes up when an old reader could misread a new record."""


class SeatInfo(msgspec.Struct, omit_defaults=True, kw_only=True):
    """Who sat where."""

    name: str
    agent: str
    """As the user gave it."""
    command: list[str]
    lifetime: str
    language: str = ""
    limits: dict[str, str] = {}
    fingerprint: str = ""
    """Of its program: another version has another one."""


class Header(msgspec.Struct, tag_field="type", tag="header", kw_only=True):
    """The first line: everything that was settled before the first move."""

    format: int = FORMAT
    arbiter: str
    protocol: str
    version: int
    options: dict[str, bool | int | float | str]
    seed: int
    setup: Json
    setup_given: bool = False
    """The setup came from a file and is not that of the seed."""
    seats: list[SeatInfo]
    clock: str = "fair"
    """Which time decides: fair, wall or cpu."""
    ponder: bool = True
    """Whether agents may think while it is not their turn."""
    sandbox: str = "none"
    """The level that agents were contained at."""
    enforced: dict[str, str] = {}
    """What the machine really enforced, by name of the guarantee."""
    started: str
    """UTC."""
    game: int = 1
    """Its number in the series it was played in."""
    contest: str = ""
    """The contest it belongs to; empty for a game that was played by itself."""
    stage: str = ""
    """Where in the contest: ``round 3``, ``final``; empty where there is only one stage."""


class FaultInfo(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What an agent did wrong, with the evidence."""

    kind: str
    detail: str
    said: str = ""
    said_bytes: int = 0
    """Only where ``said`` was cut."""
    stderr: str = ""
    exit_code: int | None = None
    memory: int = 0
    """Most that the process had in use, in bytes, if it has ended and that is known."""


class AnswerLine(msgspec.Struct, tag_field="type", tag="answer", omit_defaults=True, kw_only=True):
    """One answer of one seat and what came of it."""

    turn: int
    """From 1; seats asked at the same time share it."""
    seat: int
    move: str
    """Canonical text, as applied: for a fault, the fallback."""
    fault: FaultInfo | None = None
    message: str = ""
    wall_us: int
    cpu_us: int
    charged_us: int
    waited_us: int = 0
    """Time it was ready to run but had no core."""
    left_us: int | None = None
    """What is left of its time for the game, if that is limited."""
    kibitz: list[str] = []
    chance: list[int] = []
    """Outcomes drawn in this turn; with several seats, on the last one's line."""
    started: bool = False
    """A long-lived agent's process was started for this answer."""
    notes: list[str] = []


class ResultLine(msgspec.Struct, tag_field="type", tag="result", kw_only=True):
    """The last line."""

    ranks: list[int]
    scores: list[float]
    reason: str
    data: dict[str, Json] = {}
    turns: int
    afterwards: dict[int, list[str]] = {}
    """Kibitz by seat that came after the last answer."""
    memory: dict[int, int] = {}
    """Most memory in use, in bytes by seat, where it is known: of one process, or of all of the agent's with cgroups."""
    ended: str
    digest: str


class AnnulledLine(msgspec.Struct, tag_field="type", tag="annulled", kw_only=True):
    """After the last line, if the organiser has annulled the game."""

    because: str
    when: str
    """UTC."""


Line = Header | AnswerLine | ResultLine | AnnulledLine


class Digest:
    """A hash over what happened, and nothing of when: equal games are equal, and tampering shows.

    It covers protocol, options, seed, setup and the names at the table; every applied move with the kind of
    fault that led to it and the chance drawn; ranks and scores.
    """

    def __init__(self, header: Header) -> None:
        names = [seat.name for seat in header.seats]
        start = [header.format, header.protocol, header.version, header.options, header.seed, header.setup, names]
        self._encode = msgspec.json.Encoder().encode
        self._hash = hashlib.sha256(msgspec.json.encode(start, order="sorted"))

    def add(self, lines: Iterable[AnswerLine]) -> None:
        """More answers, in the order of the record; many at once are cheaper."""
        encode = self._encode
        words = [
            encode((line.turn, line.seat, line.move, line.fault.kind if line.fault else "", line.chance))
            for line in lines
        ]
        self._hash.update(b"".join(words))

    def close(self, ranks: list[int], scores: list[float]) -> str:
        """The digest of the finished game."""
        final = self._hash.copy()
        final.update(msgspec.json.encode([ranks, [float(score) for score in scores]]))
        return f"sha256:{final.hexdigest()}"


def decode(line: bytes) -> Line:
    """One line of a record. Raises msgspec.ValidationError or DecodeError."""
    return _DECODER.decode(line)


_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def as_json(line: Line) -> dict[str, Any]:
    """A line as plain data."""
    plain: dict[str, Any] = msgspec.to_builtins(line)
    return plain
