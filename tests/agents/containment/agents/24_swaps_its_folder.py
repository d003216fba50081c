# Moves its own folder away and leaves in its place a link to something that is dear to somebody.
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    own = Path.cwd()

    def swap() -> None:
        own.rename(own.with_name(own.name + "-moved"))
        own.symlink_to(hints["outside"])

    attempt("swap", swap)


play(attack)
