# Moves its own folder away and replaces it by a link to a precious file.
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    own = Path.cwd()

    def swap() -> None:
        own.rename(own.with_name(own.name + "-moved"))
        own.symlink_to(hints["outside"])

    attempt("swap", swap)


play(attack)
