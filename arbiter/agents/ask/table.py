"""The table: agents at their seats, asked one or several at a time against the clock.

Asking is: look what came uninvited, offer the prompts, then wait for whichever comes first of an answer, an end, or a
deadline that is absolute and that nothing an agent prints renews. Standard error is drained all the while, also that of
agents which are not being asked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from os import read, write
from time import clock_gettime_ns, monotonic_ns

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.exchange import Exchange
from arbiter.agents.ask.poller import EVENTS, Poller
from arbiter.agents.ask.seat import WATCH_NS, Lane, Request, Seat, SeatState
from arbiter.agents.clock.charge import Clock, RunQueueWait
from arbiter.agents.clock.meter import MARK_EVERY, PONDERED_NS, SLOW, Machine
from arbiter.agents.clock.steal import StealTime
from arbiter.agents.launch import supervisor
from arbiter.agents.launch.process import CHUNK, AgentProcess
from arbiter.game import Fault, FaultKind
from arbiter.units import show_duration

RESTARTS = 3
"""Fresh processes a long-lived agent may get in a game after faults."""
FAREWELL_NS = 250_000_000
"""How long agents may take to end by themselves when the game is over."""
__all__ = ["Request", "Seat", "Table"]


class Table:
    """Agents at a table for one game. Use as a context manager: on leaving, nobody is left alive."""

    def __init__(
        self,
        seats: Sequence[Seat],
        *,
        strict_exit: bool = True,
        clock: Clock = "fair",
        ponder: bool = True,
        idle: Callable[[], None] | None = None,
    ) -> None:
        """``idle`` is called before waiting for anybody who takes a while: there is time for something else."""
        self._machine = Machine(RunQueueWait(), StealTime())
        self._places = [SeatState(index, seat, strict_exit, clock, self._machine) for index, seat in enumerate(seats)]
        self._pipes = Poller()
        self._supervision = contextlib.ExitStack()
        self._idle = idle or _nothing
        self._ponder = ponder
        """Whether agents may think while it is not their turn."""
        self._poll, self._listened = self._pipes.epoll.poll, self._pipes.owners

    def __enter__(self) -> Table:
        self._supervision.enter_context(supervisor.subreaper())
        self._supervision.enter_context(supervisor.private())
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.ExitStack() as leaving:  # each of these whatever becomes of the others
            leaving.callback(self._supervision.close)
            leaving.callback(self._machine.close)
            leaving.callback(self._pipes.close)
            for place in self._places:
                leaving.callback(self._kill, place)

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Ask these seats at the same time. Whatever the agents do, one answer each comes back."""
        if len(requests) == 1:
            (only,) = requests
            return [self.ask_one(only.seat, only.prompt, only.briefing)]
        return self._ask_all(requests)

    def _ask_all(self, requests: Sequence[Request]) -> list[Answer]:
        self._idle()
        self._pipes.pump(0)
        answers = [Answer(request.seat) for request in requests]
        open_places: list[SeatState] = []
        for request, answer in zip(requests, answers, strict=True):
            place = self._places[request.seat]
            place.answer = answer
            answer.fault = self._ready(place, request, alone=len(requests) == 1)
            if answer.fault is None:
                open_places.append(place)
        for place in open_places:
            self._begin(place)
        self._wait(open_places)
        for place in open_places:
            if place.talk:
                self._conclude(place)
        return answers

    def ask_one(self, seat: int, prompt: str, briefing: Callable[[int], str]) -> Answer:
        """Ask this seat alone, the quick way if it can be."""
        place = self._places[seat]
        if place.lane is not None and not self._poll(0, EVENTS):
            return self._ask_quickly(place, place.lane, prompt)
        return self._ask_all([Request(seat, prompt, briefing)])[0]

    def _ask_quickly(self, place: SeatState, lane: Lane, prompt: str) -> Answer:
        """The usual case at a fraction of the cost: one living agent that takes its prompt in one write and gives
        its line in one read, while nothing else happens. If it turns out to be another case, the question goes on in
        :meth:`_carry_on`."""
        stdin, stdout, answered, cpu_clock, look_s, glance_ns, most = lane
        data = prompt.encode()
        written, said, cpu_after_ns = 0, b"", -1
        account = place.account
        cpu_before_ns, start_ns = account.cpu_after_ns, monotonic_ns()
        if account.unmarked < MARK_EVERY and start_ns - account.answered_ns < PONDERED_NS:
            account.unmarked += 1
        else:
            account.mark(place.living, start_ns, slow=account.unmarked == SLOW)
            cpu_before_ns, start_ns = place.living.own_cpu_ns(), monotonic_ns()
        try:
            written = write(stdin, data)
            if written == len(data) and self._poll(look_s, EVENTS) == answered:
                said = read(stdout, CHUNK)
            now = monotonic_ns()
            cpu_after_ns = clock_gettime_ns(cpu_clock)
        except OSError:
            # Its input is full or closed; or it has read its own words back, through /proc/self/fd/1, before we did; or it
            # has been killed and collected from outside.
            now = monotonic_ns()
        wall_ns, size = now - start_ns, len(said)
        if said.find(b"\n") == size - 1 < most and wall_ns < glance_ns and size and cpu_after_ns >= 0:
            account.cpu_after_ns, account.answered_ns = cpu_after_ns, now
            text = said[:-1].decode("utf-8", "replace")
            return Answer(place.index, text, size, None, wall_ns, cpu_after_ns - cpu_before_ns, wall_ns)
        place.pending = data[written:]
        place.go_slow(Exchange(place.terms, start_ns), cpu_before_ns, wall_ns - round(look_s * 1e9))
        return self._carry_on(place, said, now)

    def _carry_on(self, place: SeatState, said: bytes, now: int) -> Answer:
        """A question that turned out to be less usual after it was asked."""
        talk = place.talk
        if talk is None:
            raise AssertionError("only open questions are carried on")
        place.grant(now)
        if said:
            talk.hear(said, now)
        if place.pending:
            self._pipes.offer(place)
        if not place.judge(now):
            self._idle()
            self._wait([place])
        if place.talk:
            self._conclude(place)
        return place.answer

    def _ready(self, place: SeatState, request: Request, *, alone: bool) -> Fault | None:
        """Bring the agent to where its prompt can be offered, or say why it cannot be. If it is asked ``alone`` and
        spawned for this, it starts with its prompt; who is asked together begins together."""
        process, answer = place.process, place.answer
        if place.budget.used_up:
            place.budget.skip()
            answer.left_ns = place.budget.left_ns
            return Fault(FaultKind.LATE, f"has used up its {show_duration(place.seat.limits.total_ns)} for the game")
        if process is not None and (fault := place.misbehaved_unasked()):
            answer.exit_code = process.exit_code
            self._kill(place)
            self._last_words(process, answer)
            return place.name_cause(fault, process)
        if process is None:
            per_move = place.seat.lifetime == "move"
            if not per_move and place.starts > RESTARTS:
                return Fault(FaultKind.SPENT, f"was started anew {RESTARTS} times in this game already")
            place.starts += 1
            place.pending = request.briefing(request.seat).encode() + request.prompt.encode()
            try:
                self._pipes.spawn(place, told=per_move and alone)
            except OSError as error:
                place.pending = b""
                return Fault(FaultKind.NOT_STARTED, f"{place.seat.launch.argv[0]}: {error.strerror or error}")
            answer.started = not per_move
            return None
        if place.stale:
            answer.notes.append(f"{place.stale} bytes printed before the prompt were dropped")
            place.stale = 0
        place.pending += request.prompt.encode()
        return None

    def _begin(self, place: SeatState) -> None:
        """Start the clock and offer the prompt."""
        place.living.thaw()
        talk = place.begin(monotonic_ns())
        if place.living.stdout not in self._pipes.owners:
            talk.close(talk.start_ns)
        if place.living.stdin >= 0:
            self._pipes.offer(place)

    def _wait(self, places: Sequence[SeatState]) -> None:
        """Until every question is settled. Those that left nothing to clean up are also concluded, so that what the
        agent does while others think is not taken for part of its answer."""
        now = monotonic_ns()
        watch_at = now + WATCH_NS
        beat_ns = min([place.beat_ns for place in places], default=0)
        waiting = [(place, place.talk) for place in places if place.talk]
        while waiting:
            wake = min(watch_at, now + beat_ns, *[place.wake_ns for place, _ in waiting])
            self._pipes.pump(max(0, wake - now))
            now = monotonic_ns()
            if now >= watch_at:
                for place in places:
                    place.watch_limits(now)
                watch_at = now + WATCH_NS
            for place in places:
                place.grant(now)
            judged = [(place, talk) for place, talk in waiting if place.judge(now)]
            for place, talk in judged:
                if talk.fault:
                    place.living.hold()
                elif place.seat.lifetime == "game":
                    self._conclude(place)
            waiting = [one for one in waiting if one not in judged]
            for place, _ in waiting:
                place.wait_on()

    def _conclude(self, place: SeatState) -> None:
        """Make the answer of a settled question, and end the process if its time is over."""
        talk, process, answer = place.talk, place.living, place.answer
        if talk is None:
            raise AssertionError("only open questions are concluded")
        wall_ns = talk.settled_ns - talk.start_ns
        answer.text, answer.said_bytes, answer.fault = talk.text, len(talk.said), talk.fault
        if talk.surplus:
            answer.notes.append(f"{talk.surplus} bytes after the answer were dropped")
        place.talk = None
        if place.seat.lifetime == "move" or talk.fault:
            answer.exit_code = process.exit_code
            if process.exit_code is None and not talk.fault:
                answer.notes.append("was still running after it had closed its standard output, and was killed")
            self._kill(place)
            self._last_words(process, answer)
            if answer.fault:
                answer.fault = place.name_cause(answer.fault, process)
        else:
            answer.kibitz = process.keeper.take(answer.notes)
            if not self._ponder:
                process.freeze()
            elif not place.died and not place.budget.counts and not place.pending and process.stdout in self._listened:
                place.lane = place.quick_way(process)
        place.settle_account(answer, wall_ns)

    def _last_words(self, process: AgentProcess, answer: Answer) -> None:
        process.keeper.finish()
        answer.kibitz = process.keeper.take(answer.notes)
        answer.stderr = process.keeper.tail()
        answer.peak_bytes = process.peak_bytes

    def _kill(self, place: SeatState) -> None:
        self._pipes.kill(place)

    def farewell(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """The game is over: send long-lived agents their last words and end of input, give them a moment to
        end by themselves, and yield what they kibitzed meanwhile. How they end is no fault."""
        living = [place for place in self._places if place.process and not place.died]
        for place in living:
            place.living.thaw()
            place.talk = None
            if last_words := text(place.index):
                place.pending += last_words.encode()
                self._pipes.offer(place)
            self._pipes.forget(place.living.stdin)
            place.living.close_stdin()
        until = monotonic_ns() + FAREWELL_NS
        while not all(place.died for place in living) and (left := until - monotonic_ns()) > 0:
            self._pipes.pump(left)
        for place in self._places:
            if place.process:
                place.process.keeper.finish()
                if lines := place.process.keeper.take([]):
                    yield place.index, lines

    def clocks(self) -> dict[int, int]:
        """By seat: nanoseconds left for the game, of agents that have a limit on that."""
        return {place.index: place.budget.left_ns for place in self._places if place.budget.left_ns is not None}

    def peaks(self) -> dict[int, int]:
        """By seat: the most memory that one of its agent's processes had in use, as far as that is known. Ends them."""
        for place in self._places:
            self._kill(place)
        return {place.index: place.peak_bytes for place in self._places if place.peak_bytes}


def _nothing() -> None:
    """Is all there is to do."""
