"""When a question is settled: the games are read in the order of the schedule until the answer is there.

The answer is that of the shortest beginning of the schedule that gives one. Games count once all before them are
played, and once all that belong to the same deal are; what happens to be finished out of turn is not looked at. So the
answer is the same for any number of workers, and stays what it is when more games come in.

A precision is not computed after every deal but in steps of about 2 %, the same ones whoever asks and however often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from arbiter.contest.scheduled import Outcome, Played, ScheduledGame
from arbiter.contest.statistics.pairs import Deal, deal_of
from arbiter.contest.statistics.question import Question, parse
from arbiter.contest.statistics.stopping_rules import Answer, gauge

__all__ = ["Answer", "Question", "Watch", "evaluate", "parse"]


class Watch:
    """A question, and the schedule whose games are to answer it."""

    def __init__(self, question: Question, schedule: Iterable[ScheduledGame] = ()) -> None:
        self._schedule: list[ScheduledGame] = []
        self._next = 0
        self._missing: Counter[Deal] = Counter()
        self._open: dict[Deal, list[Outcome]] = {}
        self._gauge = gauge(question)
        self._settled: Answer | None = None
        self.extend(schedule)

    def extend(self, schedule: Iterable[ScheduledGame]) -> None:
        """More games, after those that are scheduled already. Games that belong together are to be added together."""
        added = list(schedule)
        self._schedule += added
        self._missing.update(map(deal_of, added))
        self._gauge.expect({name for key in added for name in key.seats})

    def look(self, played: Played) -> Answer:
        """The answer as of now. Costs no more than what is new."""
        while self._settled is None and self._next < len(self._schedule):
            outcome = played.get(self._schedule[self._next])
            if outcome is None:
                break
            self._next += 1
            self._take(outcome)
        return self._settled or self._gauge.answer()

    def _take(self, outcome: Outcome) -> None:
        deal = deal_of(outcome.key)
        self._open.setdefault(deal, []).append(outcome)
        self._missing[deal] -= 1
        if not self._missing[deal]:
            del self._missing[deal]
            if self._gauge.take(self._open.pop(deal)):
                self._settled = msgspec.structs.replace(self._gauge.answer(), settled_after=self._next)


def evaluate(question: Question, schedule: Sequence[ScheduledGame], played: Played) -> Answer:
    """The answer in one go."""
    return Watch(question, schedule).look(played)
