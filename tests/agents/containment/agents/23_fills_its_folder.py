# Fills its folder: with one large file, with two that are each within bounds, with many small ones.
from pathlib import Path

from attack import attempt, play

PIECE = b"x" * (1 << 20)


def write(name: str, pieces: int) -> None:
    with Path(name).open("wb", buffering=0) as file:
        for _ in range(pieces):
            file.write(PIECE)


def attack(_: dict) -> None:
    attempt("large_file", lambda: write("large", 12))
    Path("large").unlink()
    attempt("two_files", lambda: [write("one", 6), write("two", 6)])
    for name in ("one", "two"):
        Path(name).unlink(missing_ok=True)
    attempt("many_files", lambda: [Path(f"small-{number}").touch() for number in range(300)])


play(attack)
