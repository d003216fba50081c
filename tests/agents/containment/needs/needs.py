# Uses what an agent may use: threads, temporary files, its own data, a large file, and notes from one move to the next.
import importlib.util
import os
import sys
import tempfile
import threading
from pathlib import Path


def tell(word: str, outcome: object) -> None:
    print("kibitz tried:", word, outcome, file=sys.stderr)


def use() -> None:
    sums: list[int] = []
    threads = [threading.Thread(target=lambda: sums.append(sum(range(1000)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell("threads", "ok" if sum(sums) == 1998000 else sums)
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")
        file.flush()
        tell("temporary", "ok" if Path(file.name).read_bytes() == b"x" else "lost")
    beside = Path(__file__).with_name("data.txt").read_text()
    tell("data", "ok" if Path("data.txt").read_text() == beside == "precomputed\n" else beside)
    with Path("large.bin").open("rb") as file:
        file.seek(3 << 30)
        tell("large", "ok" if file.read(1) == b"x" else "wrong")
    state = Path("state")
    count = int(state.read_text()) + 1 if state.exists() else 1
    state.write_text(str(count))
    tell("state", count)
    tell("home", "ok" if os.environ["HOME"] == str(Path.cwd()) else "elsewhere")
    tell("package", "ok" if importlib.util.find_spec("only_in_this_virtual_environment") else "absent")


sys.stdin.readline()
for _ in sys.stdin:
    use()
    print(1, flush=True)
