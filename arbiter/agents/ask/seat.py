"""The state of one seat during a game: its agent's process, the question being asked, the time it has left.

Only the methods of :class:`SeatState` change it. The table calls them in the order of a turn, the poller with events.
"""

from __future__ import annotations

from time import monotonic_ns

import msgspec

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.between_turns import BetweenTurns
from arbiter.agents.ask.complete_answer import keep_evidence, late_output_of, note_causes, write_times
from arbiter.agents.ask.excess import too_much
from arbiter.agents.ask.exchange import AnswerRules, Exchange, describe_exit
from arbiter.agents.ask.fast_path import FastPath, Unfinished, fast_path
from arbiter.agents.ask.fresh_process import FreshProcesses
from arbiter.agents.ask.late_output import LateOutput
from arbiter.agents.ask.poller import Poller
from arbiter.agents.ask.request import Request, Seat, TableRules
from arbiter.agents.ask.side_output import Advice, SideOutput
from arbiter.agents.ask.time_limit import TimeLimit, budget_used_up
from arbiter.agents.clock.budget import Budget
from arbiter.agents.clock.meter import OVERSLEPT_NS, Meter
from arbiter.agents.clock.sentinel import NEEDED_NS
from arbiter.agents.clock.stalls import MachineReadings
from arbiter.agents.clock.steal import is_virtual
from arbiter.agents.launch.process import CHUNK, AgentProcess
from arbiter.game import Fault, FaultKind

HEARTBEAT_NS = 10_000_000
"""The shortest interval at which the arbiter wakes while an agent thinks, to notice stalls of the machine."""
WATCH_NS = 50_000_000
"""The interval at which the memory and processes of agents are checked, and whether they crowd one another."""


