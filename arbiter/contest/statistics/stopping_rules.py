"""What the deals played so far say of a question: a gauge for every kind of question, which takes deal after deal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import msgspec

from arbiter.contest.scheduled import Outcome
from arbiter.contest.statistics import elo, plackett_luce, sprt
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.elo import Elo
from arbiter.contest.statistics.pairs import duel
from arbiter.contest.statistics.question import Better, Games, Precision, Question
from arbiter.contest.statistics.sprt import Sprt, Verdict


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a question."""

    verdict: Verdict
    sentence: str
    """In plain English."""
    games: int
    """Games that the answer rests on."""
    settled_after: int | None = None
    """Length of the shortest beginning of the schedule that settled it; later games change nothing."""
    elo: Elo | None = None
    """For a question about two agents: the lead of the first. The interval is that of a fixed number of games: those
    of a test that stopped because it was sure tend to flatter the winner a little."""
    sprt: Sprt | None = None

    @property
    def settled(self) -> bool:
        """No more games are needed."""
        return self.settled_after is not None


class Gauge(Protocol):
    """Measures one question."""

    def expect(self, names: set[str]) -> None:
        """These agents are going to play."""

    def take(self, deal: Sequence[Outcome]) -> bool:
        """One more deal: is the question settled now?"""

    def answer(self) -> Answer:
        """What is known."""


def gauge(question: Question) -> Gauge:
    """The one for this kind of question."""
    match question:
        case Better():
            return _BetterGauge(question)
        case Games():
            return _GamesGauge(question)
        case Precision(pair=None):
            return _RatingsGauge(question.margin)
        case Precision(pair=(one, other)):
            return _LeadGauge(question.margin, _Match(one, other))
        case _:
            raise AssertionError(question)


class _Match:
    """What two agents got against each other."""

    def __init__(self, one: str, other: str) -> None:
        self.one, self.other = one, other
        self.sample = Sample()
        self.games = 0

    def take(self, deal: Sequence[Outcome]) -> bool:
        """One more deal: did they meet in it?"""
        met = [score for outcome in deal if (score := duel(outcome, self.one, self.other)) is not None]
        if met:
            self.sample.add(sum(met) / len(met))
            self.games += len(met)
        return bool(met)

    def lead(self) -> Elo:
        return elo.of_sample(self.sample, self.games)


class _BetterGauge:
    def __init__(self, question: Better) -> None:
        self._question = question
        self._match = _Match(question.one, question.other)

    def expect(self, names: set[str]) -> None:
        """Only the two matter."""

    def take(self, deal: Sequence[Outcome]) -> bool:
        return self._match.take(deal) and self._test().verdict != "not yet"

    def answer(self) -> Answer:
        asked, bounds = self._question, self._question.bounds
        lead, test = self._match.lead(), self._test()
        said: str = test.verdict
        if said == "no":
            said = f"no, not by {_minus(f'{bounds.elo1:g}')} Elo"
        elif said == "yes" and bounds.elo0:
            said = f"yes, by more than {_minus(f'{bounds.elo0:g}')} Elo"
        sentence = f"{asked.one} is better than {asked.other}: {said}, {_told(lead)}"
        return Answer(verdict=test.verdict, sentence=sentence, games=lead.games, elo=lead, sprt=test)

    def _test(self) -> Sprt:
        return sprt.examine(self._match.sample, self._question.bounds)


class _GamesGauge:
    def __init__(self, question: Games) -> None:
        self._wanted, self._games = question.count, 0

    def expect(self, names: set[str]) -> None:
        """Whoever plays."""

    def take(self, deal: Sequence[Outcome]) -> bool:
        self._games += len(deal)
        return self._games >= self._wanted

    def answer(self) -> Answer:
        verdict: Verdict = "yes" if self._games >= self._wanted else "not yet"
        sentence = f"{_games(self._wanted)} played: {verdict}, {self._games} so far"
        return Answer(verdict=verdict, sentence=sentence, games=self._games)


class _Pace:
    """When to measure next: intervals shrink with the root of the deals, so one that is far too wide can wait."""

    def __init__(self, target: float) -> None:
        self._target = target
        self._deals, self._due = 0, 2

    def step(self) -> bool:
        """One more deal: is it time?"""
        self._deals += 1
        return self._deals >= self._due

    def found(self, margin: float) -> None:
        """What was measured."""
        longer = min(2.0, max(1.02, 0.9 * (margin / self._target) ** 2)) if math.isfinite(margin) else 2.0
        self._due = max(self._deals + 1, math.ceil(self._deals * longer))


class _LeadGauge:
    def __init__(self, margin: float, match: _Match) -> None:
        self._wanted, self._match, self._pace = margin, match, _Pace(margin)
        self._reached = False

    def expect(self, names: set[str]) -> None:
        """Only the two matter."""

    def take(self, deal: Sequence[Outcome]) -> bool:
        if self._match.take(deal) and self._pace.step():
            margin = self._match.lead().margin
            self._pace.found(margin)
            self._reached = margin <= self._wanted
        return self._reached

    def answer(self) -> Answer:
        lead = self._match.lead()
        verdict: Verdict = "yes" if self._reached else "not yet"
        what = f"the lead of {self._match.one} over {self._match.other} is known to ±{self._wanted:g} Elo"
        return Answer(verdict=verdict, sentence=f"{what}: {verdict}, {_told(lead)}", games=lead.games, elo=lead)


class _RatingsGauge:
    def __init__(self, margin: float) -> None:
        self._wanted, self._pace = margin, _Pace(margin)
        self._names: set[str] = set()
        self._played: list[Outcome] = []
        self._widest: tuple[float, str] = (math.inf, "")

    def expect(self, names: set[str]) -> None:
        self._names |= names

    def take(self, deal: Sequence[Outcome]) -> bool:
        self._played += deal
        if self._pace.step():
            ratings = plackett_luce.rate(self._played, self._names)
            if ratings.groups == 1:
                self._widest = max((rating.margin, rating.name) for rating in ratings.ratings)
            self._pace.found(self._widest[0])
        return self._widest[0] <= self._wanted

    def answer(self) -> Answer:
        margin, name = self._widest
        verdict: Verdict = "yes" if margin <= self._wanted else "not yet"
        known = f"the widest is that of {name}, ±{_rounded(margin):g}" if name else "not everybody can be compared"
        told = f"{verdict}, {known}, after {_games(len(self._played))}"
        sentence = f"every rating is known to ±{self._wanted:g} Elo: {told}"
        return Answer(verdict=verdict, sentence=sentence, games=len(self._played))


def _told(lead: Elo) -> str:
    """``+34 Elo (95 %: +12 to +57), after 412 games``."""
    if not lead.games:
        return "they have not met"
    if lead.score == 1:
        span = f"it won everything, at least {_signed(lead.low)} Elo (95 %)"
    elif lead.score == 0:
        span = f"it lost everything, at most {_signed(lead.high)} Elo (95 %)"
    else:
        span = f"{_signed(lead.elo)} Elo (95 %: {_signed(lead.low)} to {_signed(lead.high)})"
    return f"{span}, after {_games(lead.games)}"


def _signed(value: float) -> str:
    return _minus(f"{_rounded(value):+g}")


def _minus(number: str) -> str:
    return number.replace("-", "−")


def _rounded(value: float) -> float:
    """Whole numbers where they are large; never minus zero."""
    return (round(value) if abs(value) >= 10 else round(value, 1)) + 0.0


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
