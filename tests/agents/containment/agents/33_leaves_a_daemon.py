# Leaves a detached daemon, then kills the process that started it, if that is a spawner of a sandbox.
import os
import signal

from attack import attempt, box, play


def attack(hints: dict) -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["sleep", "3600"], {})
        os._exit(0)
    os.wait()
    if parent := box(hints):
        attempt("SIGKILL", lambda: os.kill(parent, signal.SIGKILL))


play(attack)
