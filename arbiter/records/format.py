"""The format of a saved game: JSON Lines with a header, a line per answer and a result. README.md describes every field.

Lines are appended while the game is played, so the record of a game that was cut off has no result line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from arbiter.game import Json

FORMAT = 1
"""Incremented when an old reader could misread a new record."""


class SeatInfo(msgspec.Struct, omit_defaults=True, kw_only=True):
    """The agent on one seat."""

    name: str
    """Its name in results."""
    agent: str
    """What the user typed."""
    command: list[str]
    """How it was started."""
    lifetime: str
    """How long its process lived: move or game."""
    language: str = ""
    """For lists of agents."""
    limits: dict[str, str] = {}
    """Its limits, by name."""
    fingerprint: str = ""
    """A hash of its program, which identifies the version."""


class HostInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The machine of a cluster that a game was played on."""

    name: str
    cpu: str
    """The model, as the kernel reports it."""
    cores: int
    speed: float
    """Measured: millions of additions per second in a Python loop. It compares hosts, not programs."""
    worker: str
    """The name of the Dask worker."""


class Header(msgspec.Struct, tag_field="type", tag="header", kw_only=True):
    """The first line: everything that was fixed before the first move."""

    format: int = FORMAT
    """Incremented when an old reader could misread a new record."""
    arbiter: str
    """The version of the arbiter."""
    protocol: str
    """The name of the protocol."""
    version: int
    """The version of its rules and wire format."""
    options: dict[str, bool | int | float | str]
    """The value of every option of the protocol."""
    seed: int
    """The seed of all random outcomes; in a contest with a secret, the number of the deal."""
    commitment: str = ""
    """The SHA-256 of the contest's secret, from which the seed of this deal follows; empty if there is none."""
    setup: Json
    """Everything that was decided before the first turn: decks, map …"""
    setup_given: bool = False
    """Whether the setup came from a file instead of the seed."""
    seats: list[SeatInfo]
    """The agents, by seat."""
    clock: str = "fair"
    """The time that counts against limits: fair, wall or cpu."""
    ponder: bool = True
    """Whether agents may think while it is not their turn."""
    sandbox: str = "none"
    """The sandbox level of the agents."""
    enforced: dict[str, str] = {}
    """How this machine enforced each guarantee, by its name."""
    started: str
    """UTC."""
    game: int = 1
    """Its number in the series."""
    contest: str = ""
    """The contest it belongs to; empty for a game outside any contest."""
    stage: str = ""
    """The stage of the contest: ``round 3``, ``final``; empty if there is only one stage."""
    host: HostInfo | msgspec.UnsetType = msgspec.UNSET
    """The machine it was played on, if that was one of a cluster. Not part of the digest."""
    pruned: list[str] | msgspec.UnsetType = msgspec.UNSET
    """Parts that were dropped from the record later: kibitz, times, logs. Not part of the digest."""


class FaultInfo(msgspec.Struct, omit_defaults=True, kw_only=True):
    """A fault of an agent, with the evidence."""

    kind: str
    """late, crashed, silent, closed, garbled, illegal, flooded, memory, processes, not started, spent, absent or imported."""
    detail: str
    """What was wrong, in words."""
    said: str = ""
    """What the agent answered; the first 4096 characters of it."""
    said_bytes: int = 0
    """The full size of the answer; 0 unless ``said`` was cut."""
    stderr: str = ""
    """The last 4096 bytes that it wrote to standard error."""
    exit_code: int | None = None
    """The exit status of its process; negative for a signal, null if it had not ended."""
    memory: int = 0
    """Peak memory of the process in bytes; 0 if it has not ended or the value is not known."""


