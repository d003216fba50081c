"""Running a contest: what is missing is played, by as many workers as wanted, until nothing is missing or the question is
settled.

Which games there are is the schedule's business, what came of them the ledger's; here they are only brought together. The
order in which games happen to finish decides nothing: whatever is concluded while they come in is concluded from the games
in the order of the schedule.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

from arbiter import registry
from arbiter.contest.checks import NOT_STARTED, check_same, check_versions, clean_up
from arbiter.contest.definition import Contest
from arbiter.contest.file import save_definition
from arbiter.contest.ledger import Ledger, locked
from arbiter.contest.outcomes import hopeless, spoilt
from arbiter.contest.pool import Pool
from arbiter.contest.scheduled import Outcome, ScheduledGame
from arbiter.contest.statistics.until import OpenQuestion, QuestionAnswer
from arbiter.contest.worker import Done, Job
from arbiter.errors import UserError
from arbiter.workspace import Workspace

_TRIES = 3
"""Times that a game is begun before it is given up on."""


@dataclass(slots=True)
class Progress:
    """How far a contest is; told to whoever watches after every game."""

    names: Sequence[str]
    """All agents."""
    total: int | None
    """Games in the end, as far as can be told; None if there is no end."""
    played: int = 0
    now_played: int = 0
    """Of those, in this run."""
    in_hand: int = 0
    started: float = field(default_factory=time.monotonic)
    set_aside: dict[str, int] = field(default_factory=dict)
    """Agents that were, each with the number of games after which."""
    not_played: dict[int, str] = field(default_factory=dict)
    """Games by number that could not be, with the reason."""
    stopping: bool = False
    answer: QuestionAnswer | None = None
    """To the question of ``--until``."""
    last: Outcome | None = None
    """The game that has just ended."""
    notes: list[str] = field(default_factory=list)
    """What the organiser should know; in the order it came up."""

    def left_s(self) -> float | None:
        """Seconds to go, if games go on taking as long as they did; None if that cannot be told."""
        if self.total is None or not self.now_played:
            return None
        return (time.monotonic() - self.started) / self.now_played * max(0, self.total - self.played)


Watcher = Callable[[Progress, Ledger], None]


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of a run."""

    ledger: Ledger
    counted: list[Outcome]
    """Games that the result rests on, by number."""
    progress: Progress
    complete: bool
    """Whether everything was played, or the question settled."""


Reload = Callable[[], Contest | None]
"""The contest as the organiser has changed it meanwhile; None if he has not. Raises UserError if it cannot be run."""


def run(contest: Contest, watch: Watcher | None = None, reload: Reload | None = None) -> Ending:
    """Play what is missing. Raises UserError before the first game if something is wrong with the contest.

    ``reload`` is asked between stages: agents may come and go while a contest runs.
    """
    plan = contest.terms.plan(contest.folder)
    with locked(contest.folder):
        ledger = Ledger(contest.folder, plan.protocol.secondary)
        check_same(contest, plan, ledger)
        notes = [*plan.notes, *check_versions(contest, plan, ledger), *clean_up(contest, ledger)]
        save_definition(contest)
        return _Run(contest, ledger, watch, notes).play(reload)


def look(contest: Contest) -> Ending:
    """What has come of a contest so far, without playing. The programs of its agents need not be there."""
    workspace = Workspace(Path(contest.terms.workspace) if contest.terms.workspace else None)
    protocol = registry.find(contest.terms.protocol, workspace)
    return _Run(contest, Ledger(contest.folder, protocol.secondary)).ending()


