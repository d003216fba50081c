"""Explore a position: the moves that were played in it, by whom, and how these games ended.

Two games are in the same position if everything that viewers are shown is equal, and the same seats are to move. Games are
compared at the same turn, where transpositions meet as well.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

import msgspec

from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.format import AnswerLine
from arbiter.records.reader import Record
from arbiter.records.replay import Replay
from arbiter.records.scoring import points
from arbiter.seat_names import seat_label


class PlayedMove(msgspec.Struct, kw_only=True):
    """A move that was played in the position."""

    seat: int
    move: str
    description: str
    games: int = 0
    points: float = 0.0
    """The mean of those who played it, from 0 to 1."""
    score: float = 0.0
    """Their mean score in the game's own points."""
    agents: dict[str, int]
    """How often each agent played it."""
    faults: int = 0
    """How often it was the fallback after a fault."""
    examples: list[str]
    """Records of games in which it was played."""


class PositionStats(msgspec.Struct, kw_only=True):
    """A position and what was played in it."""

    record: str
    turn: int
    protocol: str
    to_move: list[str]
    searched: int = 0
    """Games that were replayed up to this turn."""
    games: int = 0
    """Games that were in this position."""
    moves: list[PlayedMove]
    """Most often played first."""


_EXAMPLES = 3


def explore(record: Record, turn: int, protocol: Protocol, games: Iterable[Record]) -> PositionStats:
    """Look for the position of a game before a turn in other games, and in the game itself. Raises UserError."""
    found = at_turn(record, turn, protocol)
    if found is None:
        last = record.answers[-1].turn if record.answers else 0
        raise UserError(f"{record.path}: there is no turn {turn}; choose from 1 to {last}")
    key, replay, lines = found
    descriptions = {line.seat: replay.display.describe for line in lines}
    moves: dict[tuple[int, str], PlayedMove] = {}
    position = PositionStats(
        record=str(record.path), turn=turn, protocol=protocol.name, moves=[],
        to_move=[f"{record.names[line.seat]} ({seat_label(protocol, line.seat)})" for line in lines],
    )  # fmt: skip
    for game in games:
        if not _comparable(record, game) or (other := _or_none(game, turn, protocol)) is None:
            continue
        position.searched += 1
        if other[0] != key:
            continue
        position.games += 1
        for line in other[2]:
            text = descriptions[line.seat](line.seat, line.move)
            move = moves.setdefault(
                (line.seat, line.move),
                PlayedMove(seat=line.seat, move=line.move, description=text, agents={}, examples=[]),
            )
            _count(move, game, line)
    position.moves = sorted(moves.values(), key=lambda each: (each.seat, -each.games, each.move))
    for move in position.moves:
        move.points /= move.games
        move.score /= move.games
        move.agents = dict(Counter(move.agents).most_common())
    return position


def _comparable(one: Record, other: Record) -> bool:
    """Return whether two records are of games with the same rules."""
    a, b = one.header, other.header
    return (a.protocol, a.version, a.options, len(a.seats)) == (b.protocol, b.version, b.options, len(b.seats))


def _or_none(record: Record, turn: int, protocol: Protocol) -> tuple[bytes, Replay, list[AnswerLine]] | None:
    """Return what :func:`at_turn` does, but None for a record that cannot be replayed."""
    try:
        return at_turn(record, turn, protocol)
    except UserError:
        return None


def at_turn(record: Record, turn: int, protocol: Protocol) -> tuple[bytes, Replay, list[AnswerLine]] | None:
    """Return the position before a turn as a hash, the replay at this turn, and the answers; None if there is no such
    turn. Raises UserError."""
    replay = Replay(record, protocol)
    for number, lines in replay:
        if number == turn:
            seen = msgspec.json.encode([list(replay.game.to_move()), replay.game.view()], order="sorted")
            return hashlib.sha256(seen).digest(), replay, lines
    return None


def _count(move: PlayedMove, game: Record, line: AnswerLine) -> None:
    if game.result is None:
        raise AssertionError("only finished games are counted")
    move.games += 1
    move.points += points(game.result.ranks, line.seat, "places")
    move.score += game.result.scores[line.seat]
    move.faults += line.fault is not None
    name = game.names[line.seat]
    move.agents[name] = move.agents.get(name, 0) + 1
    if len(move.examples) < _EXAMPLES:
        move.examples.append(str(game.path))
