# Has a child in a session of its own think on the opponent's time, and reports how much it got done.
import mmap
import os
import struct
import time

from attack import play, tell

FILE = os.open("shared", os.O_RDWR | os.O_CREAT)
os.unlink("shared")  # noqa: PTH108
os.ftruncate(FILE, 8)
SHARED = mmap.mmap(FILE, 8)
FROZEN_NS, PONDERED_NS = 2_000_000, 20_000_000
"""Less than the first is no work at all, less than the second may be done before a freeze takes effect on a busy machine."""


def used() -> int:
    return struct.unpack("Q", SHARED[:8])[0]


def think() -> None:
    if os.fork() == 0:
        os.setsid()
        while True:
            SHARED[:8] = struct.pack("Q", time.process_time_ns())


class Ponderer:
    answered_at = -1

    def attack(self, _: dict) -> None:
        if self.answered_at < 0:
            think()
        else:
            pondered_ns = used() - self.answered_at
            tell("pondered", "ok" if pondered_ns > PONDERED_NS else "little" if pondered_ns > FROZEN_NS else "frozen")
        self.answered_at = used()


play(Ponderer().attack, every_turn=True)
