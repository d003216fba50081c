# Attacks the process that started it, if that is a spawner of a sandbox: reads, traces, stops and kills it.
import os
import signal
from pathlib import Path

from attack import attempt, box, play, syscall, tell

PTRACE_SEIZE = 0x4206


def attack(hints: dict) -> None:
    parent = box(hints)
    tell("box", "found" if parent else "none")
    if not parent:
        return
    attempt("environ", Path(f"/proc/{parent}/environ").read_bytes)
    attempt("mem", lambda: os.close(os.open(f"/proc/{parent}/mem", os.O_RDWR)))
    attempt("fd", lambda: list(Path(f"/proc/{parent}/fd").iterdir()))
    attempt("ptrace", lambda: syscall("ptrace", PTRACE_SEIZE, parent, 0, 0))
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        # The kernel takes a signal for the first process of a namespace and forgets it: ok says nothing here.
        attempt(number.name, lambda number=number: os.kill(parent, number))


play(attack, every_turn=True)
