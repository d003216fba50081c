# Works in children whose CPU time nobody is told: those that are never waited for, and those that were left alone.
import os
import signal
import time

from attack import play

WORK_S = 0.06


def work(told: int) -> None:
    end = time.process_time() + WORK_S
    while time.process_time() < end:
        pass
    os.write(told, b"x")
    os._exit(0)


def attack(_: dict) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    done, told = os.pipe()
    if os.fork() == 0:
        work(told)
    if os.fork() == 0:
        if os.fork() == 0:
            work(told)
        os._exit(0)
    for _ in range(2):
        os.read(done, 1)


play(attack, every_turn=True)
