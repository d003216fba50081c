# Stops the process that started it, if that is a spawner of a sandbox, and plays on.
import os
import signal

from attack import attempt, box, play


def attack(hints: dict) -> None:
    if parent := box(hints):
        attempt("SIGSTOP", lambda: os.kill(parent, signal.SIGSTOP))


play(attack)
