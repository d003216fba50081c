"""Import and export the saved games of contests' own arbiters (see :class:`arbiter.game.ExternalGameFormat`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arbiter.errors import UserError
from arbiter.game import (
    BadSetup,
    Chance,
    ExternalGame,
    ExternalMove,
    Fault,
    FaultKind,
    Game,
    IllegalMove,
    OptionValue,
    Protocol,
    Result,
)
from arbiter.records.format import AnswerLine, FaultInfo, Header, ResultLine, SeatInfo
from arbiter.records.reader import Record
from arbiter.records.replay import Replay, open_game
from arbiter.records.writer import new_record, now
from arbiter.version import __version__

IMPORTED = "imported"
"""The ``agent`` of a seat in an imported game, whose program is not known."""


def export_text(record: Record, protocol: Protocol) -> str:
    """Return a record as a file of the contest's own arbiter. Raises UserError."""
    if protocol.external_format is None:
        raise UserError(f"{protocol.name}: there is no other format of saved games for this protocol")
    turns: list[tuple[ExternalMove, ...]] = []
    for _, lines in Replay(record, protocol):
        turns.append(tuple(_saved(line) for line in lines))
    names = tuple(seat.name for seat in record.header.seats)
    outcomes = [outcome for line in record.answers for outcome in line.chance]
    game = open_game(record.header, protocol, Chance(record.header.seed, recorded=outcomes))
    try:
        return protocol.external_format.write(
            game, ExternalGame(names, record.header.setup, tuple(turns), options=record.header.options)
        )
    except BadSetup as error:
        raise UserError(f"{protocol.name}: {error}") from None


def _saved(line: AnswerLine) -> ExternalMove:
    fault = ""
    if line.fault:  # an imported fault is the text of the file that it came from
        imported = line.fault.kind == FaultKind.IMPORTED.value
        fault = line.fault.detail if imported else f"{line.fault.kind}: {line.fault.detail}"
    return ExternalMove(line.seat, line.move, fault, tuple(line.kibitz))


def import_text(text: str, protocols: Sequence[Protocol], folder: Path) -> Path:
    """Play a game saved by a contest's own arbiter through the rules and save it as a record. Raises UserError.

    Every move must be legal here. A file that ends before the game does becomes a record without a result.
    """
    protocol = next(
        (each for each in protocols if each.external_format and each.external_format.recognises(text)), None
    )
    if protocol is None or protocol.external_format is None:
        known = ", ".join(each.name for each in protocols if each.external_format)
        raise UserError(f"not a saved game in any known format; formats are known for {known or 'no protocol'}")
    try:
        saved = protocol.external_format.read(text)
        header = _header(protocol, saved)
        chance = Chance(0)
        game = protocol.start(len(saved.names), header.options, saved.setup, chance)
    except BadSetup as error:
        raise UserError(f"cannot be imported as a game of {protocol.name}: {error}") from None
    lines = _played(game, saved, chance)
    if result := game.result():
        _check_scores(result, saved)
    with new_record(folder, header) as writer:
        for line in lines:
            writer.answer(line)
        if result is not None:
            writer.finish(
                ResultLine(
                    ranks=list(result.ranks),
                    scores=list(result.scores),
                    reason=result.reason,
                    data=dict(result.data),
                    turns=len(saved.turns),
                    ended=now(),
                    digest="",
                )
            )
    return writer.path


def _header(protocol: Protocol, saved: ExternalGame) -> Header:
    fewest, most = protocol.seats
    if not fewest <= len(saved.names) <= most:
        raise BadSetup(f"{len(saved.names)} players; must be {fewest} to {most}")
    return Header(
        arbiter=__version__,
        protocol=protocol.name,
        version=protocol.version,
        options=_options(protocol, saved),
        seed=0,
        setup=saved.setup,
        setup_given=True,
        seats=[
            SeatInfo(name=name, agent=IMPORTED, command=[], lifetime=protocol.lifetime)
            for name in _distinct(saved.names)
        ],
        started=now(),
    )


def _options(protocol: Protocol, saved: ExternalGame) -> dict[str, OptionValue]:
    try:
        return {
            option.name: option.check(saved.options.get(option.name, option.default)) for option in protocol.options
        }
    except ValueError as error:
        raise BadSetup(str(error)) from None


def _check_scores(result: Result, saved: ExternalGame) -> None:
    if saved.scores and saved.scores != tuple(map(float, result.scores)):
        ours, theirs = (", ".join(f"{score:g}" for score in scores) for scores in (result.scores, saved.scores))
        raise UserError(f"the game ends with {ours} by the rules here, but with {theirs} in the file")


def _distinct(names: Sequence[str]) -> list[str]:
    """Return the names, cut to a sensible length, with a number after those that occurred before."""
    found: list[str] = []
    for name in names:
        shown = "".join(letter if letter.isprintable() else "?" for letter in name.strip())[:60] or "player"
        number = 1
        unique = shown
        while unique in found:
            number += 1
            unique = f"{shown}-{number}"
        found.append(unique)
    return found


def _played(game: Game, saved: ExternalGame, chance: Chance) -> list[AnswerLine]:
    lines: list[AnswerLine] = []
    for number, moves in enumerate(saved.turns, 1):
        if game.result() is not None:
            raise UserError(f"turn {number}: the game is already over by the rules of this protocol")
        if [move.seat for move in moves] != list(game.to_move()):
            raise UserError(f"turn {number}: it is another player's turn")
        played = [_line(game, number, move) for move in moves]
        game.play({line.seat: line.move for line in played})
        played[-1].chance = chance.take()
        lines += played
    return lines


def _line(game: Game, turn: int, move: ExternalMove) -> AnswerLine:
    fault, text = None, move.move
    if move.fault:
        fault = FaultInfo(kind=FaultKind.IMPORTED.value, detail=move.fault)
        text = game.fallback(move.seat, Fault(FaultKind.IMPORTED, move.fault))
    else:
        try:
            text = game.read(move.seat, text).text
        except IllegalMove as error:
            raise UserError(f"turn {turn}: {error.reason}") from None
    return AnswerLine(
        turn=turn,
        seat=move.seat,
        move=text,
        fault=fault,
        wall_us=0,
        cpu_us=0,
        charged_us=0,
        kibitz=list(move.kibitz),
    )
