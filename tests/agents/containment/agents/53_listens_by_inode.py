# Finds out whether its opponent has locked a file of the system.
import fcntl
import os

from attack import play, tell


def attack(hints: dict) -> None:
    file = os.open("/usr/bin/env", os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        tell("heard_lock", "nothing")
    except BlockingIOError:
        tell("heard_lock", "ok")
    os.close(file)


play(attack, every_turn=True)
