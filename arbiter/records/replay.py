"""A saved game played again through the rules, from its moves and its recorded chance; no agent is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Game, Protocol
from arbiter.limits import NONE
from arbiter.records.format import AnswerLine, Header
from arbiter.records.reader import Record
from arbiter.registry import check_seats, choose_options
from arbiter.units import duration_ns

NOT_A_MOVE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What rules may raise that are fed something else than a canonical move, or chance that is not theirs."""


class Replay:
    """The game of a record, turn by turn.

    Iterating yields each turn's number and answers *before* they are applied, so that prompts and descriptions
    are those of the moment; the game moves on when the next turn is asked for. A record that cannot have come
    about raises UserError where that shows.
    """

    def __init__(self, record: Record, protocol: Protocol) -> None:
        check_header(record.header, protocol)
        self.record = record
        self.chance = Chance(record.header.seed, recorded=())
        self.game = open_game(record.header, protocol, self.chance)
        self._clocks = first_clocks(record.header)

    def __iter__(self) -> Iterator[tuple[int, list[AnswerLine]]]:
        for turn, lines in self.record.turns():
            if self._clocks:
                self.game.see_clocks(dict(self._clocks))
            yield turn, lines
            self._clocks.update({line.seat: line.left_us for line in lines if line.left_us is not None})
            self.apply(turn, lines)

    def apply(self, turn: int, lines: Sequence[AnswerLine]) -> None:
        """Play one turn; they must come in order."""
        try:
            self.chance.expect([outcome for line in lines for outcome in line.chance])
            self.game.play({line.seat: line.move for line in lines})
        except NOT_A_MOVE as error:
            reason = str(error) or type(error).__name__
            raise UserError(f"turn {turn} cannot be played again: {reason}") from error


def first_clocks(header: Header) -> dict[int, int]:
    """By seat: microseconds for the game, where they are limited."""
    totals = {seat: info.limits.get("total", NONE) for seat, info in enumerate(header.seats)}
    return {seat: duration_ns(text) // 1000 for seat, text in totals.items() if text != NONE}


def without_half_turn(record: Record, protocol: Protocol) -> Record:
    """A record that was cut off between the answers of seats that move at once, without that last turn."""
    if record.result is not None or not record.answers:
        return record
    last, replay = record.answers[-1].turn, Replay(record, protocol)
    for turn, lines in replay:
        if turn == last and len(lines) < len(replay.game.to_move()):
            return replace(record, answers=record.answers[: -len(lines)])
    return record


def check_header(header: Header, protocol: Protocol) -> None:
    """Raise UserError if no game of these rules can have had this header."""
    if header.version != protocol.version:
        raise UserError(
            f"played by version {header.version} of {protocol.name}; the rules here are version {protocol.version}"
        )
    check_seats(protocol, len(header.seats))
    options: dict[str, object] = dict(header.options)
    if options != choose_options(protocol, [("the header", options)]):
        raise UserError("the header does not give every option its value")


def open_game(header: Header, protocol: Protocol, chance: Chance) -> Game:
    """The game of a header at its beginning."""
    try:
        return protocol.start(len(header.seats), header.options, header.setup, chance)
    except BadSetup as error:
        raise UserError(f"no game can start from this setup: {error}") from None


def input_text(game: Game, record: Record, line: AnswerLine) -> str:
    """Exactly what the seat of this answer was sent, in the present position of the game."""
    lifetime = record.header.seats[line.seat].lifetime
    prompt = game.prompt(line.seat)
    return game.briefing(line.seat) + prompt if lifetime == "move" or line.started else prompt
