# Has two children fill 250 pairs of sockets each, and reports at the next prompt whether they have managed to.
import os
import resource
import signal
import socket

from attack import play, tell

CHILDREN, PAIRS = 2, 250
BLOCK = bytes(1 << 16)


def fill(done: int) -> None:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    pairs = [socket.socketpair() for _ in range(PAIRS)]
    for end in (end for pair in pairs for end in pair):
        end.setblocking(False)
        try:
            while end.send(BLOCK):
                pass
        except BlockingIOError:
            pass
    os.write(done, b"x")
    signal.pause()


class Filler:
    children: tuple[int, ...] = ()
    done = -1

    def attack(self, _: dict) -> None:
        if self.children:
            finished = sum(bool(os.read(self.done, 1)) for _ in self.children)
            alive = [pid for pid in self.children if os.waitpid(pid, os.WNOHANG) == (0, 0)]
            tell("fill", "ok" if len(alive) == finished == CHILDREN else "killed")
            return
        self.done, done = os.pipe()
        for _ in range(CHILDREN):
            pid = os.fork()
            if pid == 0:
                fill(done)
            self.children += (pid,)
        os.close(done)


play(Filler().attack, every_turn=True)
