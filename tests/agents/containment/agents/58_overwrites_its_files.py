# Opens files that came with it for writing: by name, by the path of its program, its program, and one in a folder.
import os
from pathlib import Path

from attack import attempt, play

BESIDE = Path(__file__).with_name("attack.py")


def append(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("# changed\n")


def attack(_: dict) -> None:
    attempt("by_name", lambda: append(Path("attack.py")))
    attempt("by_path", lambda: append(BESIDE))
    attempt("program", lambda: append(Path(__file__)))
    attempt("in_folder", lambda: append(Path("book", "opening.txt")))
    attempt("truncate", lambda: os.truncate("attack.py", 0))


play(attack)
