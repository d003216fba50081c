"""What an agent may do between its turns: ponder, give way to the agents being asked, or stay frozen."""

from __future__ import annotations

from collections.abc import Collection

from arbiter.agents.ask.request import TableRules
from arbiter.agents.launch.process import AgentProcess
from arbiter.units import show_duration

STOPPED_USE_NS = 10_000_000
"""CPU time used while stopped is noted from this amount on: the CPU time of reaped children has this resolution."""


class BetweenTurns:
    """Lets one seat's agent ponder between its turns, keeps it off the core, or freezes it."""

    __slots__ = ("_gives_way", "_home", "_ponders", "_spare", "_stopped_cpu_ns")

    def __init__(self, rules: TableRules, home: Collection[int] | None) -> None:
        """``home`` are the cores that the agent answers on; None for the arbiter's own core."""
        self._ponders, self._spare, self._home = rules.ponder, rules.spare, home or ()
        self._gives_way = False
        """Whether the agent has crowded others and is therefore kept off the core while they are asked."""
        self._stopped_cpu_ns = -1
        """CPU time of the agent when it was stopped by signals, which it can undo; -1 if it is not stopped that way."""

    @property
    def is_free(self) -> bool:
        """Whether the agent can be asked again without any preparation."""
        return self._ponders and not self._gives_way

    def give_way(self, process: AgentProcess) -> str:
        """Keep the agent off the core while others are asked; return how, or an empty string if it is kept off
        already."""
        if self._gives_way:
            return ""
        self._gives_way = True
        process.step_aside(self._spare)
        return process.aside

    def begin(self, process: AgentProcess) -> None:
        """Start the time between turns, after an answer: freeze the agent or keep it off the core, unless it may
        ponder."""
        if not self._ponders:
            process.freeze()
            if not process.stays_frozen:
                self._stopped_cpu_ns = process.known_cpu_ns()
        if self._gives_way:
            process.step_aside(self._spare)

    def end(self, process: AgentProcess, notes: list[str]) -> None:
        """End the time between turns, before a question: give the agent its core back, and note CPU time used while
        stopped."""
        if self._stopped_cpu_ns >= 0:
            used_ns = process.known_cpu_ns() - self._stopped_cpu_ns
            if used_ns >= STOPPED_USE_NS:
                notes.append(f"used {show_duration(used_ns)} of CPU time while it was stopped")
            self._stopped_cpu_ns = -1
        if process.aside:
            process.step_back(self._home)
        process.thaw()
