# Fills files that exist in memory only and that it never maps: 18 of 4 MB.
import os

from attack import attempt, play


def attack(_: dict) -> None:
    piece = b"x" * (1 << 20)

    def fill() -> None:
        for number in range(18):
            file = os.memfd_create(str(number))
            for _ in range(4):
                os.write(file, piece)

    attempt("memfds", fill)


play(attack)