class _Run:
    """One run of a contest."""

    def __init__(
        self, contest: Contest, ledger: Ledger, watch: Watcher | None = None, notes: Sequence[str] = ()
    ) -> None:
        self._contest, self._ledger, self._watch = contest, ledger, watch
        self._order: list[ScheduledGame] = []
        """Games of the schedule as far as it is known."""
        self._places: dict[ScheduledGame, int] = {}
        """Of each in that, from 1."""
        self._out: dict[str, int] = {}
        """Agents that were set aside, each with the place of the last game of theirs that counts."""
        self._question = OpenQuestion(contest.until) if contest.until else None
        self._tries: dict[ScheduledGame, int] = {}
        self._waiting: deque[ScheduledGame] = deque()
        self._stop = 0
        self.progress = Progress(contest.names, None, notes=[*contest.notes, *notes])

    # -- what there is to play

    def _unfold(self) -> list[ScheduledGame]:
        """What to play next, with everything that follows from the games so far brought up to date.

        Who is set aside leaves after a stage, so that what else is played in it does not depend on when that was noticed.
        """
        missing: list[ScheduledGame] = []
        active: list[str] = []
        while not missing and active != self._active():
            active = self._active()
            counting = self._counting()
            for stage in self._contest.schedule.unfold(active, counting):
                self._schedule(stage.games)
                missing = [key for key in stage.games if key not in counting and self._out.keys().isdisjoint(key.seats)]
                if missing or active != self._active():
                    break
        self._take_stock()
        return [key for key in missing if self._tries.get(key, 0) < self._most_tries()]

    def _schedule(self, games: Sequence[ScheduledGame]) -> None:
        """These come next, unless that is known."""
        new = [key for key in games if key not in self._places]
        if not new:
            return
        self._ledger.number(new)
        self._places |= {key: place for place, key in enumerate(new, len(self._order) + 1)}
        self._order += new
        if not self._set_aside() and self._question:
            self._question.extend(new)

    def _active(self) -> list[str]:
        return [name for name in self._contest.names if name not in self._out]

    def _counts(self, key: ScheduledGame) -> bool:
        """Not one that an agent played which was set aside before."""
        place = self._places.get(key, 0)
        return all(place <= self._out.get(name, place) for name in key.seats)

    def _counting(self) -> dict[ScheduledGame, Outcome]:
        played = self._ledger.played
        return {key: outcome for key, outcome in played.items() if self._counts(key)} if self._out else played

    def _set_aside(self) -> bool:
        """Agents without a single good answer in their first games; whether there are more of them now."""
        most = self._contest.set_aside
        if not most or not self._contest.schedule.agents_may_leave:
            return False
        out = hopeless(self._order, self._ledger.played, self._contest.names, most)
        if out == self._out:
            return False
        self._out = out
        self.progress.set_aside = dict.fromkeys(out, most)
        if self._contest.until:  # games that do not count are not to be waited for
            self._question = OpenQuestion(self._contest.until, filter(self._counts, self._order))
        return True

    def _take_stock(self) -> None:
        """How far it is."""
        progress, counting, active = self.progress, self._counting(), set(self._active())
        progress.played = sum(key in self._places or not active.issuperset(key.seats) for key in counting)
        progress.total = self._contest.schedule.total(self._active(), counting)
        if self._question:
            progress.answer = self._question.answer(self._ledger.played)

    def _most_tries(self) -> int:
        return _TRIES if self._contest.retry_technical else 1

    def _put_aside(self) -> None:
        """Keep what the result rests on: games of the schedule, up to where the question was settled. Others may be there as
        well, from other times, or because they were in hand when it was clear that they are not needed."""
        games = [key for key in self._order if self._counts(key)]
        answer = self.progress.answer
        if answer and answer.settled_after is not None:
            games = games[: answer.settled_after]
            self._out = {name: place for name, place in self._out.items() if place <= self._places[games[-1]]}
        if more := self._ledger.keep(games):
            are = "game that was played does" if more == 1 else "games that were played do"
            self.progress.notes.append(f"{more} {are} not count: not asked for, or not needed any more")
        self.progress.set_aside = dict.fromkeys(self._out, self._contest.set_aside)
        self.progress.notes += [
            f"{name} was set aside: not one good answer in its first {most} games"
            for name, most in self.progress.set_aside.items()
        ]

    # -- playing

    def play(self, reload: Reload | None = None) -> Ending:
        """Until nothing is missing, the question is settled, or somebody says stop."""
        batch = self._unfold()
        workers = self._contest.workers or len(os.sched_getaffinity(0))
        with self._listening_for_signals() as signals:
            while batch and not self._over():
                with Pool(self._contest.terms, self._contest.folder, workers, signals) as pool:
                    self._tell()
                    changed = False
                    while batch and not self._over() and not changed:
                        self._play_batch(pool, batch)
                        changed = self._change(reload)
                        batch = self._unfold()
        return self.ending()

    def _play_batch(self, pool: Pool, batch: Sequence[ScheduledGame]) -> None:
        self._waiting = deque(batch)
        while (self._waiting and not self._over()) or pool.in_hand:
            while self._waiting and pool.free and not self._over():
                self._begin(pool, self._waiting.popleft())
            self._collect(pool)

    def _change(self, reload: Reload | None) -> bool:
        """Go on with the contest as it is now; whether it is another one."""
        if reload is None or not self._contest.schedule.agents_may_leave:
            return False
        try:
            now = reload()
            if now is None or (now.terms, now.names) == (self._contest.terms, self._contest.names):
                return False
            now = replace(self._contest, terms=now.terms, names=now.names, schedule=now.schedule)
            plan = now.terms.plan(now.folder)
            check_same(now, plan, self._ledger)
            if now.changed != "keep":
                check_versions(replace(now, changed="refuse"), plan, self._ledger)
        except UserError as error:
            self.progress.notes.append(f"what was changed does not count: {error}")
            return False
        came = [name for name in now.names if name not in self._contest.names]
        went = [name for name in self._contest.names if name not in now.names]
        self.progress.notes += [f"{name} takes part from now on" for name in came] + [
            f"{name} has left" for name in went
        ]
        self._contest = now
        self.progress.names = now.names
        save_definition(now)
        return True

    def ending(self) -> Ending:
        """What there is."""
        missing = self._unfold()
        settled = bool(self.progress.answer and self.progress.answer.settled)
        complete = settled or not (missing or self.progress.not_played)
        self._put_aside()
        self._take_stock()
        known, numbers = set(self._contest.names), self._ledger.numbers
        counted = [outcome for key, outcome in self._ledger.played.items() if known.issuperset(key.seats)]
        counted.sort(key=lambda outcome: numbers[outcome.game])
        return Ending(self._ledger, counted, self.progress, complete)

    def _over(self) -> bool:
        return bool(self._stop or (self.progress.answer and self.progress.answer.settled))

    def _begin(self, pool: Pool, key: ScheduledGame) -> None:
        self._tries[key] = self._tries.get(key, 0) + 1
        path = self._ledger.path(key)
        path.unlink(missing_ok=True)  # what an earlier try has left of it
        pool.begin(Job(key, self._ledger.numbers[key], str(path)))
        self.progress.in_hand = pool.in_hand

    def _collect(self, pool: Pool) -> None:
        for job, done in pool.wait():
            self.progress.in_hand = pool.in_hand
            self._finish(job, done)
            self._tell()
        if self._stop and not self.progress.stopping:
            self.progress.stopping = True
            self._tell()

    def _finish(self, job: Job, done: Done) -> None:
        outcome = self._ledger.add(self._ledger.path(job.key))  # whatever became of the worker, the record counts
        if outcome and self._contest.retry_technical and spoilt(outcome) and self._tries[job.key] < _TRIES:
            self._ledger.annul(job.key, f"technical: {NOT_STARTED}")
            outcome, done = None, Done(job.number, NOT_STARTED)
        if done.bug:
            self.progress.notes.append(done.bug)
        if outcome is None:
            self._failed(job, done.error or "its record is not to be found")
            return
        self.progress.last = outcome
        self.progress.now_played += 1
        if self._set_aside():
            self._waiting = deque(key for key in self._waiting if self._out.keys().isdisjoint(key.seats))
            self._take_stock()
            return
        self.progress.played += self._counts(job.key)
        if self._question:
            self.progress.answer = self._question.answer(self._ledger.played)

    def _failed(self, job: Job, reason: str) -> None:
        """A game that was not played to its end, through no fault of the agents."""
        if self._tries[job.key] < self._most_tries():
            self._waiting.append(job.key)
            self.progress.notes.append(f"game {job.number} is played again: {reason}")
        else:
            self.progress.not_played[job.number] = reason
            self.progress.notes.append(f"game {job.number} could not be played: {reason}")

    def _tell(self) -> None:
        if self._watch:
            self._watch(self.progress, self._ledger)

    @contextlib.contextmanager
    def _listening_for_signals(self) -> Iterator[int | None]:
        """The first Ctrl-C lets the games in hand end, a second one stops at once. Yields a descriptor that can be read when
        there was one, so that whoever waits for games notices; None where they are for others to deal with."""
        in_charge = threading.current_thread() is threading.main_thread()
        if not in_charge or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
            yield None
            return

        def stop(_: int, __: FrameType | None) -> None:
            self._stop += 1
            if self._stop > 1:
                raise KeyboardInterrupt

        heard, told = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        before = signal.signal(signal.SIGINT, stop)
        before_told = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        try:
            yield heard
        finally:
            signal.set_wakeup_fd(before_told)
            signal.signal(signal.SIGINT, before)
            os.close(heard)
            os.close(told)
