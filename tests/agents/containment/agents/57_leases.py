# Takes a lease on a file: any process that opens it has to wait. It owns this one, as it owns its interpreter's in some sandboxes.
import fcntl
from pathlib import Path

from attack import attempt, play

LEASED = Path("leased")


def take() -> None:
    LEASED.write_text("x", encoding="utf-8")
    with LEASED.open("rb") as held:
        fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)


def attack(_: dict) -> None:
    attempt("lease", take)
    LEASED.unlink(missing_ok=True)


play(attack)
