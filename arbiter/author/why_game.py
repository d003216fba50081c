"""Why a game was lost: faults, the turn from which an agent was behind, the slowest answers, and the kibitz around them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from arbiter.config.limits import NONE
from arbiter.game import Protocol
from arbiter.records.format import AnswerLine, SeatInfo
from arbiter.records.notes import notes_on
from arbiter.records.reader import Record
from arbiter.records.replay import Replay, without_half_turn
from arbiter.records.scoring import SeatResult, seat_result
from arbiter.seat_names import SeatNames
from arbiter.units import duration_ns

_SLOWEST = 3
_AROUND = 2
"""Turns before and after a turn of interest whose kibitz is shown."""


class FaultSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A fault, and what it led to."""

    turn: int
    kind: str
    detail: str
    move: str
    """The move that was played instead, in words."""
    notes: list[str]
    """What is known about the cause."""


class FallingBehind(msgspec.Struct, frozen=True, kw_only=True):
    """Where an agent fell behind the one that came first."""

    leader: int
    """The seat that came first."""
    turn: int
    """The turn from which the agent was behind until the end; 0 if it never was."""
    worst_turn: int
    """The turn in which it fell back most; 0 if it never fell back."""
    worst_loss: float
    """By how much, relative to the leader."""
    final: float
    """By how much it was behind in the end."""


class SlowAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One of the slowest answers."""

    turn: int
    charged_us: int
    limit_us: int
    """The limit of this answer, which for a first one is another; 0 if unknown."""


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """What happened in a turn of interest."""

    turn: int
    asked: int
    """The agent's own turn at this point: the last one in which it was asked; 0 if there is none."""
    moves: list[str]
    """In words, with the agents' names."""
    kibitz: list[tuple[int, str]]
    """What the agent kibitzed around this turn: turn and text."""


class SeatStory(msgspec.Struct, frozen=True, kw_only=True):
    """What is worth knowing about one seat of a game."""

    seat: int
    name: str
    result: str
    """won, drew or lost; empty for an unfinished game."""
    faults: list[FaultSummary]
    fell_behind: FallingBehind | None
    """None if it came first, or if the protocol has no scores during the game."""
    slowest: list[SlowAnswer]
    """Empty if the answers were not timed here, as in an imported game."""
    has_program: bool
    """Whether a program played that can be asked again."""
    moments: list[Moment]


class GameStory(msgspec.Struct, frozen=True, kw_only=True):
    """Why a game ended as it did."""

    record: str
    protocol: str
    names: list[str]
    finished: bool
    reason: str
    scores: list[float]
    turns: int
    seats: list[SeatStory]


def story_of(record: Record, protocol: Protocol, agent: str | None = None) -> GameStory:
    """Return the story of a game; by default, of all agents that did not win or that faulted. Raises UserError."""
    record = without_half_turn(record, protocol)
    names = SeatNames(protocol, record.names)
    scores, words = _follow(record, protocol, names)
    result = record.result
    chosen = [seat for seat in range(len(record.names)) if _interesting(record, seat, agent)]
    return GameStory(
        record=str(record.path),
        protocol=protocol.name,
        names=record.names,
        finished=result is not None,
        reason=names.in_words(result.reason) if result else "",
        scores=result.scores if result else [],
        turns=record.answers[-1].turn if record.answers else 0,
        seats=[_seat(record, seat, scores, words, names) for seat in chosen],
    )


def _interesting(record: Record, seat: int, agent: str | None) -> bool:
    if agent is not None:
        return record.names[seat] == agent
    lost = record.result is None or seat_result(record.result.ranks, seat) is not SeatResult.WON
    return lost or any(line.fault for line in record.answers if line.seat == seat)


_Words = dict[int, dict[int, str]]
"""By turn and seat: a move in words."""


