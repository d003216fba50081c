"""Complete an answer: text, times, standard error, and likely causes of a fault."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.excess import name_cause
from arbiter.agents.ask.late_output import LateOutput, patience_ns, read_late_output
from arbiter.agents.ask.poller import Poller
from arbiter.agents.ask.question import Question
from arbiter.agents.ask.request import Seat
from arbiter.agents.ask.side_output import Advice
from arbiter.agents.ask.stderr import StderrKeeper
from arbiter.agents.clock.budget import Budget
from arbiter.agents.launch.process import AgentProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.game import Fault, FaultKind
from arbiter.text import count, safe
from arbiter.units import show_duration

_SHELLS = ("sh", "bash", "dash", "ksh", "zsh")
_LOOKED_AT = 1 << 16


def take_text(answer: Answer, question: Question, advice: Advice) -> None:
    """Set the answer's text and fault, and note what was printed after it."""
    answer.text, answer.said_bytes, answer.fault = question.text, len(question.said), question.fault
    if question.surplus:
        answer.surplus = question.surplus_text
        more = advice.about(answer.surplus)
        answer.notes.append(f"dropped {count(question.surplus, 'byte')} after the answer{more}")


def write_times(answer: Answer, question: Question, budget: Budget) -> None:
    """Set the answer's times, and deduct its charge from the time left for the game."""
    times = question.limit.meter.finish(question.wall_ns, first=answer.started)
    answer.wall_ns, answer.cpu_ns, answer.waited_ns, answer.charged_ns = times
    spend_budget(answer, budget)


def spend_budget(answer: Answer, budget: Budget) -> None:
    """Deduct an answer's charge from the time left for the game, and note an overrun that was forgiven."""
    if budget.in_use:
        over_ns = budget.spend(answer.charged_ns)
        if over_ns is not None and answer.fault is None:
            answer.notes.append(f"over its time by {show_duration(over_ns)}, forgiven")
        answer.left_ns = budget.left_ns


def late_output_of(question: Question, process: AgentProcess, poller: Poller, *, lives_on: bool) -> LateOutput | None:
    """Read what an agent that was ruled late still prints before it is killed."""
    if question.fault is None or question.fault.kind is not FaultKind.LATE:
        return None
    if process.exit_code is not None or not poller.listens_to(process.stdout):
        return None
    poller.stop_writing(process)
    return read_late_output(process, question.said, lives_on=lives_on, patience_ns=patience_ns(question.wall_ns))


def keep_evidence(
    answer: Answer, fault: Fault | None, process: AgentProcess, stderr: StderrKeeper, memory_bytes: int
) -> Fault | None:
    """Put the killed process's kibitz, standard error and peak memory into the answer; return the fault with its
    cause."""
    stderr.finish()
    answer.kibitz = stderr.take(answer.notes)
    answer.stderr = stderr.tail()
    answer.peak_bytes = process.peak_bytes
    return fault and name_cause(fault, process, memory_bytes, answer.stderr)


def note_causes(
    answer: Answer, fault: Fault | None, seat: Seat, last: LateOutput | None, *, has_answered: bool
) -> None:
    """Note likely causes of a fault. ``has_answered``: the process had answered a question before."""
    if fault is None:
        return
    from arbiter.agents.ask.causes import Circumstances, likely_causes  # slow to import, and most games have no fault

    per_move = seat.lifetime == "move"
    answer.notes += likely_causes(
        Circumstances(
            fault,
            program=seat.launch.argv[0],
            per_move=per_move,
            first=per_move or answer.started,
            has_answered=has_answered,
            boxed=seat.sandbox is not None,
            stderr=answer.stderr,
            cpu_ns=answer.cpu_ns,
            last=last,
            crlf_script=_crlf_script(seat.launch) if fault.kind is FaultKind.CRASHED else "",
        )
    )


def _crlf_script(launch: Launch) -> str:
    """Return the name of the script that a shell is started with, if it has Windows line endings, which shells read as part of the
    commands; empty otherwise."""
    if len(launch.argv) < 2 or Path(launch.argv[0]).name not in _SHELLS:
        return ""
    script = Path(launch.folder, launch.argv[1])
    try:
        handle = os.open(script, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # it may be a pipe, and need not be there
    except (OSError, ValueError):
        return ""
    with os.fdopen(handle, "rb") as file:
        is_file = stat.S_ISREG(os.fstat(handle).st_mode)
        return safe(script.name, 60) if is_file and b"\r\n" in file.read(_LOOKED_AT) else ""
