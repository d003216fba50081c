"""A place at the table: a seat, the agent that sits there, and what is known of it during a game."""

from __future__ import annotations

import re
import select
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from time import monotonic_ns

import msgspec

from arbiter.agents import tree
from arbiter.agents.answer import Answer
from arbiter.agents.clock import Budget, Clock, OwnWaiting, charge, hard_limit_ns
from arbiter.agents.process import CHUNK, AgentProcess, Launch
from arbiter.agents.sandbox.home import Home
from arbiter.agents.talk import Talk, Terms, describe_exit
from arbiter.game import Fault, FaultKind, Lifetime
from arbiter.limits import Limits
from arbiter.units import show_duration, show_size

WATCH_NS = 50_000_000
"""How often an agent that makes us wait is looked at for memory and processes."""
GLANCE_NS = 1_000_000
"""Answers quicker than this are charged as they come: their share of waiting is not worth a reading."""

UNTOLD_NS = 2_000_000
"""After which an agent that seemed late, but could have been waiting for a core, is looked at again."""
NEARLY = 0.9
"""Who crashes with this share of its memory in use is taken to have run out of it: the last request is never seen."""
_WANT_OF_MEMORY = re.compile(
    "MemoryError|bad_alloc|OutOfMemory|out of memory|Cannot allocate memory|memory allocation of .* failed",
    re.IGNORECASE,
)
"""What runtimes say when they get none."""

MARK_EVERY = 16
"""Quick answers in a row for which one reading of the waiting times will do."""
PONDERED_NS = 100_000
"""An agent may have been running since its last answer if that is longer ago than this: read it anew."""


@dataclass(frozen=True, slots=True)
class Seat:
    """An agent at its place."""

    launch: Launch
    limits: Limits
    lifetime: Lifetime
    home: Home | None = None
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


