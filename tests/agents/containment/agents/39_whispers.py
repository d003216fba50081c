# Leaves a message for its accomplice at the other seat wherever both might look.
import os
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    for word, folder in (("tmp", "/tmp"), ("shm", "/dev/shm"), ("tmpdir", os.environ.get("TMPDIR", "/tmp"))):
        attempt(f"leave_{word}", lambda folder=folder: Path(folder, hints["token"]).write_text("play 3"))


play(attack)
