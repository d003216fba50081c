# Leaves its folder in a state that is hard to clean up: too deep, without permissions, with FIFOs and links outside.
import os
import socket
from pathlib import Path

from attack import attempt, play

DEPTH = 1100


def dig() -> None:
    top = os.open(".", os.O_RDONLY)
    for _ in range(DEPTH):
        Path("deeper-and-deeper").mkdir()
        os.chdir("deeper-and-deeper")
    Path("the bottom").touch()
    os.fchdir(top)


def close_a_folder() -> None:
    Path("closed/inner").mkdir(parents=True)
    Path("closed/inner/file").touch()
    Path("closed/inner").chmod(0)
    Path("closed").chmod(0)


def bind() -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")


def attack(hints: dict) -> None:
    attempt("deep", dig)
    attempt("closed", close_a_folder)
    attempt("fifo", lambda: os.mkfifo("fifo"))
    attempt("socket", bind)
    attempt("link_outside", lambda: Path("link").symlink_to(hints["outside"]))
    attempt("link_to_itself", lambda: Path("circle").symlink_to("circle"))
    attempt("odd_name", lambda: Path(os.fsdecode(b"a\nb\xff -rf")).touch())
    attempt("closed_file", lambda: os.close(os.open("closed_file", os.O_CREAT | os.O_WRONLY, 0)))


play(attack)