def _follow(record: Record, protocol: Protocol, names: SeatNames) -> tuple[list[Sequence[float]], _Words]:
    """Replay a game; returns the scores before the first turn and after each, and the moves of each turn in words."""
    replay = Replay(record, protocol)
    scores: list[Sequence[float]] = []
    words: _Words = {}
    for turn, lines in replay:
        scores.append(tuple(replay.display.scores_so_far()))
        words[turn] = {line.seat: names.in_words(replay.describe(line)) for line in lines}
    if record.result is not None:
        # What only the end of the game adds, such as a bonus, counts for the last turn.
        scores.append(tuple(record.result.scores))
    else:
        scores.append(tuple(replay.display.scores_so_far()))
    return scores, words


def _seat(record: Record, seat: int, scores: Sequence[Sequence[float]], words: _Words, names: SeatNames) -> SeatStory:
    own = [line for line in record.answers if line.seat == seat]
    faults = [_fault(line, words) for line in own if line.fault]
    slowest = sorted((line for line in own if line.charged_us), key=lambda line: -line.charged_us)[:_SLOWEST]
    fell_behind = where_behind(scores, seat, _leader(record, seat, scores))
    interesting = [fault.turn for fault in faults[:3]]
    if fell_behind:
        interesting += [fell_behind.turn, fell_behind.worst_turn]
    return SeatStory(
        seat=seat,
        name=record.names[seat],
        result=str(seat_result(record.result.ranks, seat)) if record.result else "",
        faults=faults,
        fell_behind=fell_behind,
        slowest=[
            SlowAnswer(
                turn=line.turn,
                charged_us=line.charged_us,
                limit_us=_limit_us(record.header.seats[seat], first=line.started or line is own[0]),
            )
            for line in slowest
        ],
        has_program=bool(record.header.seats[seat].command),
        moments=[_moment(turn, own, words, names) for turn in dict.fromkeys(interesting) if turn in words],
    )


def _limit_us(seat: SeatInfo, *, first: bool) -> int:
    limit = seat.limits.get("first_move" if first else "move", NONE)
    return 0 if limit == NONE else duration_ns(limit) // 1000


def _fault(line: AnswerLine, words: _Words) -> FaultSummary:
    kind, detail = (line.fault.kind, line.fault.detail) if line.fault else ("", "")
    move = words.get(line.turn, {}).get(
        line.seat, line.move
    )  # the last turn of a game that was cut off is not replayed
    return FaultSummary(turn=line.turn, kind=kind, detail=detail, move=move, notes=notes_on(line))


def _leader(record: Record, seat: int, scores: Sequence[Sequence[float]]) -> int | None:
    """Return the seat that came first, or has most points so far; None if that is the seat itself."""
    ranks: Sequence[float] = record.result.ranks if record.result else [-score for score in scores[-1]]
    if not ranks or ranks[seat] == min(ranks):
        return None
    return ranks.index(min(ranks))


def where_behind(scores: Sequence[Sequence[float]], seat: int, leader: int | None) -> FallingBehind | None:
    """Find where a seat fell behind for good; ``scores`` are those before the first turn and after each turn."""
    if leader is None or not all(len(each) > max(seat, leader) for each in scores):
        return None
    behind = [each[leader] - each[seat] for each in scores]
    if not any(behind):
        return None
    level = [turn for turn, gap in enumerate(behind) if gap <= 0]
    losses = [(later - earlier, turn) for turn, (earlier, later) in enumerate(pairwise(behind), 1)]
    worst_loss, worst_turn = max(losses, key=lambda loss: (loss[0], -loss[1]), default=(0.0, 0))
    return FallingBehind(
        leader=leader,
        turn=(level[-1] + 1 if level else 1) if behind[-1] > 0 else 0,
        worst_turn=worst_turn if worst_loss > 0 else 0,
        worst_loss=max(0.0, worst_loss),
        final=behind[-1],
    )


def _moment(turn: int, own: Sequence[AnswerLine], words: _Words, names: SeatNames) -> Moment:
    near = [line for line in own if abs(line.turn - turn) <= _AROUND]
    asked = max((line.turn for line in own if line.turn <= turn), default=0)
    return Moment(
        turn=turn,
        asked=asked,
        moves=[f"{names.short[seat]} {text}" for seat, text in words[turn].items()],
        kibitz=[(line.turn, text) for line in near for text in line.kibitz[:5]],
    )
