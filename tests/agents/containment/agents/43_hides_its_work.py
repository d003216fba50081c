# Works in children whose CPU time is not reported: those that are never waited for, and orphans.
import os
import signal
import time

from attack import play

WORK_S = 0.06


def work(signal_ready: int) -> None:
    end = time.process_time() + WORK_S
    while time.process_time() < end:
        pass
    os.write(signal_ready, b"x")
    os._exit(0)


def attack(_: dict) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    done, signal_ready = os.pipe()
    if os.fork() == 0:
        work(signal_ready)
    if os.fork() == 0:
        if os.fork() == 0:
            work(signal_ready)
        os._exit(0)
    for _ in range(2):
        os.read(done, 1)


play(attack, every_turn=True)
