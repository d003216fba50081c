# Reads the opponent's program and what it keeps in its folder.
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    attempt("list_folder", lambda: list(Path(hints["host_folder"]).iterdir()))
    attempt("read_program", Path(hints["host_folder"], "host.sh").read_bytes)
    attempt("read_secret", Path(hints["host_home"], "secret-of-host").read_bytes)


play(attack)
