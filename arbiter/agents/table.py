"""The table: agents at their seats, asked one or several at a time against the clock.

All pipes of all agents at the table, and a pidfd of each, are in one epoll set. Asking is: look what came
uninvited, offer the prompts, then wait for whichever comes first of an answer, an end, or a deadline that is
absolute and that nothing an agent prints renews. Standard error is drained all the while, also that of
agents which are not being asked.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import termios
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import clock_gettime_ns, monotonic_ns
from typing import NamedTuple

from arbiter.agents import tree
from arbiter.agents.answer import Answer
from arbiter.agents.clock import Clock, charge, hard_limit_ns
from arbiter.agents.process import CHUNK, AgentProcess, Launch
from arbiter.agents.talk import Talk, Terms, describe_exit
from arbiter.game import Fault, FaultKind, Lifetime
from arbiter.limits import Limits
from arbiter.units import show_size

RESTARTS = 3
"""Fresh processes a long-lived agent may get in a game after faults."""
FAREWELL_NS = 250_000_000
"""How long agents may take to end by themselves when the game is over."""
WATCH_NS = 50_000_000
"""How often an agent that makes us wait is looked at for memory and processes."""

GLANCE_NS = 1_000_000
"""Answers quicker than this are charged as they come: their share of waiting is not worth a reading."""

MARK_EVERY = 16
"""Quick answers in a row for which one reading of the waiting time will do."""
PONDERED_NS = 100_000
"""An agent that used more CPU than this since its last answer has been running meanwhile: read it anew."""

_IN, _OUT = select.EPOLLIN, select.EPOLLOUT
_EVENTS = 64
"""Most events taken at a time; more wait for the next look."""


@dataclass(frozen=True, slots=True)
class Seat:
    """An agent at its place."""

    launch: Launch
    limits: Limits
    lifetime: Lifetime


class Request(NamedTuple):
    """A question to a seat."""

    seat: int
    prompt: str
    briefing: Callable[[int], str]
    """Called only when this process needs it."""


class _Place:
    """A seat with what changes during a game."""

    __slots__ = (
        "answer", "asked", "cpu_after_ns", "cpu_before_ns", "died", "first_look_s", "first_terms", "glance_ns", "index", "mark", "muted", "pending", "process", "seat", "stale",
        "starts", "talk", "terms", "unmarked", "waited_ns",
    )  # fmt: skip

    def __init__(self, index: int, seat: Seat, strict_exit: bool) -> None:
        self.index, self.seat = index, seat
        limits, until = seat.limits, "exit" if seat.lifetime == "move" else "line"
        self.terms = Terms(until, limits.move_ns, limits.output_bytes, strict_exit)
        self.first_terms = Terms(until, limits.first_move_ns, limits.output_bytes, strict_exit)
        self.first_look_s = min(limits.move_ns, WATCH_NS) / 1_000_000_000
        self.glance_ns = min(limits.move_ns, GLANCE_NS)
        self.mark = b""
        """What its process had waited for a core before the question."""
        self.waited_ns = 0
        self.unmarked = 0
        """Questions since the mark was taken."""
        self.cpu_after_ns = 0
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

    @property
    def living(self) -> AgentProcess:
        """The process of an agent that is being asked."""
        if self.process is None:
            raise AssertionError(f"seat {self.index} has no process")
        return self.process


class Table:
    """Agents at a table for one game. Use as a context manager: on leaving, nobody is left alive."""

    def __init__(self, seats: Sequence[Seat], *, strict_exit: bool = True, clock: Clock = "fair") -> None:
        self._clock = clock
        self._places = [_Place(index, seat, strict_exit) for index, seat in enumerate(seats)]
        self._epoll = select.epoll()
        self._owners: dict[int, _Place] = {}
        self._spared = frozenset(tree.children(os.getpid()))

    def __enter__(self) -> Table:
        tree.become_subreaper()
        return self

    def __exit__(self, *_: object) -> None:
        for place in self._places:
            self._kill(place)
        tree.sweep(self._spared, None)
        tree.become_subreaper(on=False)
        self._epoll.close()

    # -- asking ------------------------------------------------------------------------------------

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Ask these seats at the same time. Whatever the agents do, one answer each comes back."""
        if self._owners:
            if len(requests) == 1 and (answer := self._ask_quickly(requests[0])):
                return [answer]
            self._pump(0)
        answers = [Answer(request.seat) for request in requests]
        open_places: list[_Place] = []
        for request, answer in zip(requests, answers, strict=True):
            place = self._places[request.seat]
            place.answer = answer
            answer.fault = self._ready(place, request)
            if answer.fault is None:
                open_places.append(place)
        for place in open_places:
            self._begin(place)
        self._wait(open_places)
        for place in open_places:
            self._conclude(place)
        return answers

    def _ask_quickly(self, request: Request) -> Answer | None:
        """The usual case at a fraction of the cost: one living agent that takes its prompt in one write and gives
        its line in one read, while nothing else happens. None if it is not that case, with nothing lost: a question
        that was begun goes on in :meth:`_carry_on`."""
        place = self._places[request.seat]
        process = place.process
        if process is None or place.died or place.pending or place.stale or process.stdout not in self._owners:
            return None
        # What it said on standard error between moves belongs to this turn, and may be too much.
        if place.seat.lifetime == "move" or process.keeper.received or self._epoll.poll(0, _EVENTS):
            return None
        data = request.prompt.encode()
        terms, stdout, cpu_clock = place.terms, process.stdout, process.cpu_clock
        place.cpu_before_ns = cpu_before_ns = clock_gettime_ns(cpu_clock)
        place.unmarked += 1
        if place.unmarked > MARK_EVERY or cpu_before_ns - place.cpu_after_ns > PONDERED_NS:
            place.mark, place.unmarked = process.waiting.mark(), 0
        start_ns = monotonic_ns()
        try:
            written = os.write(process.stdin, data)
        except OSError:
            written = 0
        if written == len(data):
            events = self._epoll.poll(place.first_look_s, _EVENTS)
            if events == [(stdout, _IN)]:
                said = os.read(stdout, CHUNK)
                wall_ns = monotonic_ns() - start_ns
                if said.find(b"\n") == len(said) - 1 < terms.output_bytes and wall_ns < place.glance_ns:
                    place.cpu_after_ns = cpu_after_ns = clock_gettime_ns(cpu_clock)
                    cpu_ns = cpu_after_ns - cpu_before_ns
                    return Answer(
                        request.seat, said[:-1].decode("utf-8", "replace"), len(said), None, wall_ns, cpu_ns, wall_ns
                    )
                return self._carry_on(place, Talk(terms, start_ns), said, start_ns + wall_ns)
        place.pending = data[written:]
        return self._carry_on(place, Talk(terms, start_ns), b"", 0)

    def _carry_on(self, place: _Place, talk: Talk, said: bytes, heard_ns: int) -> Answer:
        """A question that turned out to be less usual after it was asked."""
        place.answer, place.talk, place.waited_ns = Answer(place.index), talk, 0
        now = heard_ns or monotonic_ns()
        self._grant(place, now)
        if said:
            talk.hear(said, now)
        if place.pending:
            self._offer(place)
        if not talk.settle(now):
            self._wait([place])
        self._conclude(place)
        return place.answer

    def _ready(self, place: _Place, request: Request) -> Fault | None:
        """Bring the agent to where its prompt can be offered, or say why it cannot be."""
        process, answer = place.process, place.answer
        if process is not None and (fault := self._misbehaved_unasked(place, process)):
            answer.exit_code = process.exit_code
            self._kill(place)
            self._last_words(process, answer)
            return fault
        if process is None:
            per_move = place.seat.lifetime == "move"
            if not per_move and place.starts > RESTARTS:
                return Fault(FaultKind.SPENT, f"was started anew {RESTARTS} times in this game already")
            place.starts += 1
            try:
                self._spawn(place)
            except OSError as error:
                return Fault(FaultKind.NOT_STARTED, f"{place.seat.launch.argv[0]}: {error.strerror or error}")
            answer.started = not per_move
            place.pending = request.briefing(request.seat).encode()
        elif place.stale:
            answer.notes.append(f"{place.stale} bytes printed before the prompt were dropped")
            place.stale = 0
        place.pending += request.prompt.encode()
        return None

    def _misbehaved_unasked(self, place: _Place, process: AgentProcess) -> Fault | None:
        if place.died:
            kind = FaultKind.CRASHED if process.exit_code else FaultKind.SILENT
            return Fault(kind, f"{describe_exit(process.exit_code or 0)} between moves")
        if process.keeper.received > place.seat.limits.stderr_bytes:
            most = show_size(place.seat.limits.stderr_bytes)
            return Fault(FaultKind.FLOODED, f"printed more than {most} on standard error between moves")
        if place.muted:
            return Fault(FaultKind.FLOODED, f"printed more than {show_size(CHUNK)} without being asked")
        return None

    def _begin(self, place: _Place) -> None:
        """Start the clock and offer the prompt."""
        seat, process = place.seat, place.living
        first = place.answer.started or (seat.lifetime == "move" and place.asked == 0)
        place.asked += 1
        place.mark = b"" if seat.lifetime == "move" else process.waiting.mark()
        place.waited_ns, place.unmarked, place.cpu_before_ns = 0, 0, process.cpu_ns()
        place.talk = Talk(place.first_terms if first else place.terms, monotonic_ns())
        if process.stdout not in self._owners:
            place.talk.close(place.talk.start_ns)
        self._offer(place)

    def _spawn(self, place: _Place) -> None:
        process = AgentProcess.spawn(place.seat.launch, place.seat.limits)
        place.process = process
        for fd in (process.stdout, process.stderr, process.pidfd):
            self._owners[fd] = place
            self._epoll.register(fd, _IN)

    def _offer(self, place: _Place) -> None:
        """Write what the pipe takes; the rest goes when it has room again."""
        process = place.living
        fd = process.stdin
        try:
            written = os.write(fd, place.pending)
        except BlockingIOError:
            written = 0
        except OSError:  # the agent closed its input: not a fault, it may know enough to answer
            written = len(place.pending)
        place.pending = place.pending[written:]
        if place.pending:
            if fd not in self._owners:
                self._owners[fd] = place
                self._epoll.register(fd, _OUT)
            return
        self._forget(fd)
        if place.seat.lifetime == "move":
            process.close_stdin()

    def _wait(self, places: Sequence[_Place]) -> None:
        now = monotonic_ns()
        watch_at = now + WATCH_NS
        waiting = [place.talk for place in places if place.talk]
        while waiting:
            wake = min(watch_at, *[talk.wake_ns for talk in waiting])
            self._pump(max(0, wake - now))
            now = monotonic_ns()
            if now >= watch_at:
                self._watch(places, now)
                watch_at = now + WATCH_NS
            for place in places:
                self._grant(place, now)
            waiting = [talk for talk in waiting if not talk.settle(now)]

    def _grant(self, place: _Place, now: int) -> None:
        """At the deadline: give an agent the rest of what it was not charged, up to the hard limit."""
        talk, process = place.talk, place.process
        if self._clock == "wall" or talk is None or process is None or talk.settled_ns or now < talk.deadline_ns:
            return
        if process.exit_code is None:
            self._look_how_long_it_waited(place, process)
        wall_ns = now - talk.start_ns
        left_ns = talk.terms.limit_ns - self._charge(place, wall_ns)
        if left_ns > 0:
            talk.extend(min(now + left_ns, talk.start_ns + hard_limit_ns(talk.terms.limit_ns)))

    def _look_how_long_it_waited(self, place: _Place, process: AgentProcess) -> None:
        """For a core, that is, and through no doing of its own: an agent that crowds its core with children which burn
        time makes itself wait, for as long as they burn."""
        burnt_ns = tree.cpu_ns(tree.descendants(process.pid))
        place.waited_ns = max(place.waited_ns, process.waiting.since(place.mark) - burnt_ns)

    def _charge(self, place: _Place, wall_ns: int) -> int:
        cpu_ns = max(0, place.living.cpu_ns() - place.cpu_before_ns)
        return charge(self._clock, wall_ns, cpu_ns, place.waited_ns)

    def _watch(self, places: Sequence[_Place], now: int) -> None:
        for place in places:
            talk, process, limits = place.talk, place.process, place.seat.limits
            if talk is None or process is None or talk.settled_ns or process.exit_code is not None:
                continue
            pids = [process.pid, *tree.descendants(process.pid)]
            if len(pids) > limits.processes:
                talk.fail(FaultKind.PROCESSES, f"runs {len(pids)} processes, {limits.processes} allowed", now)
            used = tree.resident_bytes(pids)
            if used > limits.memory_bytes:
                detail = f"uses {show_size(used)} of memory, {show_size(limits.memory_bytes)} allowed"
                talk.fail(FaultKind.MEMORY, detail, now)

    def _conclude(self, place: _Place) -> None:
        """Make the answer of a settled question, and end the process if its time is over."""
        talk, process, answer = place.talk, place.living, place.answer
        if talk is None:
            raise AssertionError("only open questions are concluded")
        answer.wall_ns = talk.settled_ns - talk.start_ns
        answer.text, answer.said_bytes, answer.fault = talk.text, len(talk.said), talk.fault
        if talk.surplus:
            answer.notes.append(f"{talk.surplus} bytes after the answer were dropped")
        if process.exit_code is None and answer.wall_ns >= GLANCE_NS:
            self._look_how_long_it_waited(place, process)
        answer.waited_ns = place.waited_ns
        place.talk = None
        if place.seat.lifetime == "move" or talk.fault:
            answer.exit_code = process.exit_code
            if process.exit_code is None and not talk.fault:
                answer.notes.append("was still running after it had closed its standard output, and was killed")
            self._kill(place)
            self._last_words(process, answer)
        else:
            answer.kibitz = process.keeper.take(answer.notes)
        answer.cpu_ns = max(0, process.cpu_ns() - place.cpu_before_ns)
        place.unmarked = MARK_EVERY
        answer.charged_ns = charge(self._clock, answer.wall_ns, answer.cpu_ns, answer.waited_ns)

    def _last_words(self, process: AgentProcess, answer: Answer) -> None:
        process.keeper.finish()
        answer.kibitz = process.keeper.take(answer.notes)
        answer.stderr = process.keeper.tail()

    # -- events ------------------------------------------------------------------------------------

    def _pump(self, timeout_ns: int) -> None:
        """Wait at most so long for anything at all, and deal with everything that came."""
        # epoll counts in whole milliseconds and rounds up: we may wake late but judge by the clock.
        events = self._epoll.poll(timeout_ns / 1_000_000_000, _EVENTS)
        if not events:
            return
        now = monotonic_ns()
        exits: list[_Place] = []
        for fd, _ in events:
            place = self._owners.get(fd)
            process = place.process if place else None
            if place is None or process is None:
                continue
            if fd == process.stdout:
                self._hear(place, process, now)
            elif fd == process.stderr:
                self._drain_stderr(place, process, now)
            elif fd == process.pidfd:
                exits.append(place)
            elif fd == process.stdin:
                self._offer(place)
        for place in exits:
            self._bury(place, now)

    def _hear(self, place: _Place, process: AgentProcess, now: int) -> None:
        fd = process.stdout
        try:
            chunk = os.read(fd, CHUNK)
        except BlockingIOError:
            return
        talk = place.talk
        if not chunk:
            self._forget(fd)
            if talk is not None:
                talk.close(now)
        elif talk is None or talk.settled_ns:
            place.stale += len(chunk)
            if place.stale > CHUNK:  # not asked and still printing: let its pipe fill up
                place.muted = True
                self._forget(fd)
        else:
            self._grant(place, now)
            talk.hear(chunk, now)

    def _drain_stderr(self, place: _Place, process: AgentProcess, now: int) -> None:
        try:
            chunk = os.read(process.stderr, CHUNK)
        except BlockingIOError:
            return
        keeper, most = process.keeper, place.seat.limits.stderr_bytes
        if not chunk:
            self._forget(process.stderr)
            return
        keeper.feed(chunk)
        if keeper.received > most:
            self._forget(process.stderr)
            if place.talk is not None:
                place.talk.fail(FaultKind.FLOODED, f"printed more than {show_size(most)} on standard error", now)

    def _bury(self, place: _Place, now: int) -> None:
        """The process has ended: hear its last words, then reap it."""
        process = place.process
        if process is None:
            return
        # What it said is in the pipes by now. Whatever comes later is from children that hold them open, and without end.
        for _ in range(self._reads_left(process.stdout)):
            self._hear(place, process, now)
        for _ in range(self._reads_left(process.stderr)):
            self._drain_stderr(place, process, now)
        if place.talk is not None:
            # A thread's waiting time goes with it; that of the main thread can be read until it is reaped.
            place.waited_ns = max(place.waited_ns, process.waiting.since(place.mark))
        process.reap()
        for fd in (process.stdin, process.stdout, process.stderr, process.pidfd):
            self._forget(fd)
        if place.talk is not None and not place.talk.settled_ns:
            place.talk.exit(process.exit_code or 0)
        place.died = True

    def _reads_left(self, fd: int) -> int:
        """How many reads take what a pipe holds at this moment; none if it is no longer listened to."""
        if fd not in self._owners:
            return 0
        (waiting,) = struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, bytes(4)))
        return -(-int(waiting) // CHUNK)

    def _forget(self, fd: int) -> None:
        if self._owners.pop(fd, None) is not None:
            with contextlib.suppress(OSError):
                self._epoll.unregister(fd)

    # -- ending ------------------------------------------------------------------------------------

    def _kill(self, place: _Place) -> None:
        process = place.process
        if process is None:
            return
        for fd in (process.stdin, process.stdout, process.stderr, process.pidfd):
            self._forget(fd)
        others = {other.process.pid for other in self._places if other.process and other.process is not process}
        process.kill(self._spared | others)
        place.process, place.pending, place.stale = None, b"", 0
        place.died = place.muted = False

    def farewell(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """The game is over: send long-lived agents their last words and end of input, give them a moment to
        end by themselves, and yield what they kibitzed meanwhile. How they end is no fault."""
        living = [place for place in self._places if place.process and not place.died]
        for place in living:
            place.talk = None
            if last_words := text(place.index):
                place.pending += last_words.encode()
                self._offer(place)
            self._forget(place.living.stdin)
            place.living.close_stdin()
        until = monotonic_ns() + FAREWELL_NS
        while not all(place.died for place in living) and (left := until - monotonic_ns()) > 0:
            self._pump(left)
        for place in self._places:
            if place.process:
                place.process.keeper.finish()
                if lines := place.process.keeper.take([]):
                    yield place.index, lines
