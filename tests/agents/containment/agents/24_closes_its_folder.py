# Removes all permissions from its own folder, with something in it.
from pathlib import Path

from attack import attempt, play


def attack(_: dict) -> None:
    attempt("leave", Path("something").touch)
    attempt("close", lambda: Path.cwd().chmod(0))


play(attack)
