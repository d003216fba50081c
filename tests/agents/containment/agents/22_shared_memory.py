# Leaves memory where it would outlive its process: in /dev/shm and as a System V segment.
from pathlib import Path

from attack import attempt, play, syscall

IPC_CREAT, MODE = 0o1000, 0o666


def attack(hints: dict) -> None:
    attempt("dev_shm", lambda: Path("/dev/shm", hints["token"]).write_bytes(b"x" * (1 << 20)))
    attempt("shmget", lambda: syscall("shmget", hints["key"], 1 << 20, IPC_CREAT | MODE))


play(attack)
