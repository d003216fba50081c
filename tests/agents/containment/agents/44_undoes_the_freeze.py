# Has a timer continue it whenever it was stopped, thinks on the opponent's time, and reports how much it got done.
import ctypes
import signal
import struct
import threading
import time

from attack import play, tell

PONDERED_NS = 20_000_000
EVERY_NS = 2_000_000
CLOCK_MONOTONIC = 1


def continue_always() -> None:
    signal.signal(signal.SIGCONT, lambda *_: None)  # the kernel stops a timer whose signals are ignored
    libc = ctypes.CDLL(None, use_errno=True)
    timer = ctypes.c_void_p()
    event = struct.pack("Pii48x", 0, signal.SIGCONT, 0)  # SIGEV_SIGNAL
    if libc.timer_create(CLOCK_MONOTONIC, event, ctypes.byref(timer)) == 0:
        libc.timer_settime(timer, 0, struct.pack("4q", 0, EVERY_NS, 0, EVERY_NS), None)


def think() -> None:
    while True:
        pass


class Ponderer:
    answered_at = -1

    def attack(self, _: dict) -> None:
        if self.answered_at < 0:
            continue_always()
            threading.Thread(target=think, daemon=True).start()
        else:
            used = time.process_time_ns() - self.answered_at
            tell("pondered", "ok" if used > PONDERED_NS else "frozen")
        self.answered_at = time.process_time_ns()


play(Ponderer().attack, every_turn=True)
