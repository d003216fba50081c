# Has eight children use 40 MB each when it answers, and reports at the next prompt whether they all managed to.
import os
import signal

from attack import play, tell

CHILDREN, SIZE = 8, 40 << 20


def hoard(ready: int, done: int) -> None:
    os.read(ready, 1)
    kept = b"x" * SIZE
    os.write(done, b"x")
    signal.pause()
    del kept


class Hoarder:
    children: tuple[int, ...] = ()
    done = -1

    def attack(self, _: dict) -> None:
        if self.children:
            finished = sum(bool(os.read(self.done, 1)) for _ in self.children)
            alive = [pid for pid in self.children if os.waitpid(pid, os.WNOHANG) == (0, 0)]
            tell("hoard", "ok" if len(alive) == finished == CHILDREN else "killed")
            return
        ready, self.start = os.pipe()
        self.done, done = os.pipe()
        for _ in range(CHILDREN):
            pid = os.fork()
            if pid == 0:
                os.close(self.start)
                hoard(ready, done)
            self.children += (pid,)
        os.close(done)
        os.write(self.start, b"x" * CHILDREN)


play(Hoarder().attack, every_turn=True)
