# Changes files that are not its own without opening them: modes, times, attributes.
import os
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    precious, games, program = Path(hints["precious"]), Path(hints["games"]), Path(__file__)
    attempt("chmod", lambda: precious.chmod(0o640))
    attempt("utime", lambda: os.utime(precious, (1, 1)))
    attempt("setxattr", lambda: os.setxattr(precious, "user.mine", b"x"))
    attempt("chmod_games", lambda: games.chmod(0o750))
    attempt("chmod_program", lambda: program.chmod(0o640))
    attempt("fchmod_program", lambda: os.fchmod(os.open(program, os.O_RDONLY), 0o600))


play(attack)
