# Sends files to itself that it never receives: the kernel limits how many a user may have on the way, spawners included.
import array
import errno
import os
import socket

from attack import attempt, play

KEPT = []


def send_files() -> None:
    null = os.open("/dev/null", os.O_RDONLY)
    for _ in range(100):
        pair = socket.socketpair()
        KEPT.append(pair)
        pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [null] * 200))])


def attack(_: dict) -> None:
    attempt("send", send_files, spent=(errno.ETOOMANYREFS, errno.EMFILE))
    KEPT.clear()


play(attack)
