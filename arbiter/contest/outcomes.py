"""From the record of a game to what a contest needs to know of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from arbiter.contest.scheduled import Outcome, Played, ScheduledGame
from arbiter.game import FaultKind
from arbiter.records.format import Header
from arbiter.records.reader import Record


def key_of(header: Header) -> ScheduledGame:
    """Which game of the contest it is."""
    return ScheduledGame(tuple(seat.name for seat in header.seats), header.seed, header.stage)


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
        game=key_of(record.header),
        ranks=tuple(result.ranks),
        scores=tuple(result.scores),
        secondary=tuple(map(float, second)) if isinstance(second, list) and len(second) == len(answers) else None,
        faults=tuple(map(dict, faults)),
        think_us=tuple(think),
        answers=tuple(answers),
        turns=result.turns,
        digest=_course(record),
        record=str(record.path),
    )


def _course(record: Record) -> str:
    """Equal for games that went alike. The digest in the record has the seed in it, which no two games of a contest share,
    and that need not make a difference."""
    lines = [
        (line.turn, line.seat, line.move, line.fault.kind if line.fault else "", line.chance) for line in record.answers
    ]
    whole = [record.header.setup, record.names, lines]
    return hashlib.sha256(msgspec.json.encode(whole, order="sorted")).hexdigest()


def hopeless(schedule: Iterable[ScheduledGame], played: Played, names: Sequence[str], most: int) -> dict[str, int]:
    """Agents that did not give a single good answer in their first ``most`` games, each with the length of the beginning of
    the schedule that shows it. Their games after that count for nobody.

    It is what playing one game after the other would give. Where some are missing yet, only what is sure is said, so it
    does not matter in which order they happen to finish.
    """
    out: dict[str, int] = {}
    bad = dict.fromkeys(names, 0)
    """Games so far, of those who have not given a good answer: none in these, or not played yet."""
    unsure: set[str] = set()
    """Of these a game is missing, or may not count."""
    for place, key in enumerate(schedule, 1):
        if all(count == most for count in bad.values()):
            break
        if not out.keys().isdisjoint(key.seats):
            continue
        doubtful = any(bad.get(name) == most and name in unsure for name in key.seats)
        outcome = None if doubtful else played.get(key)
        for seat, name in enumerate(key.seats):
            if bad.get(name, most) == most or (outcome and not outcome.answers[seat]):
                continue
            if outcome and sum(outcome.faults[seat].values()) < outcome.answers[seat]:
                del bad[name]
                continue
            bad[name] += 1
            if outcome is None:
                unsure.add(name)
            elif bad[name] == most and name not in unsure:
                out[name] = place
    return out


def spoilt(outcome: Outcome) -> bool:
    """Whether the machine and not the agents decided something: a process that could not even be started."""
    return any(kinds.get(FaultKind.NOT_STARTED, 0) for kinds in outcome.faults)
