# Looks at the saved games, rewrites an old one, and opens the one that is being written.
import os
from pathlib import Path

from attack import attempt, play


def attack(hints: dict) -> None:
    games, old = Path(hints["games"]), Path(hints["old"])
    attempt("list", lambda: list(games.iterdir()))
    attempt("read", Path(hints["record"]).read_bytes)
    attempt("rewrite", lambda: old.write_bytes(old.read_bytes().replace(b'"move":"1"', b'"move":"3"')))
    attempt("append", lambda: os.close(os.open(hints["record"], os.O_WRONLY | os.O_APPEND)))
    attempt("rename", lambda: old.rename(old.with_suffix(".mine")))


play(attack)
