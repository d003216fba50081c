"""A place at the table: a seat, the agent that sits there, and what is known of it during a game."""

from __future__ import annotations

import re
import select
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

import msgspec

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.exchange import Exchange, Terms, describe_exit
from arbiter.agents.clock.charge import Budget, Clock, hard_limit_ns
from arbiter.agents.clock.meter import GLANCE_NS, STILL_NS, Machine, Meter
from arbiter.agents.clock.steal import TOLD_NS, is_virtual
from arbiter.agents.launch import tree
from arbiter.agents.launch.process import CHUNK, AgentProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.game import Fault, FaultKind, Lifetime
from arbiter.limits import Limits
from arbiter.units import show_duration, show_size

BEAT_NS = 10_000_000
"""How often the arbiter wakes at most while an agent thinks, to see whether the machine has stood still."""
WATCH_NS = 50_000_000
"""How often an agent that makes us wait is looked at for memory and processes."""
NEARLY = 0.9
"""Who crashes with this share of its memory in use is taken to have run out of it: the last request is never seen."""
_WANT_OF_MEMORY = re.compile(
    "MemoryError|bad_alloc|OutOfMemory|out of memory|Cannot allocate memory|memory allocation of .* failed",
    re.IGNORECASE,
)
"""What runtimes say when they get none."""


@dataclass(frozen=True, slots=True)
class Seat:
    """An agent at its place."""

    launch: Launch
    limits: Limits
    lifetime: Lifetime
    home: Sandbox | None = None
    """Its sandbox; None without one."""
    cores: frozenset[int] | None = None
    """Where it may run; None for where the arbiter does."""


Lane = tuple[int, int, list[tuple[int, int]], int, float, int, int]
"""For the quick way: input, output, what epoll says when only the answer has come, CPU clock; how long to wait for it, how
quick it must be, and how long it may be."""


class Request(msgspec.Struct, gc=False):
    """A question to a seat."""

    seat: int
    prompt: str
    briefing: Callable[[int], str]
    """Called only when this process needs it."""


