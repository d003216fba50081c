"""When the question of a contest is settled: games are read in the order of the schedule until there is an answer.

The answer is that of the shortest prefix of the schedule that settles the question. A game counts once all games before
it have been played, and once its deal is complete; games that finish early are ignored until then. So the answer does
not depend on the number of workers, and does not change when more games come in.

A precision is not computed after every deal but in steps of about 2 %. The steps are fixed by the games alone, so the
answer does not depend on how often it was asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from arbiter.contest.scheduled import GameSummary, Played, ScheduledGame
from arbiter.contest.statistics.pairs import DealKey, deal_of
from arbiter.contest.statistics.question import Question
from arbiter.contest.statistics.stopping_rules import QuestionAnswer, stopping_rule

__all__ = ["OpenQuestion", "Question", "QuestionAnswer", "evaluate"]


class OpenQuestion:
    """A question and the schedule whose games answer it."""

    def __init__(self, question: Question, schedule: Iterable[ScheduledGame] = ()) -> None:
        self._schedule: list[ScheduledGame] = []
        self._next = 0
        self._missing: Counter[DealKey] = Counter()
        self._incomplete: dict[DealKey, list[GameSummary]] = {}
        self._rule = stopping_rule(question)
        self._settled: QuestionAnswer | None = None
        self.extend(schedule)

    def extend(self, schedule: Iterable[ScheduledGame]) -> None:
        """Append games to the schedule. All games of a deal must be added in the same call."""
        added = list(schedule)
        self._schedule += added
        self._missing.update(map(deal_of, added))
        self._rule.add_agents({name for game in added for name in game.seats})

    @property
    def last(self) -> ScheduledGame | None:
        """The last game that was read."""
        return self._schedule[self._next - 1] if self._next else None

    @property
    def next(self) -> ScheduledGame | None:
        """The game to be read next; None if all have been read."""
        return self._schedule[self._next] if self._next < len(self._schedule) else None

    def answer(self, played: Played) -> QuestionAnswer:
        """Return the current answer. Only games that are new since the last call are read."""
        while self._settled is None and self._next < len(self._schedule):
            outcome = played.get(self._schedule[self._next])
            if outcome is None:
                break
            self._next += 1
            self._take(outcome)
        return self._settled or self._rule.answer()

    def _take(self, outcome: GameSummary) -> None:
        deal = deal_of(outcome.game)
        self._incomplete.setdefault(deal, []).append(outcome)
        self._missing[deal] -= 1
        if not self._missing[deal]:
            del self._missing[deal]
            if self._rule.add_deal(self._incomplete.pop(deal)):
                self._settled = msgspec.structs.replace(self._rule.answer(), settled_after=self._next)


def evaluate(question: Question, schedule: Sequence[ScheduledGame], played: Played) -> QuestionAnswer:
    """Return the answer that these games give."""
    return OpenQuestion(question, schedule).answer(played)
