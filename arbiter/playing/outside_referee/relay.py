"""The program that a referee starts in place of an agent: passes its standard streams to the arbiter and exits as the agent does.

It is run by its path, in an interpreter that cannot import the arbiter's packages.
"""

import os
import socket
import sys


def main() -> None:
    """Connect to the socket (first argument) for a seat (second argument)."""
    path, seat = sys.argv[1:]
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(path)
    socket.send_fds(connection, [seat.encode()], [0, 1, 2])
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):  # end of file must reach the agent and the referee
        os.dup2(nothing, fd)
    status = connection.recv(16)
    os._exit(int(status or b"1"))


if __name__ == "__main__":
    main()
