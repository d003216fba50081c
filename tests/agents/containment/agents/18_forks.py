# Starts as many children as it can, up to 60, and keeps them while it plays.
import os

from attack import attempt, play, tell


def attack(_: dict) -> None:
    never, children = os.pipe()[0], 0

    def fork_all() -> None:
        nonlocal children
        for _ in range(60):
            if os.fork() == 0:
                os.read(never, 1)
            children += 1

    attempt("forks", fork_all)
    tell("children", str(children))


play(attack)
