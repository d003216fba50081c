"""Running a contest: what is missing is played, by as many workers as wanted, until nothing is missing or the question is
settled.

Which games there are is the schedule's business, what came of them the ledger's; here they are only brought together. The
order in which games happen to finish decides nothing: whatever is concluded while they come in is concluded from the games
in the order of their numbers.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import FrameType

from arbiter.agents.sandbox.levels import LEVELS
from arbiter.contest.definition import Contest
from arbiter.contest.file import save_definition
from arbiter.contest.key import GameKey, Outcome
from arbiter.contest.ledger import Ledger, locked
from arbiter.contest.outcomes import failed, spoilt
from arbiter.contest.pool import Pool
from arbiter.contest.statistics.until import Answer, Watch
from arbiter.contest.worker import Done, Job
from arbiter.errors import UserError
from arbiter.plan import Plan

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
    answer: Answer | None = None
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


def run(contest: Contest, watch: Watcher | None = None) -> Ending:
    """Play what is missing. Raises UserError before the first game if something is wrong with the contest."""
    plan = contest.terms.plan(contest.folder)
    names = contest.names
    with locked(contest.folder):
        ledger = Ledger(contest.folder, plan.protocol.secondary)
        _check_same(contest, plan, ledger)
        notes = _check_versions(contest, plan, ledger)
        save_definition(contest)
        return _Run(contest, plan, names, ledger, watch=watch, notes=notes).play()


def look(contest: Contest) -> Ending:
    """What has come of a contest so far, without playing."""
    plan = contest.terms.plan(contest.folder)
    names = contest.names
    return _Run(contest, plan, names, Ledger(contest.folder, plan.protocol.secondary)).ending()


def _check_same(contest: Contest, plan: Plan, ledger: Ledger) -> None:
    """Games in the folder must have been played on the same terms."""
    if ledger.damaged:
        raise UserError(f"{ledger.damaged[0]}: remove it, and its game is played again")
    before = ledger.header
    if before is None:
        return
    now = {"protocol": plan.protocol.name, "version": plan.protocol.version, "options": dict(plan.options)}
    then = {"protocol": before.protocol, "version": before.version, "options": before.options}
    for what, value in now.items():
        if then[what] != value:
            raise UserError(
                f"{contest.folder} holds games with {what} {then[what]!r}, and now it would be {value!r}: "
                "give the contest another name, or remove the folder"
            )
    level = ledger.level or "none"
    if LEVELS.index(plan.sandbox.level) < LEVELS.index(level) and not contest.weaker_sandbox:
        raise UserError(
            f"games so far were played in sandbox {level!r}, and only {plan.sandbox.level!r} can be had now: "
            "go on elsewhere, or say --weaker-sandbox"
        )


def _check_versions(contest: Contest, plan: Plan, ledger: Ledger) -> list[str]:
    """A result is of the agents as they are: games of other versions do not count unless the organiser says so."""
    now = {entrant.agent.name: entrant.fingerprint for entrant in plan.entrants}
    old: dict[str, list[GameKey]] = {}
    for key, versions in ledger.versions.items():
        for name, version in zip(key.seats, versions, strict=True):
            if version and now.get(name, version) != version and key in ledger.played:
                old.setdefault(name, []).append(key)
    if not old or contest.changed == "keep":
        return [f"{name} has changed since {len(keys)} of its games were played" for name, keys in old.items()]
    if contest.changed == "refuse":
        name, keys = next(iter(old.items()))
        raise UserError(
            f"{name} has changed since {len(keys)} of its games were played: give it or the contest another name, or say "
            "--changed replay (play them again) or --changed keep (let them count)"
        )
    for name, keys in old.items():
        for key in keys:
            if key in ledger.played:
                ledger.annul(key, f"{name} has changed")
    return [
        f"{name} has changed: {len(keys)} of its games were annulled and are played again" for name, keys in old.items()
    ]


class _Run:
    """One run of a contest."""

    def __init__(
        self,
        contest: Contest,
        plan: Plan,
        names: Sequence[str],
        ledger: Ledger,
        *,
        watch: Watcher | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self._contest, self._plan, self._names, self._ledger, self._watch = contest, plan, names, ledger, watch
        self._active = list(names)
        self._question = Watch(contest.until) if contest.until else None
        self._asked: set[GameKey] = set()
        self._order: list[GameKey] = []
        """Games of the schedule as far as it is known, in order."""
        self._first: dict[str, list[GameKey]] = {}
        self._tries: dict[GameKey, int] = {}
        self._waiting: deque[GameKey] = deque()
        self._stop = 0
        self.progress = Progress(names, None, len(ledger.played), notes=[*contest.notes, *plan.notes, *notes])
        self._unfold()

    # -- what there is to play

    def _unfold(self) -> list[GameKey]:
        """What to play next, with everything that follows from the games so far brought up to date."""
        schedule, played = self._contest.schedule, self._ledger.played
        known = [key for stage in schedule.stages(self._active, played) for key in stage.games]
        new = [key for key in known if key not in self._asked]
        self._asked.update(new)
        self._order += new
        self._ledger.number(self._order)
        self._find_first_games()
        if self._set_aside():
            return self._unfold()
        if self._question:
            self._question.extend(new)
            self.progress.answer = self._question.look(played)
        self.progress.total = schedule.total(self._active, played)
        return [key for key in schedule.next_games(self._active, played) if key not in self._given_up()]

    def _given_up(self) -> set[GameKey]:
        return {key for key, tries in self._tries.items() if tries >= self._most_tries()}

    def _most_tries(self) -> int:
        return _TRIES if self._contest.retry_technical else 1

    def _set_aside(self) -> bool:
        """Agents without a single good answer in their first games, by number."""
        most = self._contest.set_aside
        if not most or not self._contest.schedule.agents_may_leave:
            return False
        before = len(self._active)
        played = self._ledger.played
        for name in list(self._active):
            first = self._first.get(name, ())
            if len(first) == most and all(key in played and failed(played[key], name) for key in first):
                self._active.remove(name)
                self.progress.set_aside[name] = most
                self.progress.notes.append(f"{name} was set aside: not one good answer in its first {most} games")
        return len(self._active) < before

    def _find_first_games(self) -> None:
        """Of every agent those that decide whether it is set aside: its first by number."""
        numbers, most = self._ledger.numbers, self._contest.set_aside
        self._first = {name: [] for name in self._names}
        for key in sorted(numbers, key=lambda key: numbers[key]):
            for name in key.seats:
                if name in self._first and len(self._first[name]) < most:
                    self._first[name].append(key)

    def counted(self) -> list[Outcome]:
        """Games that count, by number: those up to where the question was settled; of an agent that was set aside, those
        that decided that."""
        played, numbers = self._ledger.played, self._ledger.numbers
        games = sorted(played, key=lambda key: numbers[key])
        answer = self.progress.answer
        if answer and answer.settled_after is not None:
            settled = set(self._order[: answer.settled_after])
            games = [key for key in games if key in settled]
        for name in self.progress.set_aside:
            first = set(self._first[name])
            games = [key for key in games if name not in key.seats or key in first]
        known = set(self._names)
        return [played[key] for key in games if known.issuperset(key.seats)]

    # -- playing

    def play(self) -> Ending:
        """Until nothing is missing, the question is settled, or somebody says stop."""
        cut_off = self._ledger.remove_cut_off()
        if cut_off:
            games = "game that was" if cut_off == 1 else "games that were"
            self.progress.notes.append(f"{cut_off} {games} cut off will be played again")
        if self._contest.retry_technical:
            self._annul_spoilt()
        workers = self._contest.workers or len(os.sched_getaffinity(0))
        with self._listening_for_signals(), Pool(self._contest.terms, self._contest.folder, workers) as pool:
            self._tell()
            while not self._over() and (batch := self._unfold()):
                self._waiting = deque(batch)
                while (self._waiting and not self._over()) or pool.in_hand:
                    while self._waiting and pool.free and not self._over():
                        self._begin(pool, self._waiting.popleft())
                    self._collect(pool)
        return self.ending()

    def ending(self) -> Ending:
        """What there is."""
        missing = [key for key in self._unfold() if key not in self._ledger.played]
        settled = bool(self.progress.answer and self.progress.answer.settled)
        complete = settled or (not missing and not self.progress.not_played and not self._stop)
        return Ending(self._ledger, self.counted(), self.progress, complete)

    def _over(self) -> bool:
        return bool(self._stop or (self.progress.answer and self.progress.answer.settled))

    def _begin(self, pool: Pool, key: GameKey) -> None:
        self._tries[key] = self._tries.get(key, 0) + 1
        path = self._ledger.path(key)
        path.unlink(missing_ok=True)  # what an earlier try has left of it
        pool.begin(Job(key, self._ledger.numbers[key], str(path)))

    def _collect(self, pool: Pool) -> None:
        for job, done in pool.wait():
            self.progress.in_hand = pool.in_hand
            self._finish(job, done)
            self._tell()

    def _finish(self, job: Job, done: Done) -> None:
        outcome = None if done.error else self._ledger.add(self._ledger.path(job.key))
        if outcome and self._contest.retry_technical and spoilt(outcome) and self._tries[job.key] < _TRIES:
            self._ledger.annul(job.key, "technical: an agent could not be started")
            outcome = None
            done = Done(job.number, "an agent could not be started")
        if outcome is None:
            self._failed(job, done)
            return
        progress = self.progress
        progress.last = outcome
        progress.played, progress.now_played = len(self._ledger.played), progress.now_played + 1
        progress.not_played.pop(job.number, None)
        if self._question:
            progress.answer = self._question.look(self._ledger.played)
        if self._set_aside():
            active = set(self._active)
            self._waiting = deque(key for key in self._waiting if active.issuperset(key.seats))
            progress.total = self._contest.schedule.total(self._active, self._ledger.played)

    def _failed(self, job: Job, done: Done) -> None:
        """A game that was not played to its end, through no fault of the agents."""
        if done.bug:
            self.progress.notes.append(done.bug)
        reason = done.error or "its record is not to be found"
        if self._tries[job.key] < self._most_tries():
            self._waiting.append(job.key)
            self.progress.notes.append(f"game {job.number} is played again: {reason}")
        else:
            self.progress.not_played[job.number] = reason
            self.progress.notes.append(f"game {job.number} could not be played: {reason}")

    def _annul_spoilt(self) -> None:
        for key, outcome in list(self._ledger.played.items()):
            if spoilt(outcome):
                self._ledger.annul(key, "technical: an agent could not be started")
                self.progress.notes.append(
                    f"game {self._ledger.numbers[key]} was annulled: an agent could not be started"
                )
        self.progress.played = len(self._ledger.played)

    def _tell(self) -> None:
        if self._watch:
            self._watch(self.progress, self._ledger)

    @contextlib.contextmanager
    def _listening_for_signals(self) -> Iterator[None]:
        """The first Ctrl-C lets the games in hand end, a second one stops at once."""

        def stop(_: int, __: FrameType | None) -> None:
            self._stop += 1
            self.progress.stopping = True
            self._tell()
            if self._stop > 1:
                raise KeyboardInterrupt

        if threading.current_thread() is not threading.main_thread():
            yield  # signals are for others to deal with
            return
        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