class Place:
    """A seat with what changes during a game."""

    __slots__ = (
        "_agent_waited_ns", "_own", "_own_mark", "answer", "answered_ns", "asked", "budget", "clock", "cpu_after_ns", "cpu_before_ns", "died", "first_look_s", "first_terms", "glance_ns",
        "index", "lane", "mark", "muted", "peak_bytes", "pending", "process", "seat", "stale", "starts", "talk", "terms", "unmarked", "waited_ns",
    )  # fmt: skip

    def __init__(self, index: int, seat: Seat, strict_exit: bool, clock: Clock, own: OwnWaiting) -> None:
        self.index, self.seat, self.clock = index, seat, clock
        limits, until = seat.limits, "exit" if seat.lifetime == "move" else "line"
        self.terms = Terms(until, limits.move_ns, limits.output_bytes, strict_exit)
        self.first_terms = Terms(until, limits.first_move_ns, limits.output_bytes, strict_exit)
        self.first_look_s = min(limits.move_ns, WATCH_NS) / 1_000_000_000
        self.glance_ns = min(limits.move_ns, GLANCE_NS)
        self.budget = Budget(limits.total_ns, limits.increment_ns, limits.grace, limits.margin_ns)
        self.mark = b""
        """What its process had waited for a core before the question."""
        self._own, self._own_mark = own, b""
        """What the arbiter itself had waited for a core before the question."""
        self.waited_ns = self._agent_waited_ns = 0
        self.unmarked = 0
        """Questions since the marks were taken."""
        self.cpu_after_ns = 0
        """Of its process alone, after its last answer, which was at ``answered_ns``."""
        self.answered_ns = 0
        self.process: AgentProcess | None = None
        self.talk: Talk | None = None
        """The question being asked, if any."""
        self.answer = Answer(index)
        """To the question being asked, or to the last one."""
        self.pending = b""
        """Input that its pipe has not taken yet."""
        self.starts = 0
        self.asked = 0
        self.cpu_before_ns = 0
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

    def begin(self, start_ns: int) -> Talk:
        """Start the clock for a new question."""
        process, per_move = self.living, self.seat.lifetime == "move"
        first = self.answer.started or (per_move and self.asked == 0)
        self.asked += 1
        self.lane = None
        self.waited_ns = self._agent_waited_ns = 0
        self.cpu_before_ns = process.cpu_ns()
        if self.answer.started or per_move:
            self.mark, self._own_mark, self.unmarked = (
                b"",
                self._own.mark(),
                0,
            )  # a new process has waited for nothing yet
        else:
            self.take_marks()
        terms = self.first_terms if first else self.terms
        if self.budget.counts:
            terms = replace(terms, limit_ns=self.budget.allow(terms.limit_ns))
        self.talk = Talk(terms, start_ns)
        return self.talk

    def quick_way(self, process: AgentProcess) -> Lane:
        """What is needed to ask it again in the same way."""
        answered = [(process.stdout, select.EPOLLIN)]
        times = self.first_look_s, self.glance_ns
        return (process.stdin, process.stdout, answered, process.cpu_clock, *times, self.terms.output_bytes)

    def take_marks(self) -> None:
        """Read how long agent and arbiter have waited for a core so far."""
        self.mark, self._own_mark, self.unmarked = self.living.waiting.mark(), self._own.mark(), 0

    def go_slow(self, talk: Talk, cpu_before_ns: int) -> None:
        """A question that was asked the quick way needs the whole account; ``cpu_before_ns`` was of its process alone."""
        process = self.living
        self.answer, self.talk, self.lane = Answer(self.index), talk, None
        self.waited_ns = self._agent_waited_ns = 0
        self.cpu_before_ns = process.cpu_ns() - (process.own_cpu_ns() - cpu_before_ns)

    def grant(self, now: int) -> None:
        """At the deadline: give the agent the rest of what it was not charged, up to the hard limit."""
        talk = self.talk
        if talk is None or now < talk.deadline_ns or talk.settled_ns or self.process is None or self.clock == "wall":
            return
        self.look_how_long_it_waited()
        cpu_ns = max(0, self.process.cpu_ns() - self.cpu_before_ns)
        left_ns = talk.terms.limit_ns - charge(self.clock, now - talk.start_ns, cpu_ns, self.waited_ns)
        if left_ns <= 0 and cpu_ns < talk.terms.limit_ns and self.clock == "fair" and self.process.is_ready():
            # It is waiting for a core at this moment, or working: how long it has waited is told when it gets one.
            left_ns = UNTOLD_NS
        if left_ns > 0:
            talk.extend(min(now + left_ns, talk.start_ns + hard_limit_ns(talk.terms.limit_ns)))

    def look_how_long_it_waited(self) -> None:
        """For a core, that is, and through no doing of its own: an agent that crowds its core with children which burn
        time makes itself wait, for as long as they burn."""
        process = self.living
        if process.exit_code is None and (waited_ns := process.waiting.since(self.mark)) > self._agent_waited_ns:
            self._agent_waited_ns = max(self._agent_waited_ns, waited_ns - process.helpers_cpu_ns())
        self.waited_ns = self._agent_waited_ns + self._own.since(self._own_mark)

    def watch_limits(self, now: int) -> None:
        """Fail the question if the agent has too many processes or too much memory."""
        talk, process, limits = self.talk, self.process, self.seat.limits
        if talk is None or process is None or talk.settled_ns or process.exit_code is not None:
            return
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

    def settle_account(self, answer: Answer, wall_ns: int, process: AgentProcess) -> None:
        """The times of an answer, once everything is known."""
        answer.wall_ns, answer.waited_ns = wall_ns, self.waited_ns
        answer.cpu_ns = max(0, process.cpu_ns() - self.cpu_before_ns)
        self.cpu_after_ns, self.answered_ns = process.own_cpu_ns(), monotonic_ns()
        if wall_ns >= GLANCE_NS:
            self.unmarked = MARK_EVERY
        answer.charged_ns = charge(self.clock, wall_ns, answer.cpu_ns, answer.waited_ns)
        if self.budget.counts:
            over_ns = self.budget.spend(answer.charged_ns)
            if over_ns is not None and answer.fault is None:
                answer.notes.append(f"over its time by {show_duration(over_ns)}, forgiven")
            answer.left_ns = self.budget.left_ns
