"""The agenda of a contest: which games to play next, and which of those played count.

Everything here follows from the games in the order of the schedule. The order in which they happen to finish, and the
number of workers, make no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress
from arbiter.contest.scheduled import GameSummary, Played, ScheduledGame
from arbiter.contest.statistics import wording
from arbiter.contest.statistics.until import OpenQuestion


class Agenda:
    """The games scheduled so far, and what follows from the games played."""

    def __init__(self, contest: Contest, ledger: Ledger, progress: ContestProgress) -> None:
        self.contest = contest
        self._ledger, self._progress = ledger, progress
        self._order: list[ScheduledGame] = []
        """Games scheduled so far."""
        self._positions: dict[ScheduledGame, int] = {}
        """The position of each in that order, from 1."""
        self._set_aside: dict[str, int] = {}
        """Agents that were set aside, each with the position of the game that settled it. None of their games count."""
        self._void: set[str] = set()
        """Those among them whose games the question leaves out; see :meth:`update_answer`."""
        self._question = OpenQuestion(contest.until) if contest.until else None

    def missing_games(self) -> list[ScheduledGame]:
        """The games to play next; brings the progress up to date.

        An agent that is set aside leaves after a stage, so the other games of the stage do not depend on when that was
        noticed.
        """
        missing: list[ScheduledGame] = []
        active: list[str] = []
        while not missing and active != self._active():
            active = self._active()
            history = self._history()
            for stage in self.contest.schedule.unfold(active, history):
                self._append(stage.games)
                missing = [game for game in stage.games if game not in history and self.counts(game)]
                if missing or active != self._active():
                    break
        self.update_progress()
        return missing

    def counts(self, game: ScheduledGame) -> bool:
        """Whether a game is played and counts: none of its agents has been set aside, before it or after it."""
        return self._set_aside.keys().isdisjoint(game.seats)

    def settled(self) -> bool:
        """Whether the question has its answer."""
        return bool(self._progress.answer and self._progress.answer.settled)

    def update_set_aside(self) -> bool:
        """Find agents without a single valid answer in their first games; returns whether that has changed."""
        most = self.contest.set_aside
        if not most or not self.contest.schedule.agents_may_leave:
            return False
        found = agents_to_set_aside(self._order, self._ledger.played, self.contest.names, most)
        if found == self._set_aside:
            return False
        self._set_aside = found
        self._progress.set_aside = dict.fromkeys(found, most)
        return True

    def update_answer(self) -> None:
        """Answer the question from the games played so far.

        The answer is that of playing one game after the other, whichever games finish first: the question leaves out the games
        of an agent from the game on that set it aside, unless it was settled before.
        """
        if not self._question or not self.contest.until:
            return
        self._progress.answer = self._question.answer(self._ledger.played)
        for name, position in sorted(self._set_aside.items(), key=lambda each: each[1]):
            if name in self._void:
                continue
            if self._progress.answer.settled:
                reached = self._question.last is not None and self._positions[self._question.last] >= position
            else:
                reached = self._question.next is None or self._positions[self._question.next] > position
            if not reached:
                break
            self._void.add(name)
            self._question = OpenQuestion(self.contest.until, self._without_void(self._order))
            self._progress.answer = self._question.answer(self._ledger.played)

    def _without_void(self, games: Sequence[ScheduledGame]) -> list[ScheduledGame]:
        return [game for game in games if self._void.isdisjoint(game.seats)]

    def update_progress(self) -> None:
        """Count the games played and to be played, both from the same games: those of the schedule."""
        known = {game: outcome for game, outcome in self._history().items() if game in self._positions}
        void = sum(not self.counts(game) for game in known)
        total = self.contest.schedule.total(self._active(), known)
        self._progress.played = len(known) - void
        self._progress.total = None if total is None else total - void
        self.update_answer()

    def drop_uncounted(self) -> None:
        """Reduce the ledger to the games of the schedule, up to the game that settled the question. Other games may be there
        from earlier runs, or were being played when the question was settled. Void games stay: rounds were drawn by them."""
        answer = self._progress.answer
        if answer and answer.settled_after is not None:
            games = self._without_void(self._order)[: answer.settled_after]
            self._set_aside = {name: position for name, position in self._set_aside.items() if name in self._void}
            games += [game for game in self._order if not self.counts(game) and self._was_drawn(game)]
        else:
            games = list(filter(self._was_drawn, self._order))
        notes = self._progress.notes
        if count := self._ledger.keep(games):
            do = "game that was played does" if count == 1 else "games that were played do"
            settled = answer and answer.settled_after is not None
            why = "the question was already settled" if settled else "no longer in the schedule"
            notes.append(f"{count} {do} not count: {why}")
        self._progress.set_aside = dict.fromkeys(self._set_aside, self.contest.set_aside)
        void = self._ledger.void(self._set_aside)
        notes += [
            f"{name} was set aside: no valid answer in its first {most} games ({_faults_of(name, void)}); all its games are "
            "void, for its opponents too"
            for name, most in self._progress.set_aside.items()
        ]

    def _append(self, games: Sequence[ScheduledGame]) -> None:
        """Add games to the known schedule, unless they are part of it."""
        new = [game for game in games if game not in self._positions]
        if not new:
            return
        self._ledger.number(new)
        self._positions |= {game: position for position, game in enumerate(new, len(self._order) + 1)}
        self._order += new
        if self._question:
            self._question.extend(self._without_void(new))
        self.update_set_aside()

    def _active(self) -> list[str]:
        return [name for name in self.contest.names if name not in self._set_aside]

    def _history(self) -> dict[ScheduledGame, GameSummary]:
        """The games by which rounds were drawn: those of an agent that was set aside as well, up to the game that settled it."""
        played = self._ledger.played
        if not self._set_aside:
            return played
        return {game: outcome for game, outcome in played.items() if self._was_drawn(game)}

    def _was_drawn(self, game: ScheduledGame) -> bool:
        position = self._positions.get(game, 0)
        return all(position <= self._set_aside.get(name, position) for name in game.seats)


def _faults_of(name: str, games: Iterable[GameSummary]) -> str:
    """Return the faults of an agent in these games, in words."""
    kinds = Counter[str]()
    for outcome in games:
        for seat, each in enumerate(outcome.game.seats):
            kinds.update(fault.kind for fault in outcome.faults if each == name and fault.seat == seat)
    return wording.faults(kinds)


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
