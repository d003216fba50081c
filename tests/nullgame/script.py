"""Answers without processes: a scripted asker for the referee."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.table import Request
from arbiter.game import Chance, Fault, Protocol
from arbiter.playing.referee import OnAnswer, play_out
from arbiter.records.format import Header, SeatInfo
from arbiter.records.reader import Record, load_record
from arbiter.records.writer import RecordWriter
from arbiter.testing import defaults

Said = str | Fault | Answer


class Script:
    """Gives every seat its lines in order and remembers what it was asked."""

    def __init__(self, lines: Mapping[int, Sequence[Said]], afterwards: Mapping[int, list[str]] | None = None) -> None:
        self._lines = {seat: iter(said) for seat, said in lines.items()}
        self._afterwards = afterwards or {}
        self.asked: list[list[tuple[int, str, str]]] = []
        """For every turn: seat, briefing and prompt of each request."""
        self.final_messages: dict[int, str] = {}

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the next line of every seat asked."""
        self.asked.append([(request.seat, request.briefing(request.seat), request.prompt) for request in requests])
        return [self._answer(request.seat) for request in requests]

    def ask_one(self, seat: int, prompt: str, briefing: Callable[[int], str]) -> Answer:
        """Return the next line of one seat."""
        return self.ask([Request(seat, prompt, briefing)])[0]

    def _answer(self, seat: int) -> Answer:
        said = next(self._lines[seat])
        if isinstance(said, Answer):
            said.seat = seat
            return said
        if isinstance(said, Fault):
            return Answer(seat, fault=said)
        return Answer(seat, said, len(said.encode()))

    def overhear(self, seat: int) -> str:
        """Return nothing: a script has only its lines."""
        return ""

    def finish(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """Remember the final messages, then give the scripted kibitz."""
        self.final_messages = {seat: text(seat) for seat in self._lines}
        yield from self._afterwards.items()

    def clocks(self) -> dict[int, int]:
        """Return nothing: there is no time limit for the game."""
        return {}

    def peaks(self) -> dict[int, int]:
        """Return nothing: there are no processes."""
        return {}


def header_of(
    protocol: Protocol,
    seats: int,
    *,
    seed: int = 1,
    options: Mapping[str, object] | None = None,
    started: str = "2026-11-16T09:15:00.000Z",
) -> Header:
    """The header of a game that is about to be played from a script."""
    chosen = defaults(protocol, options)
    return Header(
        arbiter="test",
        protocol=protocol.name,
        version=protocol.version,
        options=chosen,
        seed=seed,
        setup=protocol.setup(seats, chosen, Chance(seed, "setup")),
        seats=[SeatInfo(name=f"bot {seat}", agent="bot", command=["bot"], lifetime="move") for seat in range(seats)],
        started=started,
    )


def perform(path: Path, protocol: Protocol, header: Header, script: Script, watch: OnAnswer | None = None) -> Record:
    """Play the scripted game through the referee into ``path`` and read the record back."""
    chance = Chance(header.seed)
    game = protocol.start(len(header.seats), header.options, header.setup, chance)
    with RecordWriter(path, header) as writer:
        play_out(game, chance, script, writer, watch)
    return load_record(path)
