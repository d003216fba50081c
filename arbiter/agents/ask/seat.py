"""The state of one seat during a game: its answers, the time it has left, and the conversation with its agent's process.

The table calls its methods in the order of a turn: :meth:`SeatState.prepare`, :meth:`SeatState.begin`,
:meth:`SeatState.settle` until the question is settled, :meth:`SeatState.complete`. Nothing else changes a seat.
"""

from __future__ import annotations

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.between_turns import BetweenTurns
from arbiter.agents.ask.complete_answer import keep_evidence, late_output_of, note_causes, take_text, write_times
from arbiter.agents.ask.conversation import Conversation
from arbiter.agents.ask.fast_path import Unfinished
from arbiter.agents.ask.fresh_process import FreshProcesses, start_fault
from arbiter.agents.ask.late_output import LateOutput
from arbiter.agents.ask.poller import Poller
from arbiter.agents.ask.question import AnswerRules, Question
from arbiter.agents.ask.request import Request, Seat, TableRules
from arbiter.agents.ask.side_output import Advice
from arbiter.agents.ask.time_limit import TimeLimit, late_by_budget
from arbiter.agents.clock.budget import Budget
from arbiter.agents.clock.meter import Meter
from arbiter.agents.clock.stalls import MachineReadings
from arbiter.agents.clock.steal import is_virtual
from arbiter.agents.launch.process import AgentProcess
from arbiter.game import Fault

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
        self.label = seat.label or f"seat {index}"
        self._between_turns = BetweenTurns(rules, seat.cores)
        self._per_move = seat.lifetime == "move"
        self._answer_rules = AnswerRules("exit" if self._per_move else "line", limits.output_bytes, rules.strict_exit)
        self.heartbeat_ns = min(WATCH_NS, max(HEARTBEAT_NS, limits.move_ns // 50)) if is_virtual() else WATCH_NS
        self._budget = Budget(limits.total_ns, limits.increment_ns, limits.grace, limits.margin_ns)
        self._has_budget = self._budget.in_use
        contained = seat.sandbox is not None and seat.sandbox.contained
        self._meter = Meter(rules.clock, machine, seat.cores, index, contained=contained)
        self._poller, self._fresh = poller, FreshProcesses(seat, mark, self._meter, poller)
        self._advice = Advice()
        self.conversation: Conversation | None = None
        """The conversation with the agent's process; None until there is one."""
        self._asked = 0
        self.answer = Answer(index)
        """The answer to the open question, or to the last one."""
        self.unheard_ns = 0
        """When the open question started: the arbiter has not polled since."""
        self.peak_bytes = 0
        """Peak memory use of its processes that have been killed."""

    # -- what the table needs to know

    @property
    def process(self) -> AgentProcess | None:
        """The agent's running process, if it has one."""
        if self.conversation is None or self.conversation.has_exited:
            return None
        return self.conversation.process

    @property
    def is_asked(self) -> bool:
        """Whether a question is open."""
        return self.conversation is not None and self.conversation.question is not None

    @property
    def left_ns(self) -> int | None:
        """Time left for the game; None without such a limit."""
        return self._budget.left_ns

    @property
    def wake_ns(self) -> int:
        """When to check the open question if no event arrives before."""
        return self._current.open_question.wake_ns

    @property
    def unprompted(self) -> str:
        """The start of what it has printed since its last answer."""
        return self.conversation.output.stale_text if self.conversation else ""

    @property
    def _current(self) -> Conversation:
        if self.conversation is None:
            raise AssertionError(f"seat {self.index} has no process")
        return self.conversation

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
        process = self.process
        return process.cpu_ns() if process else None

    def give_way(self) -> str:
        """Keep the agent off the core while others are asked; return how, or an empty string if it is kept off
        already."""
        if self.conversation is None:
            return ""
        self.conversation.withdraw_fast_path()
        return self._between_turns.give_way(self.conversation.process)

    # -- before a question

    def prepare(self, request: Request, *, alone: bool) -> bool:
        """Get the agent ready for its prompt; return False if a fault answers the question at once. If the agent is
        asked ``alone`` and spawned for this question, its prompt is preloaded; agents asked together start together."""
        self.answer = Answer(self.index)
        self.answer.fault = self._fault_before() or self._ready(request, alone=alone)
        return self.answer.fault is None

    def _fault_before(self) -> Fault | None:
        """Return the fault of an agent that cannot be asked, or None."""
        if self._has_budget and (late := late_by_budget(self.answer, self._budget, self._seat.limits.total_ns)):
            return late
        conversation = self.conversation
        if conversation is None:
            return self._fresh.spent()
        fault = conversation.fault_between_moves()
        if fault:
            self.answer.exit_code = conversation.process.exit_code
            fault = self._kill_for(fault)
            self._explain(fault, conversation)
        return fault

    def _ready(self, request: Request, *, alone: bool) -> Fault | None:
        prompt = request.prompt.encode()
        if self.conversation is None:
            data = request.briefing(request.seat).encode() + prompt
            try:
                self.conversation = self._fresh.start(data, preload=self._per_move and alone)
            except OSError as error:
                return start_fault(self._seat.launch, error)
            self.answer.started = not self._per_move
            return None
        self.conversation.output.drop_stale(self.answer.notes, self._advice)
        self.conversation.add_input(prompt)
        return None

    # -- asking

    def begin(self) -> None:
        """Start the clock and send the prompt. The clock of an agent with a preloaded prompt started with its process."""
        conversation, limits = self._current, self._seat.limits
        self._between_turns.end(conversation.process, self.answer.notes)
        first = self.answer.started or (self._per_move and self._asked == 0)
        self._asked += 1
        start_ns = self._meter.begin()
        conversation.begin(self._question(start_ns, limits.first_move_ns if first else limits.move_ns))
        self.unheard_ns = conversation.open_question.limit.start_ns

    def carry_on(self, question: Unfinished) -> bool:
        """Continue a question that the fast path could not finish; return whether it is settled already."""
        self.answer = Answer(self.index)
        self.unheard_ns = question.now_ns
        self._current.carry_on(self._question(question.start_ns, self._seat.limits.move_ns), question)
        return self.settle(question.now_ns)

    def _question(self, start_ns: int, limit_ns: int) -> Question:
        if self._has_budget:
            limit_ns = self._budget.allow(limit_ns)
        all_counted = self._current.process.counts_all_cpu
        margin_ns = self._budget.margin_ns if self._has_budget else 0
        limit = TimeLimit(
            self._rules.clock, self._meter, limit_ns, start_ns, margin_ns=margin_ns, all_counted=all_counted
        )
        return Question(self._answer_rules, limit)

    def settle(self, now_ns: int) -> bool:
        """Whether the open question is settled."""
        return self._current.open_question.settle(now_ns)

    def resume_waiting(self, now_ns: int) -> None:
        """Note that the arbiter goes back to waiting for the answer."""
        self._current.resume_waiting(now_ns)

    def watch(self, now_ns: int) -> None:
        """Check the limits of the agent, whether it is being asked or not."""
        if self.conversation is not None:
            self.conversation.watch(now_ns)

    # -- after a question

    def release(self) -> None:
        """Finish a settled question while others are still open: the agent must not disturb them, and nothing that it
        does from now on is part of its answer."""
        if self._current.open_question.fault or self._per_move:
            self._current.process.pause()
        else:
            self.complete()

    def complete(self) -> None:
        """Complete the answer to a settled question, and kill the process if its lifetime is over."""
        conversation, answer = self._current, self.answer
        question, process = conversation.close_question(), conversation.process
        take_text(answer, question, self._advice)
        last: LateOutput | None = None
        if self._per_move or question.fault:
            answer.exit_code = process.exit_code
            last = late_output_of(question, process, self._poller, lives_on=not self._per_move)
            if process.exit_code is None and not question.fault:
                answer.notes.append("was still running after it had closed its standard output, and was killed")
            answer.fault = self._kill_for(question.fault)
        else:
            answer.kibitz = conversation.output.stderr.take(answer.notes)
            self._rest(conversation)
        write_times(answer, question, self._budget)
        self._explain(answer.fault, conversation, last)

    def _rest(self, conversation: Conversation) -> None:
        """Let the agent ponder until the next question, keep it off the core or freeze it."""
        self._between_turns.begin(conversation.process)
        if self._between_turns.is_free and self._budget.left_ns is None:
            conversation.offer_fast_path(self.index, self._meter)

    def _explain(self, fault: Fault | None, conversation: Conversation, last: LateOutput | None = None) -> None:
        note_causes(self.answer, fault, self._seat, last, has_answered=conversation.has_answered)

    def _kill_for(self, fault: Fault | None) -> Fault | None:
        """Kill the agent, keep the evidence for the record, and return the fault with its cause."""
        conversation = self._current
        self.kill()
        stderr, memory_bytes = conversation.output.stderr, self._seat.limits.memory_bytes
        return keep_evidence(self.answer, fault, conversation.process, stderr, memory_bytes)

    def kill(self) -> None:
        """Kill the agent with everything it started."""
        if self.conversation is not None:
            conversation, self.conversation = self.conversation, None
            conversation.kill()
            self.peak_bytes = max(self.peak_bytes, conversation.process.peak_bytes)

    # -- the end of the game

    def finish(self, text: str) -> None:
        """Send the agent its last input and end of file."""
        self._between_turns.end(self._current.process, self.answer.notes)
        self._current.end_input(text)

    def last_kibitz(self) -> list[str]:
        """Return what the agent kibitzed since its last answer."""
        return self.conversation.output.last_kibitz() if self.conversation else []

    def close(self) -> None:
        """Kill the agent at the end of the game."""
        self.kill()
        self._fresh.close()
