# Moves to all cores of the machine, with a new thread of its own, too.
import contextlib
import os
import threading

from attack import play, tell

DEALT = os.sched_getaffinity(0)


def leave() -> None:
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    tell(threading.current_thread().name, "stays" if os.sched_getaffinity(0) == DEALT else "moved")


def attack(_: dict) -> None:
    leave()
    thread = threading.Thread(target=leave, name="thread")
    thread.start()
    thread.join()


threading.current_thread().name = "process"
play(attack)
