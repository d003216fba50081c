# Starts many processes in its first game, and reads a number from its own process id in the next.
import os

from attack import play, tell

MANY = 60


def attack(_: dict) -> None:
    tell("pid", "low" if os.getpid() < MANY else "high")
    for _ in range(MANY):
        if not (child := os.fork()):
            os._exit(0)
        os.waitpid(child, 0)


play(attack)
