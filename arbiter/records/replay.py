"""Replay a saved game through the rules, from its moves and its recorded random outcomes. No agent is run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec

from arbiter.config.limits import NONE
from arbiter.errors import UserError
from arbiter.game import BadOutcome, BadSetup, Chance, Display, Game, IllegalMove, Protocol, quoted
from arbiter.records.format import AnswerLine, Header
from arbiter.records.reader import Record
from arbiter.registry import check_seats, choose_options, raised_in_protocol
from arbiter.units import duration_ns

NOT_A_MOVE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, StopIteration, IllegalMove)
"""What rules may raise for a move that is not canonical, or for random outcomes of another game."""


class Replay:
    """The game of a record, turn by turn.

    Iterating yields each turn's number and answers *before* they are applied, so prompts and descriptions show the position
    in which the agents answered; the turn is applied when the next one is requested. A record that no game can have
    produced raises UserError at the turn where that shows.
    """

    def __init__(self, record: Record, protocol: Protocol) -> None:
        self.record, self.protocol = record, protocol
        self.chance = Chance(record.seed or 0, recorded=())
        with self._located_errors():
            check_header(record.header, protocol)
            self.game = open_game(record.header, protocol, self.chance)
        self._clocks = first_clocks(record.header)

    @cached_property
    def display(self) -> Display[Any]:
        """The game as people see it; its boards speak of seats."""
        return self.game.display()

    def __iter__(self) -> Iterator[tuple[int, list[AnswerLine]]]:
        for expected, (turn, lines) in enumerate(self.record.turns(), 1):
            with self._located_errors():
                self._check_turn(expected, turn, lines)
            if self._clocks:
                self.game.see_clocks(dict(self._clocks))
            yield turn, lines
            self._clocks.update({line.seat: line.left_us for line in lines if line.left_us is not None})
            self.apply(turn, lines)

    def _check_turn(self, expected: int, turn: int, lines: Sequence[AnswerLine]) -> None:
        """Raise UserError if these are not the answers of the next turn, because lines are missing or were moved."""
        if turn != expected:
            raise UserError(f"found turn {turn} where turn {expected} was expected: a line is missing or out of order")
        if self.game.result() is not None:
            raise UserError(f"turn {turn}: the game was already over")
        asked, answered = list(self.game.to_move()), [line.seat for line in lines]
        cut_off = self.record.result is None and lines[-1] is self.record.answers[-1]
        if answered != (asked[: len(answered)] if cut_off else asked):
            raise UserError(f"turn {turn}: seats {answered} answered, but seats {asked} were to move")

    def apply(self, turn: int, lines: Sequence[AnswerLine]) -> None:
        """Apply one turn. Turns must be applied in order."""
        with self._located_errors():
            try:
                self.chance.expect([outcome for line in lines for outcome in line.chance])
                self.game.play({line.seat: line.move for line in lines})
            except BadOutcome as error:
                raise UserError(f"turn {turn} cannot be replayed: {error}") from error
            except NOT_A_MOVE as error:
                raise _cannot_apply(error, *lines) from error

    def describe(self, line: AnswerLine) -> str:
        """Describe a move in the position before it. Raises UserError: nobody has checked that it is one."""
        with self._located_errors():
            try:
                return self.display.describe(line.seat, line.move)
            except NOT_A_MOVE as error:
                raise _cannot_apply(error, line) from error

    @contextlib.contextmanager
    def _located_errors(self) -> Iterator[None]:
        """Add the record to every UserError that is raised inside the block."""
        try:
            yield
        except UserError as error:
            raise error.in_file(self.record.path) from error.__cause__


def _cannot_apply(error: BaseException, *lines: AnswerLine) -> UserError:
    """Return the error for moves that were edited, or for which the rules fail: a third-party protocol may have a bug."""
    moves = " and ".join(quoted(line.move) for line in lines)
    _, where = raised_in_protocol(error)
    more = f" ({where})" if where else ""
    return UserError(f"turn {lines[0].turn} cannot be replayed: the rules cannot apply {moves}{more}")


def first_clocks(header: Header) -> dict[int, int]:
    """Return the time limit for the game in microseconds, for each seat with such a limit."""
    totals = {seat: info.limits.get("total", NONE) for seat, info in enumerate(header.seats)}
    return {seat: duration_ns(text) // 1000 for seat, text in totals.items() if text != NONE}


def without_half_turn(record: Record, protocol: Protocol) -> Record:
    """Return the record without its last turn, if it was cut off between the answers of simultaneous moves."""
    if record.result is not None or not record.answers:
        return record
    last, replay = record.answers[-1].turn, Replay(record, protocol)
    for turn, lines in replay:
        if turn == last and len(lines) < len(replay.game.to_move()):
            return msgspec.structs.replace(record, answers=record.answers[: -len(lines)])
    return record


def check_header(header: Header, protocol: Protocol) -> None:
    """Raise UserError if no game of this protocol can have this header."""
    if header.version != protocol.version:
        raise UserError(
            f"played with version {header.version} of {protocol.name}; the installed version is {protocol.version}"
        )
    check_seats(protocol, len(header.seats))
    options: dict[str, object] = dict(header.options)
    if options != choose_options(protocol, [("the header", options)]):
        raise UserError("the header does not have a valid value for every option")


def open_game(header: Header, protocol: Protocol, chance: Chance) -> Game:
    """Return the game of a header at its start. Raises UserError."""
    try:
        game = protocol.start(len(header.seats), header.options, header.setup, chance)
    except BadSetup as error:
        raise UserError(f"invalid setup: {error}") from None
    game.see_names([seat.name for seat in header.seats])
    return game


def input_text(game: Game, record: Record, line: AnswerLine) -> str:
    """Return exactly what was sent to the seat of this answer, given the game in the position before it."""
    lifetime = record.header.seats[line.seat].lifetime
    prompt = game.prompt(line.seat)
    return game.briefing(line.seat) + prompt if lifetime == "move" or line.started else prompt
