# Takes a lease on a file: whoever opens it has to wait. It owns this one, as it owns its interpreter's in some sandboxes.
import fcntl
import os

from attack import attempt, play


def take() -> None:
    with open("leased", "w") as file:
        file.write("x")
    held = os.open("leased", os.O_RDONLY)
    fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    os.close(held)
    os.unlink("leased")


def attack(_: dict) -> None:
    attempt("lease", take)
    if os.path.exists("leased"):
        os.unlink("leased")


play(attack)
