"""From the record of a game to what a contest needs to know of it."""

from __future__ import annotations

from collections import Counter

from arbiter.contest.key import GameKey, Outcome
from arbiter.game import FaultKind
from arbiter.records.format import Header
from arbiter.records.reader import Record


def key_of(header: Header) -> GameKey:
    """Which game of the contest it is."""
    return GameKey(tuple(seat.name for seat in header.seats), header.seed, header.stage)


def outcome_of(record: Record, secondary: str) -> Outcome:
    """What came of a finished game; ``secondary`` is the list in its result that the second ranking goes by."""
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
        key=key_of(record.header),
        ranks=tuple(result.ranks),
        scores=tuple(result.scores),
        secondary=tuple(map(float, second)) if isinstance(second, list) and len(second) == len(answers) else None,
        faults=tuple(map(dict, faults)),
        think_us=tuple(think),
        answers=tuple(answers),
        turns=result.turns,
        digest=result.digest,
        record=str(record.path),
    )


def failed(outcome: Outcome, name: str) -> bool:
    """Whether an agent did not give a single good answer in a game."""
    seat = outcome.key.seats.index(name)
    return 0 < outcome.answers[seat] == sum(outcome.faults[seat].values())


def spoilt(outcome: Outcome) -> bool:
    """Whether the machine and not the agents decided something: a process that could not even be started."""
    return any(kinds.get(FaultKind.NOT_STARTED, 0) for kinds in outcome.faults)
