"""One run of a referee: the program itself, the connections of the relays it starts, and the agents behind them."""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arbiter.agents.ask.excess import exceeded_limit
from arbiter.agents.ask.fresh_process import start_fault
from arbiter.agents.ask.question import describe_exit
from arbiter.agents.ask.request import Seat
from arbiter.agents.launch import strays
from arbiter.agents.launch.boxed import BoxedProcess
from arbiter.agents.launch.cores import borrowed
from arbiter.agents.launch.loose import LooseProcess
from arbiter.agents.launch.process import AgentProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.game import Fault, FaultKind

_UNLIMITED_BYTES = 1 << 50
_CHUNK = 65536
_TAIL = 4000
"""How many bytes are kept of the referee's output."""
_NO_PIPES = (-1, -1, -1)
_LOOK_NS = 50_000_000
"""How often the resources that agents use are checked."""


@dataclass(slots=True)
class Conduct:
    """What was observed about one agent."""

    fault: Fault | None = None
    exit_code: int | None = None
    wall_ns: int = 0
    cpu_ns: int = 0
    peak_bytes: int = 0
    starts: int = 0


@dataclass(slots=True)
class _Running:
    """An agent that the referee has started, with the relay's connection."""

    seat: int
    process: AgentProcess
    relay: socket.socket
    streams: Sequence[int]
    """The agent's standard streams. While we keep them open, the referee does not notice that the agent has exited; so we can
    tell whether it had closed the agent's standard input before that."""


