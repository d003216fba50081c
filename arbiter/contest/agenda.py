"""The agenda of a contest: which games to play next, and which of those played count.

Everything here follows from the games in the order of the schedule. The order in which they happen to finish, and the
number of workers, make no difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.outcomes import agents_to_set_aside
from arbiter.contest.progress import ContestProgress
from arbiter.contest.scheduled import Outcome, ScheduledGame
from arbiter.contest.statistics.until import OpenQuestion


class Agenda:
    """The schedule as far as it is known, and what follows from the games played so far."""

    def __init__(self, contest: Contest, ledger: Ledger, progress: ContestProgress) -> None:
        self.contest = contest
        self._ledger, self._progress = ledger, progress
        self._order: list[ScheduledGame] = []
        """Games of the schedule, as far as it is known."""
        self._positions: dict[ScheduledGame, int] = {}
        """The position of each in that order, from 1."""
        self._set_aside: dict[str, int] = {}
        """Agents that were set aside, each with the position of its last game that counts."""
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
            counting = self._counting()
            for stage in self.contest.schedule.unfold(active, counting):
                self._append(stage.games)
                missing = [game for game in stage.games if game not in counting and self.is_open(game)]
                if missing or active != self._active():
                    break
        self.update_progress()
        return missing

    def is_open(self, game: ScheduledGame) -> bool:
        """Whether none of its agents has been set aside."""
        return self._set_aside.keys().isdisjoint(game.seats)

    def counts(self, game: ScheduledGame) -> bool:
        """Whether a game counts: none of its agents was set aside before it."""
        position = self._positions.get(game, 0)
        return all(position <= self._set_aside.get(name, position) for name in game.seats)

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
        if self.contest.until:  # the question must not wait for games that do not count
            self._question = OpenQuestion(self.contest.until, filter(self.counts, self._order))
        return True

    def update_answer(self) -> None:
        """Answer the question from the games played so far."""
        if self._question:
            self._progress.answer = self._question.answer(self._ledger.played)

    def update_progress(self) -> None:
        """Count the games played and to be played, both from the same games: those of the schedule."""
        known = {game: outcome for game, outcome in self._counting().items() if game in self._positions}
        self._progress.played = len(known)
        self._progress.total = self.contest.schedule.total(self._active(), known)
        self.update_answer()

    def drop_uncounted(self) -> None:
        """Reduce the ledger to the games that the result is based on: those of the schedule, up to the game that settled
        the question. Other games may be there from earlier runs, or were being played when the question was settled."""
        games = [game for game in self._order if self.counts(game)]
        answer = self._progress.answer
        if answer and answer.settled_after is not None:
            games = games[: answer.settled_after]
            last = self._positions[games[-1]]
            self._set_aside = {name: position for name, position in self._set_aside.items() if position <= last}
        notes = self._progress.notes
        if count := self._ledger.keep(games):
            do = "game that was played does" if count == 1 else "games that were played do"
            settled = answer and answer.settled_after is not None
            why = "the question was already settled" if settled else "no longer in the schedule"
            notes.append(f"{count} {do} not count: {why}")
        self._progress.set_aside = dict.fromkeys(self._set_aside, self.contest.set_aside)
        notes += [
            f"{name} was set aside: no valid answer in its first {most} games"
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
        if not self.update_set_aside() and self._question:
            self._question.extend(new)

    def _active(self) -> list[str]:
        return [name for name in self.contest.names if name not in self._set_aside]

    def _counting(self) -> dict[ScheduledGame, Outcome]:
        played = self._ledger.played
        if not self._set_aside:
            return played
        return {game: outcome for game, outcome in played.items() if self.counts(game)}
