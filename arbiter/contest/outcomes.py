"""From the record of a game to the outcome that a contest counts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from arbiter.contest.scheduled import Outcome, Played, ScheduledGame
from arbiter.game import FaultKind
from arbiter.records.format import Header
from arbiter.records.reader import Record


def scheduled_game(header: Header) -> ScheduledGame:
    """The game of the contest that a record is of."""
    return ScheduledGame(tuple(seat.name for seat in header.seats), header.seed, header.stage)


def outcome_of(record: Record, secondary: str) -> Outcome:
    """The outcome of a finished game; ``secondary`` names the list in its result for the second ranking."""
    result = record.result
    if result is None:
        raise AssertionError("only finished games have an outcome")
    seats = range(len(record.header.seats))
    faults: list[Counter[str]] = [Counter() for _ in seats]
    think, answers = [0 for _ in seats], [0 for _ in seats]
    for line in record.answers:
        think[line.seat] += line.charged_us
        answers[line.seat] += 1
        if line.fault:
            faults[line.seat][line.fault.kind] += 1
    second = result.data.get(secondary) if secondary else None
    return Outcome(
        game=scheduled_game(record.header),
        ranks=tuple(result.ranks),
        scores=tuple(result.scores),
        secondary=tuple(map(float, second)) if isinstance(second, list) and len(second) == len(answers) else None,
        faults=tuple(map(dict, faults)),
        think_us=tuple(think),
        answers=tuple(answers),
        turns=result.turns,
        digest=_digest(record),
        record=str(record.path),
    )


def _digest(record: Record) -> str:
    """A hash that is equal for games that went exactly the same way.

    The digest in the record covers the seed, which differs between games of a contest even where it makes no difference.
    """
    lines = [
        (line.turn, line.seat, line.move, line.fault.kind if line.fault else "", line.chance) for line in record.answers
    ]
    whole = [record.header.setup, record.names, lines]
    return hashlib.sha256(msgspec.json.encode(whole, order="sorted")).hexdigest()


def agents_to_set_aside(
    schedule: Iterable[ScheduledGame], played: Played, names: Sequence[str], most: int
) -> dict[str, int]:
    """Agents without a single good answer in their first ``most`` games, each with the position in the schedule, from 1,
    of the game that settles it. Their later games do not count.

    The result is that of playing one game after the other. Where games are still missing, only what they cannot change
    is returned, so the order in which games finish does not matter.
    """
    found: dict[str, int] = {}
    bad = dict.fromkeys(names, 0)
    """Games so far of the agents without a good answer, games still missing included."""
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


def is_technical(outcome: Outcome) -> bool:
    """Whether the machine, not the agents, decided the game: a process could not even be started."""
    return any(kinds.get(FaultKind.NOT_STARTED, 0) for kinds in outcome.faults)