@dataclass(slots=True)
class RefereeRun:
    """One run. Everything is killed when it ends."""

    argv: Sequence[str]
    folder: str
    seats: Sequence[Seat]
    socket_path: Path
    limit_ns: int
    conduct: list[Conduct] = field(default_factory=list)
    printed: bytes = b""
    """The end of the referee's output."""
    _selector: selectors.PollSelector = field(default_factory=selectors.PollSelector)
    _agents: dict[int, _Running] = field(default_factory=dict)
    _mark: str = ""

    def play(self) -> int | None:
        """Run the referee until it exits and return its exit status; None if it was killed at the time limit. Raises OSError."""
        self._mark = strays.new_table()
        self.conduct = [Conduct() for _ in self.seats]
        with contextlib.ExitStack() as stack:
            stack.callback(strays.sweep, self._mark)
            stack.callback(self._selector.close)
            listening = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            listening.bind(str(self.socket_path))
            listening.listen(len(self.seats))
            self._watch(listening, lambda: self._accept(listening))
            referee = self._start()
            stack.callback(referee.kill)
            stack.callback(self._end_all)
            return self._wait(referee)

    def _start(self) -> LooseProcess:
        ends = os.pipe2(os.O_CLOEXEC)
        nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        try:
            launch = Launch(self.argv, self.folder, dict(os.environ))
            limits = msgspec.structs.replace(self.seats[0].limits, memory_bytes=_UNLIMITED_BYTES)
            mark = strays.agent_mark(self._mark, len(self.seats))
            referee = LooseProcess.start(launch, mark, limits, (nothing, ends[1], ends[1]), (-1, ends[0], -1))
        except BaseException:
            os.close(ends[0])
            raise
        finally:
            os.close(ends[1])
            os.close(nothing)
        self._watch(referee.stdout, lambda: self._read_output(referee.stdout))
        return referee

    def _wait(self, referee: LooseProcess) -> int | None:
        deadline_ns = time.monotonic_ns() + self.limit_ns
        self._watch(referee.pidfd, lambda: None)
        look_ns = 0
        while (left_ns := deadline_ns - (now_ns := time.monotonic_ns())) > 0:
            watched = [agent for agent in self._agents.values() if not agent.process.kernel_limits_all]
            if watched and now_ns >= look_ns:
                self._check_limits(watched)
                look_ns = now_ns + _LOOK_NS
            ready = [key for key, _ in self._selector.select((min(left_ns, _LOOK_NS) if watched else left_ns) / 1e9)]
            # Agents are checked first, to tell whether an agent exited before the referee.
            for key in sorted(ready, key=lambda key: key.fd == referee.pidfd):
                if key.fd == referee.pidfd:
                    referee.reap()
                    return referee.exit_code
                if key.fd in self._selector.get_map():  # not closed meanwhile
                    key.data()
        return None

    # -- events

    def _check_limits(self, watched: Sequence[_Running]) -> None:
        """Kill agents that use too much memory or too many processes, where the kernel does not limit them per agent."""
        for agent in watched:
            if fault := exceeded_limit(agent.process, self.seats[agent.seat].limits):
                self._end(agent)
                self.conduct[agent.seat].fault = fault

    def _watch(self, what: int | socket.socket, then: Callable[[], None]) -> None:
        self._selector.register(what, selectors.EVENT_READ, then)

    def _read_output(self, stdout: int) -> None:
        data = os.read(stdout, _CHUNK)
        self.printed = (self.printed + data)[-_TAIL:]
        if not data:
            self._selector.unregister(stdout)

    def _accept(self, listening: socket.socket) -> None:
        relay, _ = listening.accept()
        relay.setblocking(False)
        self._watch(relay, lambda: self._start_agent(relay))

    def _start_agent(self, relay: socket.socket) -> None:
        """Start the agent that a relay stands for, with the streams that the relay passes."""
        self._selector.unregister(relay)
        streams: list[int] = []
        try:
            word, streams, _, _ = socket.recv_fds(relay, 16, 3)
            seat = int(word)
            if len(streams) != 3 or not 0 <= seat < len(self.seats):
                raise ValueError(word)
        except (OSError, ValueError):  # the referee has already killed it
            _close(streams)
            relay.close()
            return
        for fd in streams:
            os.set_inheritable(fd, False)
        if seat in self._agents:
            self._end(self._agents[seat])
        try:
            process = self._spawn(seat, streams)
        except OSError as error:
            self.conduct[seat].fault = start_fault(self.seats[seat].launch, error)
            _close(streams)
            relay.close()
            return
        running = self._agents[seat] = _Running(seat, process, relay, streams)
        self.conduct[seat].starts += 1
        self._watch(relay, lambda: self._end(running))
        self._watch(process.pidfd, lambda: self._exited(running))

    def _spawn(self, index: int, streams: Sequence[int]) -> AgentProcess:
        seat, mark = self.seats[index], strays.agent_mark(self._mark, index)
        if seat.sandbox:
            return BoxedProcess.start(
                seat.launch, mark, seat.sandbox, streams, _NO_PIPES, brief=False, cores=seat.cores
            )
        with borrowed(seat.cores):
            return LooseProcess.start(seat.launch, mark, seat.limits, streams, _NO_PIPES)

    def _exited(self, agent: _Running) -> None:
        """Handle the exit of an agent: a fault if it failed while the referee had not yet closed its standard input."""
        dismissed = _is_hung_up(agent.streams[0])
        ran_out = agent.process.ran_out_of_memory()
        self._end(agent)
        conduct = self.conduct[agent.seat]
        code = conduct.exit_code or 0
        if ran_out:
            conduct.fault = Fault(FaultKind.MEMORY, "ran out of memory")
        elif code and not dismissed:
            conduct.fault = Fault(FaultKind.CRASHED, f"{describe_exit(code)} before the referee dismissed it")

    def _end(self, agent: _Running) -> None:
        """Kill an agent, and have its relay exit with the agent's exit status."""
        if self._agents.get(agent.seat) is not agent:
            return
        del self._agents[agent.seat]
        self._selector.unregister(agent.relay)
        self._selector.unregister(agent.process.pidfd)
        process, conduct = agent.process, self.conduct[agent.seat]
        conduct.wall_ns += time.monotonic_ns() - process.started_ns
        cpu_ns = process.cpu_ns() - process.cpu_at_start_ns
        process.kill()
        conduct.cpu_ns += max(0, cpu_ns, process.reaped_cpu_ns)
        conduct.exit_code = process.exit_code
        conduct.peak_bytes = max(conduct.peak_bytes, process.peak_bytes)
        _close(agent.streams)
        code = process.exit_code or 0
        with contextlib.suppress(OSError):
            agent.relay.send(str(code if code >= 0 else 128 - code).encode())
        agent.relay.close()

    def _end_all(self) -> None:
        for agent in list(self._agents.values()):
            self._end(agent)


def _is_hung_up(stdin: int) -> bool:
    poll = select.poll()
    poll.register(stdin, 0)
    return bool(poll.poll(0))


def _close(fds: Sequence[int]) -> None:
    for fd in fds:
        os.close(fd)
