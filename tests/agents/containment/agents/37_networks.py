# Talks to a server on this machine, and offers a service itself.
import socket

from attack import attempt, play


def tcp(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"tcp")


def udp(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as to:
        to.sendto(b"udp", ("127.0.0.1", port))


def listen() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()


def attack(hints: dict) -> None:
    attempt("tcp", lambda: tcp(hints["tcp"]))
    attempt("udp", lambda: udp(hints["udp"]))
    attempt("listen", listen)


play(attack)
