"""A saved game played again through the rules, from its moves and its recorded chance; no agent is run."""

from __future__ import annotations

from collections.abc import Iterator

from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Game, Protocol
from arbiter.records.format import AnswerLine, Header
from arbiter.records.reader import Record


class Replay:
    """The game of a record, turn by turn.

    Iterating yields each turn's number and answers *before* they are applied, so that prompts and descriptions
    are those of the moment; the game moves on when the next turn is asked for.
    """

    def __init__(self, record: Record, protocol: Protocol) -> None:
        check_version(record.header, protocol)
        self.record = record
        self.chance = Chance(record.header.seed, recorded=())
        self.game = open_game(record.header, protocol, self.chance)

    def __iter__(self) -> Iterator[tuple[int, list[AnswerLine]]]:
        for turn, lines in self.record.turns():
            yield turn, lines
            self.chance.expect([outcome for line in lines for outcome in line.chance])
            self.game.play({line.seat: line.move for line in lines})


def check_version(header: Header, protocol: Protocol) -> None:
    """Raise UserError if these rules are not the ones the game was played by."""
    if header.version != protocol.version:
        raise UserError(
            f"played by version {header.version} of {protocol.name}; the rules here are version {protocol.version}"
        )


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
