"""The turn loop: ask, rule, apply, record. It knows no game and touches no file descriptor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol as Interface

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.table import Request
from arbiter.game import Chance, Fault, Game, IllegalMove, Result
from arbiter.records.format import AnswerLine, FaultInfo, ResultLine
from arbiter.records.writer import RecordWriter, now

SAID_CHARACTERS = 4096
"""Longest text of a faulty answer that the record keeps."""


class Asker(Interface):
    """Whoever can ask seats for answers: a table of processes, a person, a script in a test."""

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """One answer for each request, whatever happens."""

    def ask_one(self, seat: int, prompt: str, briefing: Callable[[int], str]) -> Answer:
        """The same for one seat alone."""

    def farewell(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """Tell everybody that the game is over; kibitz that still comes, by seat."""

    def clocks(self) -> dict[int, int]:
        """Time left for the game, in nanoseconds by seat, of those that have a limit on that."""

    def peaks(self) -> dict[int, int]:
        """Most memory in use, in bytes by seat, where it is known. Nobody is asked after this."""


Watcher = Callable[[Game, AnswerLine], None]
"""Told of every answer just before its turn is applied."""


def play_out(
    game: Game, chance: Chance, asker: Asker, writer: RecordWriter, watch: Watcher | None = None
) -> tuple[Result, ResultLine]:
    """Play a game to its end and write it down. Nothing that agents do raises through here."""
    turn = 0
    timed = bool(asker.clocks())
    prompt, briefing, write = game.prompt, game.briefing, writer.answer
    ask, ask_one = asker.ask, asker.ask_one
    while (result := game.result()) is None:
        turn += 1
        if timed:
            game.see_clocks({seat: left_ns // 1000 for seat, left_ns in asker.clocks().items()})
        seats = game.to_move()
        if len(seats) == 1:  # the usual case, without the lists
            seat = seats[0]
            line = rule(game, ask_one(seat, prompt(seat), briefing), turn)
            if watch:
                watch(game, line)
            game.play({seat: line.move})
            line.chance = chance.take()
            write(line)
            continue
        lines = [rule(game, answer, turn) for answer in ask([Request(seat, prompt(seat), briefing) for seat in seats])]
        if watch:
            for line in lines:
                watch(game, line)
        game.play({line.seat: line.move for line in lines})
        lines[-1].chance = chance.take()
        for line in lines:
            write(line)
    afterwards: Mapping[int, list[str]] = dict(asker.farewell(game.farewell))
    end = ResultLine(
        ranks=list(result.ranks),
        scores=[float(score) for score in result.scores],
        reason=result.reason,
        data=dict(result.data),
        turns=turn,
        afterwards=dict(afterwards),
        memory=asker.peaks(),
        ended=now(),
        digest="",
    )
    writer.finish(end)
    return result, end


def rule(game: Game, answer: Answer, turn: int) -> AnswerLine:
    """What becomes of an answer: the move as given, or the fault and the move the protocol prescribes."""
    fault, message = answer.fault, ""
    if fault is None:
        try:
            read = game.read(answer.seat, answer.text)
            move, message = read.text, read.message
        except IllegalMove as refused:
            fault = Fault(refused.kind, refused.reason, refused.salvage)
    if fault is not None:
        move = game.fallback(answer.seat, fault)
    line = AnswerLine(
        turn=turn,
        seat=answer.seat,
        move=move,
        message=message,
        wall_us=answer.wall_ns // 1000,
        cpu_us=answer.cpu_ns // 1000,
        charged_us=answer.charged_ns // 1000,
        kibitz=answer.kibitz,
    )
    if (
        fault is not None or answer.notes or answer.started or answer.waited_ns or answer.left_ns is not None
    ):  # seldom, and setting is not free
        line.fault = _evidence(fault, answer) if fault else None
        line.left_us = None if answer.left_ns is None else answer.left_ns // 1000
        line.waited_us, line.started, line.notes = answer.waited_ns // 1000, answer.started, answer.notes
    return line


def _evidence(fault: Fault, answer: Answer) -> FaultInfo:
    # Where a part of the answer counts, the whole of it is kept, so that the ruling can be checked.
    cut = len(answer.text) > SAID_CHARACTERS and not fault.salvage
    return FaultInfo(
        kind=str(fault.kind),
        detail=fault.detail,
        said=answer.text[:SAID_CHARACTERS] if cut else answer.text,
        said_bytes=answer.said_bytes if cut else 0,
        stderr=answer.stderr,
        exit_code=answer.exit_code,
        memory=answer.peak_bytes,
    )
