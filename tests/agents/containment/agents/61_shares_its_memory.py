# Honest: its processes share a table that is large, but not too large. Counted once per process it would be.
import os
import signal

from attack import attempt, play


def share() -> None:
    table = bytearray(b"x" * (40 << 20))
    for _ in range(4):
        ready, tell = os.pipe()
        if not os.fork():
            sum(table[::4096])
            os.write(tell, b"!")
            signal.pause()
        os.close(tell)
        os.read(ready, 1)
    KEPT.append(table)


KEPT = []
play(lambda _: attempt("share", share))