class AnswerLine(msgspec.Struct, tag_field="type", tag="answer", omit_defaults=True, kw_only=True):
    """One answer of one seat, and the ruling on it."""

    turn: int
    """From 1; seats that are asked at the same time share a turn."""
    seat: int
    """From 0."""
    move: str
    """The move as applied, in canonical text; after a fault, the fallback."""
    fault: FaultInfo | None = None
    """The agent's fault; absent if there was none."""
    message: str = ""
    """Text for spectators that the agent appended to its move."""
    wall_us: int
    """Wall time."""
    cpu_us: int
    """CPU time."""
    charged_us: int
    """The time that counts against limits."""
    waited_us: int = 0
    """Run-queue wait: time the process was runnable but had no core."""
    left_us: int | None = None
    """Time left for the game, if that is limited."""
    kibitz: list[str] = []
    """Lines on standard error that start with ``kibitz ``, without that word."""
    chance: list[int] = []
    """Random outcomes drawn in this turn; if several seats moved, on the line of the last one."""
    started: bool = False
    """Whether the process of a long-lived agent was started for this answer."""
    notes: list[str] = []
    """Irregularities, and after a fault what was seen of the cause."""


class ResultLine(msgspec.Struct, tag_field="type", tag="result", kw_only=True):
    """The last line: the result of the game."""

    ranks: list[int]
    """By seat; 1 is best, tied seats share a rank, and a game that nobody won has no rank 1."""
    scores: list[float]
    """By seat, in the points of the game."""
    reason: str
    """Why the game ended."""
    data: dict[str, Json] = {}
    """Further results that the protocol reports."""
    turns: int
    """The number of turns."""
    afterwards: dict[int, list[str]] = {}
    """Kibitz that arrived after the last answer, by seat."""
    memory: dict[int, int] = {}
    """Peak memory in bytes by seat, where known: of a single process, or with cgroups of the whole agent."""
    deal_seed: int | None = None
    """The seed of all random outcomes, if the header has only the number of the deal."""
    ended: str
    """UTC."""
    digest: str
    """A hash over what happened, without times: equal games have equal digests."""


class AnnulledLine(msgspec.Struct, tag_field="type", tag="annulled", kw_only=True):
    """A line after the result: the organiser has annulled the game."""

    because: str
    """The reason that the organiser gave."""
    when: str
    """UTC."""


Line = Header | AnswerLine | ResultLine | AnnulledLine


class GameDigest:
    """A hash over what happened in a game, without times: equal games have equal digests, and tampering shows.

    It covers the protocol, options, seed, setup and agent names; every applied move with its kind of fault and the random
    outcomes drawn; the ranks and scores.
    """

    def __init__(self, header: Header) -> None:
        names = [seat.name for seat in header.seats]
        start: list[object] = [
            *(header.format, header.protocol, header.version, header.options, header.seed, header.setup, names)
        ]
        if header.commitment:
            start.append(header.commitment)
        self._encode_lines = msgspec.json.Encoder().encode_lines
        self._hash = hashlib.sha256(msgspec.json.encode(start, order="sorted"))
        self._moves = hashlib.sha256(msgspec.json.encode([header.setup, names], order="sorted"))

    def add(self, lines: Iterable[AnswerLine]) -> None:
        """Add answers in the order of the record; adding many at once is cheaper."""
        hashed = [
            (line.turn, line.seat, line.move, line.fault.kind if line.fault else "", line.chance) for line in lines
        ]
        encoded = self._encode_lines(hashed).replace(b"\n", b"")  # in JSON, line feeds occur only between the lines
        self._hash.update(encoded)
        self._moves.update(encoded)

    def close(self, ranks: list[int], scores: list[float], deal_seed: int | None = None) -> str:
        """Return the digest of the finished game."""
        end: list[object] = [ranks, [float(score) for score in scores]]
        if deal_seed is not None:
            end.append(deal_seed)
        final = self._hash.copy()
        final.update(msgspec.json.encode(end))
        return f"sha256:{final.hexdigest()}"

    def moves_hash(self) -> str:
        """Return a hash that is equal for games of the same agents with the same setup and moves, even with different seeds."""
        return self._moves.hexdigest()


def decode_line(line: bytes) -> Line:
    """Decode one line of a record. Raises msgspec.ValidationError or DecodeError."""
    return _DECODER.decode(line)


_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