class SeatState:
    """A seat with what changes during a game."""

    __slots__ = (
        "_look_again_ns", "account", "answer", "asked", "beat_ns", "budget", "clock", "died", "first_look_s", "first_terms", "glance_ns", "index", "lane",
        "muted", "peak_bytes", "pending", "process", "seat", "served", "stale", "starts", "talk", "terms",
    )  # fmt: skip

    def __init__(self, index: int, seat: Seat, strict_exit: bool, clock: Clock, machine: Machine) -> None:
        self.index, self.seat, self.clock = index, seat, clock
        limits, until = seat.limits, "exit" if seat.lifetime == "move" else "line"
        self.terms = Terms(until, limits.move_ns, limits.output_bytes, strict_exit)
        self.first_terms = Terms(until, limits.first_move_ns, limits.output_bytes, strict_exit)
        self.beat_ns = min(WATCH_NS, max(BEAT_NS, limits.move_ns // 50)) if is_virtual() else WATCH_NS
        self.first_look_s = min(limits.move_ns, self.beat_ns) / 1_000_000_000
        self.glance_ns = min(limits.move_ns, GLANCE_NS)
        self.budget = Budget(limits.total_ns, limits.increment_ns, limits.grace, limits.margin_ns)
        self.account = Meter(clock, machine, seat.cores)
        self._look_again_ns = 0
        """When an answer is looked at again that seems late."""
        self.process: AgentProcess | None = None
        self.talk: Exchange | None = None
        """The question being asked, if any."""
        self.answer = Answer(index)
        """To the question being asked, or to the last one."""
        self.pending = b""
        """Input that its pipe has not taken yet."""
        self.starts = 0
        self.asked = 0
        self.served = False
        """It has been waiting for the arbiter, to read or to write; since the arbiter last began to wait."""
        self.stale = 0
        """Bytes on standard output that came uninvited."""
        self.muted = False
        """So many of them that its standard output is no longer read."""
        self.died = False
        """Its process has ended and was not yet replaced."""
        self.peak_bytes = 0
        """Most memory any of its processes had in use, as far as they have ended."""
        self.lane: Lane | None = None
        """While it lives, has taken all its input, and nothing has been heard of it since its last answer."""

    @property
    def living(self) -> AgentProcess:
        """The process of an agent that is being asked."""
        if self.process is None:
            raise AssertionError(f"seat {self.index} has no process")
        return self.process

    def misbehaved_unasked(self) -> Fault | None:
        """What it did wrong since its last answer."""
        process = self.living
        if self.died:
            kind = FaultKind.CRASHED if process.exit_code else FaultKind.SILENT
            return Fault(kind, f"{describe_exit(process.exit_code or 0)} between moves")
        if process.keeper.received > self.seat.limits.stderr_bytes:
            most = show_size(self.seat.limits.stderr_bytes)
            return Fault(FaultKind.FLOODED, f"printed more than {most} on standard error between moves")
        if self.muted:
            return Fault(FaultKind.FLOODED, f"printed more than {show_size(CHUNK)} without being asked")
        return None

    def begin(self, start_ns: int) -> Exchange:
        """Start the clock for a new question; it has been running since the start of an agent that was told in advance."""
        process, per_move = self.living, self.seat.lifetime == "move"
        first = self.answer.started or (per_move and self.asked == 0)
        self.asked += 1
        self.lane = None
        self._look_again_ns, self.served = 0, False
        self.account.open(process, start_ns)
        if process.told:
            start_ns = process.started_ns
        terms = self.first_terms if first else self.terms
        if self.budget.counts:
            terms = replace(terms, limit_ns=self.budget.allow(terms.limit_ns))
        self.talk = Exchange(terms, start_ns)
        return self.talk

    def quick_way(self, process: AgentProcess) -> Lane:
        """What is needed to ask it again in the same way."""
        answered = [(process.stdout, select.EPOLLIN)]
        times = self.first_look_s, self.glance_ns
        return (process.stdin, process.stdout, answered, process.cpu_clock, *times, self.terms.output_bytes)

    def go_slow(self, talk: Exchange, cpu_before_ns: int, late_ns: int) -> None:
        """A question that was asked the quick way needs the whole account; ``cpu_before_ns`` was of its process alone. It
        has been looked at so late."""
        self.answer, self.talk, self.lane = Answer(self.index), talk, None
        self._look_again_ns, self.served = 0, False
        self.account.reopen(self.living, talk.start_ns, cpu_before_ns)
        if late_ns >= STILL_NS:
            self.account.oversleep(late_ns)

    def grant(self, now: int) -> None:
        """At the deadline: give the agent the rest of what it was not charged, up to the hard limit."""
        talk, account = self.talk, self.account
        if talk is None or now < talk.deadline_ns or talk.settled_ns or self.process is None or self.clock == "wall":
            return
        account.look(now)
        limit_ns = talk.terms.limit_ns
        left_ns = limit_ns - account.charge(now)
        if left_ns <= 0 and account.may_be_in_time(limit_ns, now):
            left_ns = TOLD_NS
        if left_ns > 0:
            talk.extend(min(now + left_ns, talk.start_ns + hard_limit_ns(limit_ns)))

    def judge(self, now: int) -> bool:
        """Whether the question is settled for good; from then on its account stands. An answer later than the limit counts
        if it is charged less; while all is not told, it is waited for."""
        talk, account = self.talk, self.account
        if talk is None or not talk.settle(now):
            return False
        limit_ns, settled_ns = talk.terms.limit_ns, talk.settled_ns
        wall_ns = settled_ns - talk.start_ns
        if self._look_again_ns:
            account.count_stolen(settled_ns)
        elif wall_ns >= GLANCE_NS and (talk.fault is None or account.seen_ns != settled_ns):  # by which it was ruled
            account.look(settled_ns, done=talk.fault is None)
        if talk.fault or wall_ns <= limit_ns or self.clock == "wall":
            return True
        late = account.charge(settled_ns) > limit_ns
        if now < settled_ns + TOLD_NS and account.may_change(limit_ns, late=late):
            self._look_again_ns = settled_ns + TOLD_NS
            return False
        if late:
            talk.overrule()
        return True

    def wait_on(self) -> None:
        """Nothing has come of it yet: go on waiting."""
        self.account.go_on(delayed=self.served)
        self.served = False

    @property
    def wake_ns(self) -> int:
        """When to look again if nothing comes."""
        return self._look_again_ns or (self.talk.wake_ns if self.talk else 0)

    def watch_limits(self, now: int) -> None:
        """Fail the question if the agent has too many processes or too much memory."""
        talk, process, limits = self.talk, self.process, self.seat.limits
        if talk is None or process is None or talk.settled_ns or process.exit_code is not None:
            return
        self.account.look(now)  # what helpers have waited is not told when they have ended
        # One more than allowed is enough to know; a swarm must not keep us from hearing the others.
        pids = [process.pid, *islice(process.helpers(), limits.processes)]
        if len(pids) > limits.processes:
            talk.fail(FaultKind.PROCESSES, f"runs more than {limits.processes} processes", now)
        used = tree.resident_bytes(pids)
        if used > limits.memory_bytes:
            detail = f"uses {show_size(used)} of memory, {show_size(limits.memory_bytes)} allowed"
            talk.fail(FaultKind.MEMORY, detail, now)

    def name_cause(self, fault: Fault, process: AgentProcess) -> Fault:
        """A crash for want of memory is called that. The process has been killed by now."""
        if fault.kind is not FaultKind.CRASHED:
            return fault
        most, peak = self.seat.limits.memory_bytes, process.peak_bytes
        if not (
            process.memory_ran_out()
            or process.largest_bytes > most * NEARLY
            or _WANT_OF_MEMORY.search(process.keeper.tail())
        ):
            return fault
        used = f"; it had used {show_size(peak)}" if peak else ""
        return Fault(FaultKind.MEMORY, f"{fault.detail}, out of memory: {show_size(most)} allowed{used}")

    def settle_account(self, answer: Answer, wall_ns: int) -> None:
        """The times of an answer, once everything is known."""
        self.account.close(answer, wall_ns)
        if self.budget.counts:
            over_ns = self.budget.spend(answer.charged_ns)
            if over_ns is not None and answer.fault is None:
                answer.notes.append(f"over its time by {show_duration(over_ns)}, forgiven")
            answer.left_ns = self.budget.left_ns
