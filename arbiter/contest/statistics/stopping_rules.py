"""Stopping rules: one for each kind of question, fed with the deals of a contest until the question is settled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics import elo, plackett_luce, sprt
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.elo import Elo, better_sentence, lead_with_games
from arbiter.contest.statistics.pairs import head_to_head
from arbiter.contest.statistics.question import Better, GameCount, Precision, Question
from arbiter.contest.statistics.sprt import Sprt, Verdict
from arbiter.contest.statistics.wording import margin, with_minus_sign
from arbiter.text import count


class QuestionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a question so far."""

    verdict: Verdict
    sentence: str
    """The answer in plain English."""
    games: int
    """Number of games that the answer is based on."""
    settled_after: int | None = None
    """Length of the shortest prefix of the schedule that settles the question; later games do not change the answer."""
    elo: Elo | None = None
    """For a question about two agents: the lead of the first one. The interval is that of a fixed number of games; after
    a sequential test that stopped because it was sure, it tends to flatter the winner a little."""
    sprt: Sprt | None = None

    @property
    def settled(self) -> bool:
        """Whether no more games are needed."""
        return self.settled_after is not None


class StoppingRule(Protocol):
    """Decides when a question is settled."""

    def add_agents(self, names: set[str]) -> None:
        """Announce agents that are going to play."""

    def add_deal(self, deal: Sequence[GameSummary]) -> bool:
        """Add a complete deal; return whether the question is settled now."""

    def answer(self) -> QuestionAnswer:
        """Return the answer so far."""


def stopping_rule(question: Question) -> StoppingRule:
    """Return the stopping rule for a question."""
    match question:
        case Better():
            return _BetterRule(question)
        case GameCount():
            return _GamesRule(question)
        case Precision(pair=None):
            return _RatingsRule(question.margin)
        case Precision(pair=(one, other)):
            return _LeadRule(question.margin, _Encounters(one, other))
        case _:
            raise AssertionError(question)


class _Encounters:
    """The deals in which two agents met."""

    def __init__(self, one: str, other: str) -> None:
        self.one, self.other = one, other
        self.sample = Sample()
        self.games = 0

    def add_deal(self, deal: Sequence[GameSummary]) -> bool:
        """Add a deal; return whether the two met in it."""
        scores = [score for outcome in deal if (score := head_to_head(outcome, self.one, self.other)) is not None]
        if scores:
            self.sample.add(sum(scores) / len(scores))
            self.games += len(scores)
        return bool(scores)

    def lead(self) -> Elo:
        return elo.of_sample(self.sample, self.games)


class _BetterRule:
    """Settled when the sequential test says yes or no."""

    def __init__(self, question: Better) -> None:
        self._question = question
        self._encounters = _Encounters(question.one, question.other)

    def add_agents(self, names: set[str]) -> None:
        """Nothing to do: the question names its two agents."""

    def add_deal(self, deal: Sequence[GameSummary]) -> bool:
        return self._encounters.add_deal(deal) and self._test().verdict != "not yet"

    def answer(self) -> QuestionAnswer:
        question, bounds = self._question, self._question.bounds
        lead, test = self._encounters.lead(), self._test()
        verdict: str = test.verdict
        if verdict == "no":
            verdict = f"no, not by {with_minus_sign(f'{bounds.elo1:g}')} Elo"
        elif verdict == "yes" and bounds.elo0:
            verdict = f"yes, by more than {with_minus_sign(f'{bounds.elo0:g}')} Elo"
        sentence = better_sentence(question.one, question.other, verdict, lead)
        return QuestionAnswer(verdict=test.verdict, sentence=sentence, games=lead.games, elo=lead, sprt=test)

    def _test(self) -> Sprt:
        return sprt.run_sprt(self._encounters.sample, self._question.bounds)


class _GamesRule:
    """Settled after a number of games."""

    def __init__(self, question: GameCount) -> None:
        self._wanted, self._games = question.count, 0

    def add_agents(self, names: set[str]) -> None:
        """Nothing to do: games of all agents count."""

    def add_deal(self, deal: Sequence[GameSummary]) -> bool:
        self._games += len(deal)
        return self._games >= self._wanted

    def answer(self) -> QuestionAnswer:
        verdict: Verdict = "yes" if self._games >= self._wanted else "not yet"
        sentence = f"{count(self._wanted, 'game')} played: {verdict}, {self._games} so far"
        return QuestionAnswer(verdict=verdict, sentence=sentence, games=self._games)


class _Pace:
    """When to compute an interval next. Intervals shrink with the square root of the number of deals, so one that is far
    too wide need not be recomputed soon."""

    def __init__(self, target: float) -> None:
        self._target = target
        self._deals, self._due = 0, 2

    def step(self) -> bool:
        """Count one more deal; return whether the interval is due."""
        self._deals += 1
        return self._deals >= self._due

    def computed(self, margin: float) -> None:
        """Choose the next time, given the margin just computed."""
        longer = min(2.0, max(1.02, 0.9 * (margin / self._target) ** 2)) if math.isfinite(margin) else 2.0
        self._due = max(self._deals + 1, math.ceil(self._deals * longer))


class _LeadRule:
    """Settled when the lead of one agent over another is known precisely enough."""

    def __init__(self, margin: float, encounters: _Encounters) -> None:
        self._wanted, self._encounters, self._pace = margin, encounters, _Pace(margin)
        self._reached = False

    def add_agents(self, names: set[str]) -> None:
        """Nothing to do: the question names its two agents."""

    def add_deal(self, deal: Sequence[GameSummary]) -> bool:
        if self._encounters.add_deal(deal) and self._pace.step():
            margin = self._encounters.lead().margin
            self._pace.computed(margin)
            self._reached = margin <= self._wanted
        return self._reached

    def answer(self) -> QuestionAnswer:
        lead = self._encounters.lead()
        verdict: Verdict = "yes" if self._reached else "not yet"
        claim = f"the lead of {self._encounters.one} over {self._encounters.other} is known to ±{self._wanted:g} Elo"
        sentence = f"{claim}: {verdict}, {lead_with_games(lead)}"
        return QuestionAnswer(verdict=verdict, sentence=sentence, games=lead.games, elo=lead)


class _RatingsRule:
    """Settled when the rating of every agent is known precisely enough."""

    def __init__(self, margin: float) -> None:
        self._wanted, self._pace = margin, _Pace(margin)
        self._names: set[str] = set()
        self._played: list[GameSummary] = []
        self._widest: tuple[float, str] = (math.inf, "")

    def add_agents(self, names: set[str]) -> None:
        self._names |= names

    def add_deal(self, deal: Sequence[GameSummary]) -> bool:
        self._played += deal
        if self._pace.step():
            fit = plackett_luce.fit(self._played, self._names)
            if len(fit.groups) == 1:
                self._widest = max((rating.margin, rating.name) for rating in fit.ratings())
            self._pace.computed(self._widest[0])
        return self._widest[0] <= self._wanted

    def answer(self) -> QuestionAnswer:
        widest, name = self._widest
        verdict: Verdict = "yes" if widest <= self._wanted else "not yet"
        known = f"the least certain is {name}, {margin(widest)}" if name else "not all agents can be compared yet"
        claim = f"every rating is known to ±{self._wanted:g} Elo"
        sentence = f"{claim}: {verdict}, {known}, after {count(len(self._played), 'game')}"
        return QuestionAnswer(verdict=verdict, sentence=sentence, games=len(self._played))