class SeatState:
    """The state of one seat."""

    def __init__(
        self,
        index: int,
        seat: Seat,
        rules: TableRules,
        *,
        machine: MachineReadings,
        poller: Poller,
        mark: str,
    ) -> None:
        """``mark`` identifies stray processes of this agent."""
        limits = seat.limits
        self.index, self._seat, self._rules = index, seat, rules
        self._poller, self._fresh = poller, FreshProcesses(seat, mark)
        self._between_turns = BetweenTurns(rules, seat.cores)
        self._per_move = seat.lifetime == "move"
        self._answer_rules = AnswerRules("exit" if self._per_move else "line", limits.output_bytes, rules.strict_exit)
        self._limit_ns, self._first_limit_ns = limits.move_ns, limits.first_move_ns
        self.heartbeat_ns = min(WATCH_NS, max(HEARTBEAT_NS, limits.move_ns // 50)) if is_virtual() else WATCH_NS
        self._budget = Budget(limits.total_ns, limits.increment_ns, limits.grace, limits.margin_ns)
        self._has_budget = self._budget.in_use
        contained = seat.sandbox is not None and seat.sandbox.contained
        self._meter = Meter(rules.clock, machine, seat.cores, index, contained=contained)
        self._process: AgentProcess | None = None
        self._output = SideOutput(limits.stderr_bytes)
        self._advice = Advice()
        self._has_answered = False
        """Whether its process has answered a question."""
        self._exchange: Exchange | None = None
        """The question being asked, if any."""
        self.answer = Answer(index)
        """The answer to that question, or to the last one."""
        self.unheard_ns = 0
        """When that question started: the arbiter has not polled since."""
        self._pending = b""
        """Input that its pipe has not taken yet."""
        self._asked = 0
        self._excess: Fault | None = None
        """The limit that it exceeded since its last answer."""
        self._backlog = False
        """Whether the agent had to wait for the arbiter to read or write since the last poll."""
        self.has_exited = False
        """Whether its process has exited and has not been replaced."""
        self.peak_bytes = 0
        """Peak memory use of its processes that have been killed."""
        self._own_fast_path: FastPath | None = None
        """The fast path to its process, made on first use."""
        self.fast_path: FastPath | None = None
        """Set while the process lives, has taken all its input, and has caused no event since its last answer."""

    # -- what the table needs to know

    @property
    def process(self) -> AgentProcess | None:
        """The agent's process, if it has one."""
        return self._process

    @property
    def is_asked(self) -> bool:
        """Whether a question is open."""
        return self._exchange is not None

    @property
    def left_ns(self) -> int | None:
        """Time left for the game; None without such a limit."""
        return self._budget.left_ns

    @property
    def wake_ns(self) -> int:
        """When to look at the open question if no event arrives before."""
        return self._open.wake_ns

    @property
    def _living(self) -> AgentProcess:
        if self._process is None:
            raise AssertionError(f"seat {self.index} has no process")
        return self._process

    @property
    def _open(self) -> Exchange:
        if self._exchange is None:
            raise AssertionError(f"seat {self.index} is not being asked")
        return self._exchange

    @property
    def uninvited(self) -> str:
        """The start of what it has printed since its last answer."""
        return self._output.stale_text

    # -- crowding

    @property
    def notes(self) -> list[str]:
        """Notes on the answer to the open question."""
        return self.answer.notes

    def ran_and_waited_ns(self) -> tuple[int, int]:
        """How long the agent ran and waited from the question to the last readings."""
        return self._meter.ran_and_waited_ns()

    def total_cpu_ns(self) -> int | None:
        """CPU time of the agent's process and its helpers; None without a process."""
        return self._process.cpu_ns() if self._process and not self.has_exited else None

    def give_way(self) -> str:
        """Keep the agent off the core while others are asked; return how, or an empty string if it is kept off
        already."""
        if self._process is None:
            return ""
        self.fast_path = None
        return self._between_turns.give_way(self._process)

    # -- before a question

    def prepare(self, request: Request, *, alone: bool) -> bool:
        """Get the agent ready for its prompt; return False if a fault answers the question at once. If the agent is
        asked ``alone`` and spawned for this question, its prompt is preloaded; agents asked together start together."""
        self.answer = Answer(self.index)
        self.answer.fault = self._fault_before() or self._ready(request, alone=alone)
        return self.answer.fault is None

    def _fault_before(self) -> Fault | None:
        """Return the fault of an agent that cannot be asked, or None."""
        if self._has_budget and self._budget.used_up:
            self._budget.skip()
            self.answer.left_ns = self._budget.left_ns
            return budget_used_up(self._seat.limits.total_ns)
        fault = self._misbehaved() if self._process else None
        if fault:
            self.answer.exit_code = self._living.exit_code
            fault = self._kill_for(fault)
            self._explain(fault)
            return fault
        return self._fresh.spent() if self._process is None else None

    def _misbehaved(self) -> Fault | None:
        """Return the agent's fault since its last answer, or None."""
        if self._excess:
            return self._excess
        if self.has_exited:
            code = self._living.exit_code or 0
            kind = FaultKind.CRASHED if code else FaultKind.SILENT
            return Fault(kind, f"{describe_exit(code)} between moves")
        return self._output.fault_between_moves()

    def _ready(self, request: Request, *, alone: bool) -> Fault | None:
        prompt = request.prompt.encode()
        if self._process is None:
            try:
                self._spawn(request.briefing(request.seat).encode() + prompt, preload=self._per_move and alone)
            except OSError as error:
                return self._fresh.not_started(error)
            self.answer.started = not self._per_move
            return None
        self._output.drop_stale(self.answer.notes, self._advice)
        self._pending += prompt
        return None

    def _spawn(self, data: bytes, *, preload: bool) -> None:
        self._process, self._pending = self._fresh.start(data, self._meter, preload=preload)
        self._output = SideOutput(self._seat.limits.stderr_bytes)
        self._own_fast_path, self._has_answered = None, False
        self._poller.watch(self._process, self, undisturbed=preload and not self._pending)

    # -- asking

    def begin(self) -> None:
        """Start the clock and send the prompt. The clock of an agent with a preloaded prompt started with its process."""
        process = self._living
        self._between_turns.end(process, self.answer.notes)
        first = self.answer.started or (self._per_move and self._asked == 0)
        self._asked += 1
        start_ns = self._meter.begin()
        self.unheard_ns = monotonic_ns() if process.preloaded else start_ns
        self._open_exchange(start_ns, self._first_limit_ns if first else self._limit_ns)
        if not self._poller.listens_to(process.stdout):
            self._open.close(monotonic_ns())
        if process.stdin >= 0:
            self._send()

    def carry_on(self, question: Unfinished) -> bool:
        """Continue a question that the fast path could not finish; return whether it is settled already."""
        self.answer = Answer(self.index)
        self.unheard_ns = question.now_ns
        self._open_exchange(question.start_ns, self._limit_ns)
        if question.late_ns >= OVERSLEPT_NS:
            self._meter.overslept(question.late_ns)
        if question.said:
            self._open.hear(question.said, question.now_ns)
        if question.unsent:
            self._pending = question.unsent
            self._send()
        return self.settle(question.now_ns)

    def _open_exchange(self, start_ns: int, limit_ns: int) -> None:
        if self._has_budget:
            limit_ns = self._budget.allow(limit_ns)
        self.fast_path, self._backlog = None, False
        self._meter.open(start_ns)
        all_counted = self._living.counts_all_cpu
        limit = TimeLimit(self._rules.clock, self._meter, limit_ns, start_ns, all_counted=all_counted)
        self._exchange = Exchange(self._answer_rules, limit)

    def _send(self) -> None:
        process = self._living
        self._pending = self._poller.write(process, self._pending, self)
        if not self._pending and self._per_move:
            process.close_stdin()

    def settle(self, now_ns: int) -> bool:
        """Whether the open question is settled."""
        return self._open.settle(now_ns)

    def wait_on(self, now_ns: int) -> None:
        """Note that the arbiter goes back to waiting for the answer."""
        self._meter.wait_on(now_ns, backlog=self._backlog)
        self._backlog = False

    def watch(self, now_ns: int) -> None:
        """Check the limits of the agent, whether it is being asked or not."""
        if self._exchange is not None:
            self._check_limits(now_ns)
        elif (
            self._process is not None
            and not self.has_exited
            and not self._excess
            and not self._process.kernel_limits_all
            and (fault := too_much(self._process, self._seat.limits))
        ):
            # Killed at once, to release the memory; the fault becomes its next answer.
            self._excess = msgspec.structs.replace(fault, detail=f"{fault.detail}, between moves")
            self._process.end()

    def _check_limits(self, now_ns: int) -> None:
        """Fail the question if the agent has too many processes or uses too much memory."""
        exchange, process = self._open, self._living
        if not exchange.ended_ns and process.exit_code is None:
            self._meter.look(now_ns)  # the run-queue waits of helpers are lost when they exit
            if fault := too_much(process, self._seat.limits):
                exchange.fail(fault, now_ns)

    # -- events

    def heard(self, chunk: bytes, now_ns: int) -> bool:
        self.fast_path = None
        self._backlog = self._backlog or len(chunk) == CHUNK
        exchange = self._exchange
        if exchange is not None and not exchange.ended_ns:
            exchange.hear(chunk, now_ns)
            return True
        return self._output.hear_stale(chunk)

    def heard_stderr(self, chunk: bytes, now_ns: int) -> bool:
        self.fast_path = None
        self._backlog = self._backlog or len(chunk) == CHUNK
        if self._seat.stderr_log:
            self._seat.stderr_log(chunk)
        flood = self._output.hear_stderr(chunk)
        if flood and self._exchange is not None:
            self._exchange.fail(flood, now_ns)
        return flood is None

    def closed(self, now_ns: int) -> None:
        self.fast_path = None
        if self._exchange is not None:
            self._exchange.close(now_ns)

    def writable(self) -> None:
        self.fast_path = None
        self._backlog = True
        self._send()

    def exited(self, now_ns: int) -> None:
        self.fast_path = None
        process, exchange = self._living, self._exchange
        is_open = exchange is not None and not exchange.ended_ns
        if is_open:
            self._meter.look_before_reaping(now_ns)
        process.reap()
        if exchange is not None and is_open:
            exchange.exit(process.exit_code or 0, now_ns)
        self.has_exited = True

    def overslept(self, late_ns: int) -> None:
        if self._exchange is not None and not self._exchange.ended_ns:
            self._meter.overslept(late_ns)

    def held_up(self, wait_ns: int) -> None:
        self._meter.readings.late_ns += wait_ns

    # -- after a question

    def release(self) -> None:
        """Finish a settled question while others are still open: the agent must not disturb them, and nothing that it
        does from now on is part of its answer."""
        if self._open.fault:
            self._living.pause()
        elif not self._per_move:
            self.conclude()

    def conclude(self) -> None:
        """Complete the answer to a settled question, and kill the process if its lifetime is over."""
        exchange, process, answer = self._open, self._living, self.answer
        self._exchange = None
        answer.text, answer.said_bytes, answer.fault = exchange.text, len(exchange.said), exchange.fault
        if exchange.surplus:
            answer.surplus = exchange.surplus_text
            more = self._advice.about(answer.surplus)
            answer.notes.append(f"{exchange.surplus} bytes after the answer were dropped{more}")
        last: LateOutput | None = None
        if self._per_move or exchange.fault:
            answer.exit_code = process.exit_code
            last = late_output_of(exchange, process, self._poller, lives_on=not self._per_move)
            if process.exit_code is None and not exchange.fault:
                answer.notes.append("was still running after it had closed its standard output, and was killed")
            answer.fault = self._kill_for(exchange.fault)
        else:
            answer.kibitz = self._output.stderr.take(answer.notes)
            self._has_answered = True
            self._rest(process)
        write_times(answer, self._meter, self._budget, exchange.wall_ns)
        self._explain(answer.fault, last)

    def _explain(self, fault: Fault | None, last: LateOutput | None = None) -> None:
        note_causes(self.answer, fault, self._seat, last, has_answered=self._has_answered)

    def _rest(self, process: AgentProcess) -> None:
        """Let the agent ponder until the next question, keep it off the core or freeze it; offer the fast path if
        possible."""
        self._between_turns.begin(process)
        if (
            self._between_turns.is_free
            and not self.has_exited
            and self._budget.left_ns is None
            and not self._pending
            and self._poller.listens_to(process.stdout)
        ):
            self._own_fast_path = self._own_fast_path or fast_path(
                self.index,
                process,
                self._meter,
                self._poller.epoll.poll,
                limit_ns=self._limit_ns,
                output_bytes=self._seat.limits.output_bytes,
                patience_ns=min(self._limit_ns, NEEDED_NS),
            )
            self.fast_path = self._own_fast_path

    def _kill_for(self, fault: Fault | None) -> Fault | None:
        """Kill the agent, keep the evidence for the record, and return the fault with its cause."""
        process = self._living
        self.kill()
        return keep_evidence(self.answer, fault, process, self._output.stderr, self._seat.limits.memory_bytes)

    def kill(self) -> None:
        """Kill the agent with everything it started."""
        process = self._process
        if process is None:
            return
        self._process, self._exchange, self._excess, self._pending = None, None, None, b""
        self._poller.forget(process)
        process.kill()
        self.peak_bytes = max(self.peak_bytes, process.peak_bytes)
        self.has_exited = False
        self.fast_path = None

    # -- the end of the game

    def close(self) -> None:
        """Kill the agent at the end of the game."""
        self.kill()
        self._fresh.close()

    def say_farewell(self, text: str) -> None:
        """Send the agent its last input and end of file."""
        process = self._living
        self._between_turns.end(process, self.answer.notes)
        self._exchange, self.fast_path = None, None
        if text:
            self._poller.write(process, self._pending + text.encode(), self)
        self._poller.stop_writing(process)
        process.close_stdin()

    def last_kibitz(self) -> list[str]:
        """Return what the agent kibitzed since its last answer."""
        stderr = self._output.stderr
        stderr.finish()
        return stderr.take([])
