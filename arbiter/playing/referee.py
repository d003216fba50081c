"""The turn loop: ask, rule, apply, record. It contains no rules of any game and touches no file descriptor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol as Interface

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.table import Request
from arbiter.game import Chance, Fault, Game, IllegalMove, Result
from arbiter.playing.mistakes import typical_mistakes
from arbiter.records.allowance import Allowance
from arbiter.records.format import AnswerLine, FaultInfo, ResultLine
from arbiter.records.writer import RecordWriter, now

SAID_CHARACTERS = 4096
"""How much of a faulty answer the record keeps."""


class Asker(Interface):
    """The interface for getting answers from seats: a table of processes, or a script in a test."""

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Return one answer per request. Nothing an agent does raises."""

    def ask_one(self, seat: int, prompt: str, briefing: Callable[[int], str]) -> Answer:
        """Return the answer of a single seat, as :meth:`ask` would."""

    def overhear(self, seat: int) -> str:
        """Return what a seat prints after an answer that the rules refused, which may reveal the cause; usually nothing."""

    def finish(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """Send each seat its final message; yield the kibitz that arrived after the last answer, by seat."""

    def clocks(self) -> dict[int, int]:
        """Return the time left for the game in nanoseconds, for each seat with such a limit."""

    def peaks(self) -> dict[int, int]:
        """Return the peak memory in bytes, for each seat where it is known. No seat may be asked afterwards."""


OnAnswer = Callable[[Game, AnswerLine], None]
"""Called with every answer, just before its turn is applied."""


def play_out(
    game: Game,
    chance: Chance,
    asker: Asker,
    writer: RecordWriter,
    watch: OnAnswer | None = None,
    *,
    allowance: Allowance | None = None,
    reveal: int | None = None,
) -> tuple[Result, ResultLine]:
    """Play a game to its end and write its record. Nothing an agent does raises.

    ``allowance`` limits what the record keeps besides moves, and ``reveal`` is the seed if it was secret until now.
    """
    turn = 0
    timed = bool(asker.clocks())
    prompt, briefing, write = game.prompt, game.briefing, writer.answer
    ask, ask_one, overhear = asker.ask, asker.ask_one, asker.overhear
    while (result := game.result()) is None:
        turn += 1
        if timed:
            game.see_clocks({seat: left_ns // 1000 for seat, left_ns in asker.clocks().items()})
        seats = game.to_move()
        if len(seats) == 1:  # the common case, without building lists
            seat = seats[0]
            line = rule(game, ask_one(seat, prompt(seat), briefing), turn, overhear, allowance)
            if watch:
                watch(game, line)
            game.play({seat: line.move})
            line.chance = chance.take()
            write(line)
            continue
        answers = ask([Request(seat, prompt(seat), briefing) for seat in seats])
        lines = [rule(game, answer, turn, overhear, allowance) for answer in answers]
        if watch:
            for line in lines:
                watch(game, line)
        game.play({line.seat: line.move for line in lines})
        lines[-1].chance = chance.take()
        for line in lines:
            write(line)
    afterwards = dict(asker.finish(game.final_message))
    if allowance:
        afterwards = {seat: allowance.afterwards(seat, kibitz) for seat, kibitz in afterwards.items()}
    end = ResultLine(
        ranks=list(result.ranks),
        scores=[float(score) for score in result.scores],
        reason=result.reason,
        data=dict(result.data),
        turns=turn,
        afterwards=afterwards,
        memory=asker.peaks(),
        deal_seed=reveal,
        ended=now(),
        digest="",
    )
    writer.finish(end)
    return result, end


def rule(
    game: Game, answer: Answer, turn: int, overhear: Callable[[int], str], allowance: Allowance | None = None
) -> AnswerLine:
    """Return the ruling on an answer: its move, or the fault and the protocol's fallback move.

    ``overhear`` is called with the seat if the rules refuse the answer; see :meth:`Asker.overhear`.
    """
    fault, message = answer.fault, ""
    if fault is None:
        try:
            read = game.read(answer.seat, answer.text)
            move, message = read.text, read.message
        except IllegalMove as refused:
            fault = Fault(refused.kind, refused.reason, refused.salvage)
            surplus = answer.surplus + overhear(answer.seat)
            answer.notes = [*answer.notes, *typical_mistakes(game, answer.seat, answer.text, surplus)]
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
    # These fields are rarely needed, and assigning them takes time on every turn.
    if fault is not None or answer.notes or answer.started or answer.waited_ns or answer.left_ns is not None:
        line.fault = _evidence(fault, answer) if fault else None
        line.left_us = None if answer.left_ns is None else answer.left_ns // 1000
        line.waited_us, line.started, line.notes = answer.waited_ns // 1000, answer.started, answer.notes
    if allowance:
        allowance.charge(line, keep_said=fault is not None and bool(fault.salvage))
    return line


def _evidence(fault: Fault, answer: Answer) -> FaultInfo:
    # Where part of the answer still counts, all of it is kept, so that the ruling can be verified.
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
