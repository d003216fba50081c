"""The table: asks one or several agents at a time, under time limits.

To ask means: read what agents printed unasked, send the prompts, then wait for an answer, an exit or the deadline,
which nothing an agent prints can move. Meanwhile the standard error of all agents is drained, including those that are
not being asked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic_ns

import msgspec

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.crowding import Crowding
from arbiter.agents.ask.fast_path import Unfinished, ask_together
from arbiter.agents.ask.fresh_process import RESTARTS
from arbiter.agents.ask.outside import Respondent
from arbiter.agents.ask.poller import Poller
from arbiter.agents.ask.request import Request, Seat, TableRules
from arbiter.agents.ask.seat import WATCH_NS, SeatState
from arbiter.agents.clock.sentinel import NEEDED_NS
from arbiter.agents.clock.stalls import MachineReadings
from arbiter.agents.launch import strays, supervisor
from arbiter.agents.launch.process import AgentProcess

FINISH_NS = 250_000_000
"""How long agents may take to exit by themselves when the game is over."""
OVERHEAR_NS = 30_000_000
"""How long to listen to an agent that goes on computing after an answer that was refused."""
_STEP_NS = 2_000_000
"""How often to check whether an agent is asleep."""
__all__ = ["RESTARTS", "Request", "Seat", "Table", "TableRules"]


class Table:
    """The agents of one game. Use as a context manager: on leaving, all their processes are killed."""

    def __init__(
        self,
        seats: Sequence[Seat],
        rules: TableRules | None = None,
        *,
        respondents: Mapping[int, Respondent] | None = None,
        idle: Callable[[], None] | None = None,
    ) -> None:
        """``respondents`` answer for seats that have no process. ``idle`` is called before waiting for an answer that takes
        some time, to use that time for other work."""
        self._machine = MachineReadings.open()
        self._poller = Poller()
        self._mark = strays.new_table()
        self._supervision = contextlib.ExitStack()
        self._idle = idle or _do_nothing
        self._respondents = respondents or {}
        rules = rules or TableRules()
        in_use = {core for seat in seats for core in seat.cores or ()}
        rules = msgspec.structs.replace(rules, spare=tuple(core for core in rules.spare if core not in in_use))
        self._seats = [
            SeatState(
                index,
                seat,
                rules,
                machine=self._machine,
                poller=self._poller,
                mark=strays.agent_mark(self._mark, index),
            )
            for index, seat in enumerate(seats)
        ]
        self._poll = self._poller.poll.poll
        self._crowding = Crowding(self._seats)
        self._watch_ns = 0
        """When to check the limits of all agents again."""
        self._overheard: set[int] = set()
        """Seats that were listened to after an answer that was refused."""

    def __enter__(self) -> Table:
        self._supervision.enter_context(supervisor.subreaper())
        self._supervision.enter_context(supervisor.private())
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.ExitStack() as leaving:  # each of these even if another fails
            leaving.callback(self._supervision.close)
            leaving.callback(self._machine.close)
            leaving.callback(strays.sweep, self._mark)
            for seat in self._seats:
                leaving.callback(seat.close)

    def ask_one(self, seat: int, prompt: str, briefing: Callable[[int], str]) -> Answer:
        """Ask this seat alone, by the fast path if possible."""
        state = self._seats[seat]
        conversation = state.conversation
        path = conversation.fast_path if conversation is not None else None
        if path is None or self._poll(0):
            return self._ask([Request(seat, prompt, briefing)])[0]
        start_ns, unsent = path.send(prompt)
        if not unsent and self._poll(path.patience_ms) == path.answered:
            answer = path.receive(start_ns)
            if isinstance(answer, Answer):
                if start_ns >= self._watch_ns:
                    self._watch(start_ns)
                return answer
        else:
            answer = path.unfinished(start_ns, unsent)
        return self._carry_on([state], [answer])[0]

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Ask these seats at the same time, by the fast path if possible. Whatever the agents do, each request gets an
        answer."""
        if len(requests) == 1:
            (only,) = requests
            return [self.ask_one(only.seat, only.prompt, only.briefing)]
        if monotonic_ns() >= self._watch_ns:
            self._watch(monotonic_ns())
        seats = [self._seats[request.seat] for request in requests]
        paths = [path for seat in seats if seat.conversation and (path := seat.conversation.fast_path)]
        if len(paths) < len(seats) or self._poll(0):
            return self._ask(requests)
        return self._carry_on(seats, ask_together(paths, [request.prompt for request in requests], self._poll))

    def _carry_on(self, seats: Sequence[SeatState], found: Sequence[Answer | Unfinished]) -> list[Answer]:
        """Continue on the slow path with the questions that the fast path did not finish; return all answers."""
        pairs = list(zip(seats, found, strict=True))
        settled, waiting = list[SeatState](), list[SeatState]()
        for seat, so_far in pairs:
            if isinstance(so_far, Unfinished):
                (settled if seat.carry_on(so_far) else waiting).append(seat)
        if waiting:
            for seat in settled:
                seat.release()
            self._idle()
            self._wait(waiting)
        answers: list[Answer] = []
        for seat, answer in pairs:
            if isinstance(answer, Answer):
                answers.append(answer)
                continue
            if seat.is_asked:
                seat.complete()
            answers.append(seat.answer)
        return answers

    def _ask(self, requests: Sequence[Request]) -> list[Answer]:
        if self._respondents:
            away = [request for request in requests if request.seat in self._respondents]
            if away:
                return self._ask_outside(away, requests)
        self._poller.drain()
        alone = len(requests) == 1
        seats = [self._seats[request.seat] for request in requests]
        asked = [seat for seat, request in zip(seats, requests, strict=True) if seat.prepare(request, alone=alone)]
        for seat in asked:
            seat.begin()
        self._wait(asked)
        for seat in asked:
            if seat.is_asked:
                seat.complete()
        return [seat.answer for seat in seats]

    def _ask_outside(self, away: Sequence[Request], requests: Sequence[Request]) -> list[Answer]:
        """Ask the respondents of the seats in ``away`` together with the other seats. All are asked before any answer is
        waited for."""
        for request in away:
            self._respondents[request.seat].put(request)
        local = [request for request in requests if request.seat not in self._respondents]
        answers = {answer.seat: answer for answer in (self.ask(local) if local else ())}
        self._idle()
        for request in away:
            answer = answers[request.seat] = self._respondents[request.seat].answer()
            self._seats[request.seat].peak_bytes = max(self._seats[request.seat].peak_bytes, answer.peak_bytes)
        return [answers[request.seat] for request in requests]

    def _wait(self, asked: Sequence[SeatState]) -> None:
        """Wait until every question is settled."""
        now_ns = awake_ns = monotonic_ns()
        later_ns = WATCH_NS
        for seat in asked:  # loops, since min() over a generator takes a microsecond
            later_ns = min(later_ns, seat.heartbeat_ns)
            awake_ns = min(awake_ns, seat.unheard_ns)
        heartbeat_ns = NEEDED_NS
        self._poller.awake_since(awake_ns)
        self._crowding.begin(asked)
        waiting = asked
        while waiting:
            wake_ns = min(self._watch_ns, now_ns + heartbeat_ns)
            for seat in waiting:
                wake_ns = min(wake_ns, seat.wake_ns)
            self._poller.wait(max(0, wake_ns - now_ns))
            now_ns = monotonic_ns()
            if now_ns >= self._watch_ns:
                self._watch(now_ns)
                self._crowding.check(waiting)
            settled = [seat for seat in waiting if seat.settle(now_ns)]
            if settled:
                self._crowding.check(waiting)
            waiting = [seat for seat in waiting if seat not in settled] if len(settled) < len(waiting) else ()
            for seat in settled:
                seat.release()
            if waiting and heartbeat_ns != later_ns:  # the first wait is over, so it takes a while
                self._idle()
                heartbeat_ns = later_ns
            for seat in waiting:
                seat.resume_waiting(now_ns)

    def _watch(self, now_ns: int) -> None:
        """Check the limits of all agents. Those that are not being asked can use memory as well."""
        for seat in self._seats:
            seat.watch(now_ns)
        self._watch_ns = now_ns + WATCH_NS

    def overhear(self, seat: int) -> str:
        """Return what a long-lived agent prints after an answer that the rules refused. This is done once per game: an agent
        whose answers are refused makes the same mistake again and again."""
        if seat in self._overheard or seat in self._respondents:
            return ""
        self._overheard.add(seat)
        return self.unprompted(seat, OVERHEAR_NS)

    def unprompted(self, seat: int, patience_ns: int) -> str:
        """Return the start of what an agent prints without being asked, until it waits for input or ``patience_ns`` have
        passed. The next question drops it."""
        now_ns = monotonic_ns()
        self._poller.awake_since(now_ns)
        until_ns, busy = now_ns + patience_ns, True
        while busy:
            process = self.process(seat)
            # Checked before reading: what an agent prints before it falls asleep is in the pipe by then.
            busy = process is not None and process.is_ready() and monotonic_ns() < until_ns
            self._poller.wait(_STEP_NS if busy else 0)
        return self._seats[seat].unprompted

    def finish(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """End the game: send long-lived agents their last input and end of file, give them time to exit, and yield
        their last kibitz by seat. Their exit status does not matter. Respondents are notified first, since agents are
        waited for."""
        for index, respondent in self._respondents.items():
            respondent.finish(text(index))
        living = [seat for seat in self._seats if seat.process]
        for seat in living:
            seat.finish(text(seat.index))
        now_ns = monotonic_ns()
        self._poller.awake_since(now_ns)
        until_ns = now_ns + FINISH_NS
        while any(seat.process for seat in living) and (left_ns := until_ns - monotonic_ns()) > 0:
            self._poller.wait(left_ns)
        for seat in self._seats:
            if lines := seat.last_kibitz():
                yield seat.index, lines

    def process(self, seat: int) -> AgentProcess | None:
        """Return the running process of a seat, for inspection; None if it has none."""
        return self._seats[seat].process

    def clocks(self) -> dict[int, int]:
        """Return the nanoseconds left for the game by seat, of seats with such a limit."""
        found = {seat.index: seat.left_ns for seat in self._seats if seat.left_ns is not None}
        for index, respondent in self._respondents.items():
            if (left_ns := respondent.left_ns) is not None:
                found[index] = left_ns
        return found

    def peaks(self) -> dict[int, int]:
        """Kill all agents and return the peak memory use of one process by seat, where it is known."""
        for seat in self._seats:
            seat.kill()
        return {seat.index: seat.peak_bytes for seat in self._seats if seat.peak_bytes}


def _do_nothing() -> None:
    """Do nothing: the default for ``idle``."""
