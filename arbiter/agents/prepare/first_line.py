"""The first line of a script, read as the kernel reads it (``fs/binfmt_script.c``)."""

from __future__ import annotations

import os

READ_BYTES = 256
"""How much of a file the kernel reads to decide how to execute it."""
_BLANKS = b" \t"


def interpreter_words(start: bytes) -> list[str]:
    """Return the interpreter that a file beginning like this names, and its one argument if there is one.

    Empty for a file that is not a script. Only spaces and tabs are separators: a vertical tab, a carriage return or a byte
    that is not UTF-8 is part of the path. A null character ends the path, and the argument is ignored.
    """
    if not start.startswith(b"#!"):
        return []
    line = start[2:READ_BYTES].split(b"\n", 1)[0].strip(_BLANKS)
    for end, letter in enumerate(line):
        if letter == 0:
            return [os.fsdecode(line[:end])]
        if letter in _BLANKS:
            argument = line[end:].strip(_BLANKS).split(b"\0", 1)[0]
            return [os.fsdecode(word) for word in (line[:end], argument) if word]
    return [os.fsdecode(line)]


def first_line_words(program: str) -> list[str]:
    """Return the same for a file; empty for one that cannot be read."""
    try:
        with open(program, "rb") as file:
            return interpreter_words(file.read(READ_BYTES))
    except OSError:
        return []


def found_by_env(words: list[str]) -> str | None:
    """Return the program that ``/usr/bin/env`` would look for on PATH; None if the line does not use env."""
    if len(words) < 2 or os.path.basename(words[0]) != "env":
        return None
    if not words[1].startswith("-S"):
        return None if words[1].startswith("-") else words[1]
    rest = words[1].removeprefix("-S").split()
    return next((word for word in rest if not word.startswith("-") and "=" not in word), None)
