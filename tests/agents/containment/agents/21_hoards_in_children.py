# Fills 20 MB in each of 8 children, none of which is too large by itself, and keeps them all.
import os

from attack import play, tell


def attack(_: dict) -> None:
    filled, full = os.pipe()
    never = os.pipe()[0]
    for _ in range(8):
        if os.fork() == 0:
            hoard = b"x" * (20 << 20)
            os.write(full, hoard[:1])
            os.read(never, 1)
    for _ in range(8):
        os.read(filled, 1)
    tell("children", "ok")
    os.read(never, 1)


play(attack)
