"""Agents that a contest sets aside, by the outcomes of their first games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arbiter.contest.scheduled import Played, ScheduledGame


def agents_to_set_aside(
    schedule: Iterable[ScheduledGame], played: Played, names: Sequence[str], most: int
) -> dict[str, int]:
    """Agents without a single valid answer in their first ``most`` games, each with the position in the schedule, from 1,
    of the game that settles it.

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
            if outcome and sum(fault.seat == seat for fault in outcome.faults) < outcome.answers[seat]:
                del bad[name]
                continue
            bad[name] += 1
            if outcome is None:
                uncertain.add(name)
            elif bad[name] == most and name not in uncertain:
                found[name] = position
    return found
