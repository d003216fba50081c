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
    done: tuple[int, ...] = ()

    def attack(self, _: dict) -> None:
        if self.children:
            finished = sum(bool(os.read(done, 1)) for done in self.done)  # nothing from a child that was killed
            alive = [pid for pid in self.children if os.waitpid(pid, os.WNOHANG) == (0, 0)]
            tell("hoard", "ok" if len(alive) == finished == CHILDREN else "killed")
            return
        ready, self.start = os.pipe()
        for _ in range(CHILDREN):
            done, finished = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(self.start)
                hoard(ready, finished)
            os.close(finished)
            self.children += (pid,)
            self.done += (done,)
        os.write(self.start, b"x" * CHILDREN)


play(Hoarder().attack, every_turn=True)
