# Starts as many threads as it can, up to 60, and keeps them while it plays.
import _thread

from attack import play, tell


def attack(_: dict) -> None:
    never, threads = _thread.allocate_lock(), 0
    never.acquire()
    try:
        for _ in range(60):
            _thread.start_new_thread(never.acquire, ())
            threads += 1
    except RuntimeError:
        tell("more", "EAGAIN")
    tell("threads", str(threads))


play(attack)
