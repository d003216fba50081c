"""Faults of agents that use too much memory or run too many processes."""

from __future__ import annotations

import re
from itertools import islice

from arbiter.agents.launch import tree
from arbiter.agents.launch.process import AgentProcess
from arbiter.config.limits import Limits
from arbiter.game import Fault, FaultKind
from arbiter.units import show_size

_NEARLY = 0.9
"""A process that crashes with this share of its memory in use is assumed to have run out: a failed allocation is not
visible from outside."""
_COMPLAINT = re.compile(
    "MemoryError|bad_alloc|OutOfMemory|out of memory|Cannot allocate memory|memory allocation of .* failed|insufficient memory"
    "|error='Not enough space'",
    re.IGNORECASE,
)
"""What runtimes print when an allocation fails."""


def exceeded_limit(process: AgentProcess, limits: Limits) -> Fault | None:
    """Return the fault of an agent that exceeds a limit at this moment, or that the kernel has kept from that by killing one of
    its processes."""
    allowed = show_size(limits.memory_bytes)
    if process.kernel_limits_all:
        killed = process.ran_out_of_memory()
        return Fault(FaultKind.MEMORY, f"a process was killed at the limit of {allowed} of memory") if killed else None
    # Counting stops at one more than allowed: thousands of processes must not delay the other agents.
    pids = [process.pid, *islice(process.helpers(), limits.processes)]
    if len(pids) > limits.processes:
        return Fault(FaultKind.PROCESSES, f"runs more than {limits.processes} processes")
    used = tree.memory_bytes(pids, limits.memory_bytes) + process.buffer_bytes()
    if used > limits.memory_bytes:
        return Fault(FaultKind.MEMORY, f"uses {show_size(used)} of memory, {allowed} allowed")
    return None


def name_cause(fault: Fault, process: AgentProcess, memory_bytes: int, stderr: str) -> Fault:
    """Return the fault, as MEMORY if the process crashed because it was out of memory. It has been killed before."""
    if fault.kind is not FaultKind.CRASHED:
        return fault
    if not (process.ran_out_of_memory() or process.largest_bytes > memory_bytes * _NEARLY or _COMPLAINT.search(stderr)):
        return fault
    used = f"; it had used {show_size(process.peak_bytes)}" if process.peak_bytes else ""
    return Fault(FaultKind.MEMORY, f"{fault.detail}, out of memory: {show_size(memory_bytes)} allowed{used}")
