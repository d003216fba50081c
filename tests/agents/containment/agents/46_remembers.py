# Keeps a note for the next game wherever it can, and reports where it finds that of the last one.
import os
from pathlib import Path

from attack import play, tell

PLACES = {
    "folder": Path.cwd(),
    "home": Path(os.environ.get("HOME", "/")),
    "tmpdir": Path(os.environ.get("TMPDIR", "/tmp")),
    "program": Path(__file__).parent,
}


def attack(hints: dict) -> None:
    found = [word for word, folder in PLACES.items() if folder.joinpath(hints["token"]).exists()]
    tell("remembers", ",".join(found) or "nothing")
    for folder in PLACES.values():
        try:
            folder.joinpath(hints["token"]).touch()
        except OSError:
            continue


play(attack)
