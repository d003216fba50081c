# Locks a file that the arbiter needs, such as a database, and holds the lock.
import fcntl
import os

from attack import attempt, play


def attack(hints: dict) -> None:
    attempt("lock", lambda: fcntl.lockf(os.open(hints["database"], os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB))


play(attack)
