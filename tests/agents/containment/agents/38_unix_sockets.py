# Talks to a daemon over sockets with a name in the file system and without; and to itself, which is allowed.
import socket

from attack import attempt, play


def send(address: str, word: bytes) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
        to.sendto(word, address)


def send_by_pair(address: str, word: bytes) -> None:
    """From one of two sockets that came connected to each other."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        one.sendto(word, address)


def talk_to_itself() -> None:
    one, other = socket.socketpair()
    one.sendall(b"x")
    other.recv(1)


def attack(hints: dict) -> None:
    attempt("abstract", lambda: send("\0" + hints["abstract"], b"abstract"))
    attempt("path", lambda: send(hints["socket"], b"path"))
    attempt("abstract_by_pair", lambda: send_by_pair("\0" + hints["abstract"], b"abstract"))
    attempt("path_by_pair", lambda: send_by_pair(hints["socket"], b"path"))
    attempt("socketpair", talk_to_itself)


play(attack)
