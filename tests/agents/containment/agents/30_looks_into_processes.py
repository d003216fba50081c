# Reads the environment, memory and open files of the arbiter, the opponent and an unrelated process.
import os
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    for who in ("arbiter", "host", "victim"):
        process = Path(f"/proc/{hints[who]}")
        attempt(f"environ_{who}", (process / "environ").read_bytes)
        attempt(f"mem_{who}", lambda process=process: os.close(os.open(process / "mem", os.O_RDONLY)))
        attempt(f"fd_{who}", (process / "fd/0").readlink)


play(attack)
