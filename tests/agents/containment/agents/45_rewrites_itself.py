# Changes its own program between moves.
from pathlib import Path

from attack import attempt, play

PROGRAM = Path(__file__)


def attack(_: dict) -> None:
    attempt("rewrite", lambda: PROGRAM.write_text(PROGRAM.read_text() + "# a better idea\n"))
    attempt("replace", lambda: PROGRAM.with_name("attack.py").rename(PROGRAM.with_name("gone.py")))
    attempt("add", PROGRAM.with_name("added.py").touch)


play(attack)
