# Lists the files that were open when it started.
import os

from attack import play, tell


def is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


OPEN = [number for number in range(1024) if is_open(number)]
play(lambda _: tell("open", ",".join(map(str, OPEN))))
