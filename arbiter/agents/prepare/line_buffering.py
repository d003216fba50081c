"""Line buffering for compiled programs, which otherwise keep their answers in a buffer while they wait for the next prompt.

C's stdio, on which D and most of C++ build, writes to a terminal line by line, but to a pipe in blocks of 4 KB. The
library behind ``stdbuf -oL`` changes that from inside the process: the same bytes are written, a line at a time. It
needs a dynamically linked program that uses the same C library as ``stdbuf`` itself; a library for another one could
keep the program from starting.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from functools import lru_cache
from typing import IO

from arbiter.agents.prepare.languages import all_programs
from arbiter.agents.prepare.places import SYSTEM, is_in

_INTERPRETER = 3
"""The type PT_INTERP of a program header."""
_MOST_HEADERS = 64
_LONGEST_PATH = 4096


def line_buffering(program: str) -> dict[str, str]:
    """Return environment variables with which a program writes every line at once; empty where that cannot be done.

    Only for the agent's own program: interpreters have buffers of their own.
    """
    if is_in(os.path.realpath(program), SYSTEM) or _unversioned(program) in _interpreters():
        return {}
    loader, (library, its_loader) = dynamic_loader(program), _library()
    return {"LD_PRELOAD": library, "_STDBUF_O": "L"} if loader and loader == its_loader else {}


@lru_cache(maxsize=1)
def _interpreters() -> frozenset[str]:
    return frozenset(map(_unversioned, all_programs()))


def _unversioned(program: str) -> str:
    return os.path.basename(program).rstrip("0123456789.")


@lru_cache(maxsize=1)
def _library() -> tuple[str, str]:
    """Return the library that ``stdbuf`` preloads, and the dynamic loader of the C library it is made for."""
    stdbuf, printenv = (shutil.which(name, path=os.defpath) for name in ("stdbuf", "printenv"))
    if not stdbuf or not printenv:
        return "", ""
    words = [stdbuf, "-oL", printenv, "LD_PRELOAD"]
    asked = subprocess.run(words, env={}, capture_output=True, text=True, check=False)
    library = asked.stdout.strip()
    # Agents see system folders only; some versions of stdbuf unpack their library into a temporary file.
    usable = is_in(os.path.realpath(library), SYSTEM) and os.path.isfile(library)
    return (library, dynamic_loader(stdbuf)) if usable else ("", "")


def dynamic_loader(program: str) -> str:
    """Return the dynamic loader that an ELF program names; empty for a static program, or another kind of file."""
    try:
        with open(program, "rb") as file:
            return _loader_named_in(file)
    except (OSError, ValueError, struct.error):
        return ""


def _loader_named_in(file: IO[bytes]) -> str:
    start = file.read(64)
    if start[:6] != b"\x7fELF\x02\x01":  # 64 bits, little-endian
        return ""
    (table,) = struct.unpack_from("<Q", start, 32)
    size, count = struct.unpack_from("<HH", start, 54)
    for index in range(min(count, _MOST_HEADERS)):
        file.seek(table + index * size)
        kind, _, offset, _, _, length = struct.unpack("<IIQQQQ", file.read(40))
        if kind == _INTERPRETER:
            file.seek(offset)
            return os.fsdecode(file.read(min(length, _LONGEST_PATH)).rstrip(b"\0"))
    return ""
