# Kills every process it can reach, at every turn; but not where it could reach the arbiter and the rest of the machine.
import os
import signal

from attack import attempt, play, reaches, tell


def attack(hints: dict) -> None:
    if reaches(hints["arbiter"]):
        tell("kill_everybody", "not safe to try")
    else:
        attempt("kill_everybody", lambda: os.kill(-1, signal.SIGKILL))


play(attack, every_turn=True)
