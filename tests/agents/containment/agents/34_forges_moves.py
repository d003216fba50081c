# Answers in the name of its opponent, by writing into the other's standard output.
import os

from attack import attempt, play


def attack(hints: dict) -> None:
    def forge() -> None:
        output = os.open(f"/proc/{hints['host']}/fd/1", os.O_WRONLY | os.O_NONBLOCK)
        os.write(output, b"3\n")

    attempt("forge", forge)


play(attack)
