"""Spawn an agent: create its pipes and start its process, with or without a sandbox."""

from __future__ import annotations

import os
from select import PIPE_BUF

from arbiter.agents.launch import strays
from arbiter.agents.launch.boxed import BoxedProcess
from arbiter.agents.launch.cores import borrowed
from arbiter.agents.launch.loose import LooseProcess
from arbiter.agents.launch.process import AgentProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.config.limits import Limits


def spawn(
    launch: Launch,
    limits: Limits,
    sandbox: Sandbox | None,
    *,
    brief: bool = False,
    cores: frozenset[int] | None = None,
    prompt: bytes | None = None,
    mark: str | None = None,
) -> tuple[AgentProcess, bytes]:
    """Start an agent, in its sandbox if it has one, on these ``cores`` or else where we run. Raises OSError.

    ``brief``: it answers one question and exits. A ``prompt`` is written to its pipe before it starts, so that it need
    not wait for us; what the pipe did not take is returned. ``mark`` identifies its strays (:mod:`arbiter.agents.launch.strays`).
    """
    mark = mark or strays.agent_mark(strays.new_table(), 0)
    ends: list[int] = []
    try:
        for _ in range(3):
            ends += os.pipe2(os.O_CLOEXEC)
        child_in, stdin, stdout, child_out, stderr, child_err = ends
        ours, theirs = (stdin, stdout, stderr), (child_in, child_out, child_err)
        for fd in (stdout, stderr):
            os.set_blocking(fd, False)
        unsent = b""
        if prompt is None or len(prompt) > PIPE_BUF:  # an empty pipe takes this much without blocking
            os.set_blocking(stdin, False)
        if prompt:
            unsent = prompt[os.write(stdin, prompt) :]
        if prompt is not None and not unsent:
            os.close(stdin)
            ends.remove(stdin)
            ours = (-1, stdout, stderr)
        process: AgentProcess
        if sandbox:
            process = BoxedProcess.start(launch, mark, sandbox, theirs, ours, brief=brief, cores=cores)
        else:
            with borrowed(cores):
                process = LooseProcess.start(launch, mark, limits, theirs, ours)
    except BaseException:
        for fd in ends:
            os.close(fd)
        raise
    for fd in theirs:
        os.close(fd)
    process.preloaded = prompt is not None
    return process, unsent
