"""From the record of a game to the outcome that a contest counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from arbiter.contest.scheduled import Outcome, Played, ScheduledGame
from arbiter.game import FaultKind
from arbiter.records.format import AnswerLine, GameDigest, Header, ResultLine
from arbiter.records.reader import Record
from arbiter.report import GameReport

Ending = ResultLine | GameReport
"""The outcome of a game, from its record or from the worker that has just played it."""


def scheduled_game(header: Header) -> ScheduledGame:
    """The game of the contest that a record belongs to."""
    return ScheduledGame(tuple(seat.name for seat in header.seats), header.seed, header.stage)


class OutcomeTally:
    """Collects what the outcome of a game needs, answer by answer."""

    def __init__(self, seats: int) -> None:
        self._faults: list[Counter[str]] = [Counter() for _ in range(seats)]
        self._think, self._answers = [0] * seats, [0] * seats
        self._technical = False

    def add(self, line: AnswerLine) -> None:
        """Count one more answer."""
        seat, fault = line.seat, line.fault
        self._think[seat] += line.charged_us
        if fault:
            self._faults[seat][fault.kind] += 1
            # In later turns, an agent that has run may itself have caused that it, or another one, cannot be started.
            if fault.kind == FaultKind.NOT_STARTED and line.turn == 1:
                self._technical = True
        self._answers[seat] += 1

    def close(self, game: ScheduledGame, end: Ending, moves_hash: str, secondary: str, commitment: str = "") -> Outcome:
        """Return the outcome; ``secondary`` names the list in the result for the second ranking."""
        second = end.data.get(secondary) if secondary else None
        seats = len(self._answers)
        return Outcome(
            game=game,
            ranks=tuple(end.ranks),
            scores=tuple(end.scores),
            secondary=tuple(map(float, second)) if isinstance(second, list) and len(second) == seats else None,
            faults=tuple(map(dict, self._faults)),
            think_us=tuple(self._think),
            answers=tuple(self._answers),
            turns=end.turns,
            digest=moves_hash,
            technical=self._technical,
            commitment=commitment,
        )


def outcome_of(record: Record, secondary: str, digest: GameDigest | None = None) -> Outcome:
    """The outcome of a finished game; ``digest`` is that of the record, if it is known."""
    if record.result is None:
        raise AssertionError("only finished games have an outcome")
    tally = OutcomeTally(len(record.header.seats))
    for line in record.answers:
        tally.add(line)
    moves_hash = (digest or record.digest()).moves_hash()
    header, host = record.header, record.header.host
    outcome = tally.close(scheduled_game(header), record.result, moves_hash, secondary, header.commitment)
    return msgspec.structs.replace(outcome, record=str(record.path), host=host.name if host else "")


def agents_to_set_aside(
    schedule: Iterable[ScheduledGame], played: Played, names: Sequence[str], most: int
) -> dict[str, int]:
    """Agents without a single valid answer in their first ``most`` games, each with the position in the schedule, from 1,
    of the game that settles it. Their later games do not count.

    The result is that of playing one game after the other. Where games are still missing, only what they cannot change
    is returned, so the order in which games finish does not matter.
    """
    found: dict[str, int] = {}
    bad = dict.fromkeys(names, 0)
    """Games so far of the agents without a valid answer, games still missing included."""
    uncertain: set[str] = set()
    """Agents with a game that is missing, or may not count."""
    for position, game in enumerate(schedule, 1):
        if all(count == most for count in bad.values()):
            break
        if not found.keys().isdisjoint(game.seats):
            continue
        doubtful = any(bad.get(name) == most and name in uncertain for name in game.seats)
        outcome = None if doubtful else played.get(game)
        for seat, name in enumerate(game.seats):
            if bad.get(name, most) == most or (outcome and not outcome.answers[seat]):
                continue
            if outcome and sum(outcome.faults[seat].values()) < outcome.answers[seat]:
                del bad[name]
                continue
            bad[name] += 1
            if outcome is None:
                uncertain.add(name)
            elif bad[name] == most and name not in uncertain:
                found[name] = position
    return found
