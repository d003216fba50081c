"""Running a contest: workers play the missing games until none is missing or the question is settled.

Which games there are is decided by the schedule, what was played by the ledger; this module brings them together.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Sequence

from arbiter.agents.prepare.agent import needs_network
from arbiter.contest.agenda import Agenda
from arbiter.contest.checks import (
    NOT_STARTED,
    check_chance,
    check_same_conditions,
    check_versions,
    clean_up,
    left_out_notes,
)
from arbiter.contest.definition import Contest
from arbiter.contest.interrupts import Interrupts
from arbiter.contest.ledger import Ledger, contest_lock
from arbiter.contest.making import contest_protocol
from arbiter.contest.players import MakePlayers, Players
from arbiter.contest.pool import Pool
from arbiter.contest.progress import ContestObserver, ContestProgress, RunResult
from arbiter.contest.reloading import Reload, describe_change, reloaded
from arbiter.contest.saved_definition import save_definition
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.secret import reveal
from arbiter.contest.statistics.host_effect import host_notes
from arbiter.contest.statistics.pairs import DealKey, deal_of
from arbiter.contest.worker import Done
from arbiter.errors import UserError
from arbiter.playing.job import Job

_TRIES = 3
"""How often to try a game whose worker dies, or that fails for technical reasons, before giving up."""


def run_contest(
    contest: Contest,
    observer: ContestObserver | None = None,
    reload: Reload | None = None,
    players: MakePlayers | None = None,
    *,
    teams: bool = False,
) -> RunResult:
    """Play the missing games. Raises UserError before the first game if something is wrong with the contest.

    ``reload`` is called between stages: agents may join and leave while a contest runs.
    ``players`` creates what plays the games; by default, worker processes on this machine. With ``teams``, it also seats
    agents that play over the network.
    """
    plan = contest.runnable_plan
    for entrant in () if teams else plan.entrants:
        if entrant.agent.is_remote:
            raise UserError(needs_network(entrant.agent))
    with contest_lock(contest.folder):
        ledger = Ledger(contest.folder, plan.protocol.name)
        check_same_conditions(contest, plan, ledger)
        check_chance(contest, ledger)
        notes, again = list(plan.notes), list[str]()
        # Games of other versions that are kept count, so the report mentions them; others are played again.
        (notes if contest.changed == "keep" else again).extend(check_versions(contest, plan, ledger))
        again += clean_up(contest, ledger)
        running = _Run(contest, ledger, observer, notes, again)
        running.save_definition()
        return running.play(reload, players or Pool)


def current_result(contest: Contest, ledger: Ledger | None = None) -> RunResult:
    """The result so far, without playing. The programs of the agents are not needed.

    ``ledger`` is that of the contest, if it has been read already; it is left as it is.
    """
    protocol = contest.plan.protocol if contest.plan else contest_protocol(contest.definition)
    ledger = ledger.snapshot() if ledger else Ledger(contest.folder, protocol.name)
    notes = [*left_out_notes(ledger), *(f"{problem}: it does not count" for problem in ledger.damaged)]
    return _Run(contest, ledger, notes=notes).result()


def _by_deal(games: Sequence[ScheduledGame]) -> list[ScheduledGame]:
    """Put the games of a deal one after the other: on a cluster, they are played on the same host."""
    order: dict[DealKey, int] = {}
    return sorted(games, key=lambda game: order.setdefault(deal_of(game), len(order)))


class _Run:
    """One run of a contest."""

    def __init__(
        self,
        contest: Contest,
        ledger: Ledger,
        observer: ContestObserver | None = None,
        notes: Sequence[str] = (),
        announcements: Sequence[str] = (),
    ) -> None:
        self._contest, self._ledger, self._observer = contest, ledger, observer
        self._tries: dict[ScheduledGame, int] = {}
        self._waiting: deque[ScheduledGame] = deque()
        self._interrupts = Interrupts()
        self._progress = ContestProgress(contest.names, None, notes=[*contest.notes, *notes])
        self._progress.announcements += announcements
        self._agenda = Agenda(contest, ledger, self._progress)

    def save_definition(self) -> None:
        """Write the definition of the contest to its folder."""
        save_definition(self._contest, [secret.commitment for secret in self._ledger.secrets])

    def play(self, reload: Reload | None, players: MakePlayers) -> RunResult:
        """Play until no game is missing, the question is settled, or the user interrupts."""
        batch = self._next_games()
        stages = {game.stage for game in batch}
        if batch and not self._over():
            self._progress.chance = self._choose_chance()
        workers = self._contest.workers or len(os.sched_getaffinity(0))
        with self._interrupts.handled() as wake_up:
            while batch and not self._over():
                with players(self._contest.runnable_plan, self._contest.definition.name, workers, wake_up) as pool:
                    self._progress.announcements += pool.news()
                    self._notify()
                    changed = False
                    while batch and not self._over() and not changed:
                        self._play_batch(pool, batch)
                        changed = self._reload(reload)
                        batch = self._wait_for_organiser(stages, self._next_games())
        result = self.result()
        if result.complete:
            self._ledger.secrets = reveal(self._contest.folder)
        return result

    def _wait_for_organiser(self, stages: set[str], batch: list[ScheduledGame]) -> list[ScheduledGame]:
        """Return the games to play next: none if they belong to other stages than this run began with, in a contest that
        pauses between stages. What has been played says where to go on, so running the contest again ends the pause."""
        after = dict.fromkeys(game.stage for game in batch)
        if not self._contest.pause or self._interrupts.count or not stages.isdisjoint(after):
            return batch
        self._progress.paused = " and ".join(after)
        return []

    def _choose_chance(self) -> str:
        """Draw a secret unless there is an unrevealed one, or a seed; return what to publish before the first game."""
        secrets = self._ledger.secrets
        if self._contest.seeded:
            return f"agents can predict the deals: seed {self._contest.schedule.seed} was given"
        if self._ledger.played and not secrets:
            return "agents can predict the deals: this contest was started without a secret"
        if not secrets or secrets[-1].revealed:
            self._ledger.draw_secret()
            self.save_definition()
        return (
            f"every deal is derived from a secret, {self._ledger.secrets[-1].commitment}, which is revealed at the end"
        )

    def result(self) -> RunResult:
        """The result so far."""
        missing = self._next_games()
        complete = self._agenda.settled() or not (missing or self._progress.not_played)
        self._agenda.drop_uncounted()
        self._agenda.update_progress()
        known, numbers = set(self._contest.names), self._ledger.numbers
        games = self._ledger.played.items()
        counted = [outcome for game, outcome in games if known.issuperset(game.seats) and not outcome.annulled]
        counted.sort(key=lambda outcome: numbers[outcome.game])
        self._progress.notes += host_notes(counted, self._contest.schedule.scoring)
        return RunResult(self._ledger, counted, self._progress, complete)

    def _next_games(self) -> list[ScheduledGame]:
        numbers, given_up = self._ledger.numbers, self._progress.not_played
        return [game for game in self._agenda.missing_games() if numbers[game] not in given_up]

    def _over(self) -> bool:
        return bool(self._interrupts.count) or self._agenda.settled()

    def _play_batch(self, pool: Players, batch: Sequence[ScheduledGame]) -> None:
        self._waiting = deque(_by_deal(batch))
        begun = False
        while (self._waiting and not self._over()) or pool.in_hand:
            if self._over():
                pool.stop_soon()
            while self._waiting and pool.free and not self._over():
                self._begin(pool, self._waiting.popleft())
            if not begun:
                begun = True
                self._notify()
            self._collect(pool)

    def _begin(self, pool: Players, game: ScheduledGame) -> None:
        self._tries[game] = self._tries.get(game, 0) + 1
        path = self._ledger.path(game)
        path.unlink(missing_ok=True)  # files of an earlier attempt
        more = bool(self._waiting) and deal_of(self._waiting[0]) == deal_of(game)
        host = self._ledger.host(game)
        pool.begin(
            Job(
                game,
                self._ledger.numbers[game],
                str(path),
                self._ledger.deal_seed(game),
                host,
                more,
                len(self._waiting),
            )
        )
        self._progress.in_hand, self._progress.running = pool.in_hand, pool.running

    def _collect(self, pool: Players) -> None:
        for job, done in pool.wait():
            self._progress.in_hand, self._progress.running = pool.in_hand, pool.running
            self._finish(job, done)
            self._notify()
        self._interrupts.check()
        known, self._progress.running = self._progress.running, pool.running
        if (news := pool.news()) or known != self._progress.running:
            self._progress.announcements += news
            self._notify()
        if self._interrupts.count and not self._progress.stopping:
            self._progress.stopping = True
            self._notify()

    def _finish(self, job: Job, done: Done) -> None:
        if done.annulled:
            self._annul(job.game, done.annulled)
            return
        if job.game in self._ledger.played:  # it was reported before its worker died
            return
        outcome = self._enter(job, done)
        if outcome and self._contest.retry_technical and outcome.technical and self._tries[job.game] < _TRIES:
            self._ledger.annul(job.game, f"technical: {NOT_STARTED}")
            outcome, done = None, Done(job.number, NOT_STARTED)
        if done.bug:
            self._progress.notes.append(done.bug)
        if outcome is None:
            self._retry_or_give_up(job, done)
            return
        self._progress.last = outcome
        self._progress.now_played += 1
        if self._agenda.update_set_aside():
            self._waiting = deque(filter(self._agenda.counts, self._waiting))
            self._agenda.update_progress()
            return
        self._progress.played += self._agenda.counts(job.game)
        self._agenda.update_answer()

    def _annul(self, game: ScheduledGame, because: str) -> None:
        """Annul a game of this run on the organiser's order; it is played again."""
        if game in self._ledger.played:
            self._ledger.annul(game, because)
            self._tries.pop(game, None)
            self._waiting.append(game)
            self._agenda.update_progress()

    def _enter(self, job: Job, done: Done) -> GameSummary | None:
        """Enter a game in the ledger; None if it has no record with a result."""
        path = self._ledger.path(job.game)
        if done.outcome is None or not path.is_file():
            return self._ledger.add(path)  # the record counts, even if the worker has died
        return self._ledger.add_outcome(done.outcome, path, self._contest.runnable_plan.sandbox.level)

    def _retry_or_give_up(self, job: Job, done: Done) -> None:
        """Handle a game that was not finished through no fault of the agents."""
        reason, tries = done.error or "it has left no record", self._tries[job.game]
        if tries < (_TRIES if done.lost or self._contest.retry_technical else 1):
            self._waiting.append(job.game)
            self._progress.announcements.append(f"game {job.number} is played again: {reason}")
            return
        if tries > 1:
            reason = f"{reason}, after {tries} tries"
        self._progress.not_played[job.number] = reason
        self._progress.announcements.append(f"game {job.number} could not be played: {reason}")

    def _reload(self, reload: Reload | None) -> bool:
        """Continue with the contest as the organiser has changed it; return whether it has changed."""
        old = self._contest
        try:
            new = reloaded(old, reload, self._ledger)
        except UserError as error:
            self._progress.notes.append(f"the change is ignored: {error}")
            return False
        if new is None:
            return False
        self._progress.notes += describe_change(old, new)
        self._contest = self._agenda.contest = new
        self._progress.names = new.names
        self.save_definition()
        return True

    def _notify(self) -> None:
        if self._observer:
            self._observer(self._progress, self._ledger)
