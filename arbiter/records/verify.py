"""Verify a record: replay it through the rules and report what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arbiter.errors import UserError
from arbiter.game import Chance, Fault, FaultKind, Game, IllegalMove, Protocol
from arbiter.records.format import AnswerLine
from arbiter.records.reader import Record
from arbiter.records.replay import Replay, without_half_turn
from arbiter.seat_names import seat_label

_READ_BY_RULES = (FaultKind.ILLEGAL, FaultKind.GARBLED)


def differences(record: Record, protocol: Protocol) -> Iterator[str]:
    """Yield what is wrong with a record, one line each. The replay stops at its first difference."""
    if record.header.protocol != protocol.name:
        yield f"the record is of {record.header.protocol}, not of {protocol.name}"
        return
    try:
        record = without_half_turn(record, protocol)
        replay = Replay(record, protocol)
        yield from _setup(record, protocol)
        yield from _moves(record, replay)
    except (UserError, ValueError) as error:
        yield str(error)
    yield from _digest(record)


def _setup(record: Record, protocol: Protocol) -> Iterator[str]:
    header = record.header
    if header.commitment and record.result and record.seed is None:
        yield "the result has no deal_seed, although the contest has a secret"
    if not header.setup_given and record.seed is not None:
        dealt = protocol.setup(len(header.seats), header.options, Chance(record.seed, "setup"))
        if dealt != header.setup:
            yield f"the setup is not that of seed {record.seed}"


def _moves(record: Record, replay: Replay) -> Iterator[str]:
    game = replay.game
    for turn, lines in replay:
        for line in lines:
            if problem := _ruling(game, line):
                yield f"turn {turn}, {seat_label(replay.protocol, line.seat)}: {problem}"
                return
    replay.chance.expect(())
    if replay.chance.mismatches and record.seed is not None:
        yield f"{replay.chance.mismatches} random outcomes are not those of seed {record.seed}"
    yield from _result(record, game)


def _ruling(game: Game, line: AnswerLine) -> str | None:
    """Return what is wrong with the ruling on one answer, given the position; None if it is right."""
    if line.fault is None:
        try:
            canonical = game.read(line.seat, line.move).text
        except IllegalMove as refused:
            return f"the move {line.move!r} is illegal: {refused.reason}"
        return None if canonical == line.move else f"the move {line.move!r} is not canonical: must be {canonical!r}"
    kind, detail, salvage = FaultKind(line.fault.kind), line.fault.detail, ""
    if kind in _READ_BY_RULES and not line.fault.said_bytes:
        try:
            game.read(line.seat, line.fault.said)
        except IllegalMove as refused:
            detail, salvage = refused.reason, refused.salvage
            if refused.kind != kind:
                return f"the answer {line.fault.said!r} is {refused.kind}, not {kind}"
        else:
            return f"the answer {line.fault.said!r} was ruled {kind}, but the rules allow it"
    fallback = game.fallback(line.seat, Fault(kind, detail, salvage))
    return None if fallback == line.move else f"the fallback for {kind} is {fallback!r}, not {line.move!r}"


def _result(record: Record, game: Game) -> Iterator[str]:
    played, written = game.result(), record.result
    if written is None:
        if played is not None:
            yield "the game is over, but the record has no result"
        return
    if played is None:
        yield "the record has a result, but the game is not over"
    elif list(played.ranks) != written.ranks or [float(score) for score in played.scores] != written.scores:
        yield (
            f"the result is ranks {list(played.ranks)}, scores {_plain(played.scores)}; "
            f"the record says ranks {written.ranks}, scores {_plain(written.scores)}"
        )
    elif played.reason != written.reason or dict(played.data) != written.data:
        yield "the reason or the data of the result differs"
    elif written.turns != (record.answers[-1].turn if record.answers else 0):
        yield f"the record has {record.answers[-1].turn if record.answers else 0} turns, but its result says {written.turns}"


def _plain(scores: Sequence[float]) -> list[float]:
    """Return scores as users write them: 15 rather than 15.0."""
    return [int(score) if float(score).is_integer() else score for score in scores]


def _digest(record: Record) -> Iterator[str]:
    if record.result is not None and not record.is_unchanged():
        yield "the digest does not match: the record was changed after the game"
