"""Check before a game starts that the kernel can execute a file, and that its interpreter is one that agents may use."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

from arbiter.agents.prepare.first_line import READ_BYTES, found_by_env, interpreter_words
from arbiter.agents.prepare.places import SYSTEM, holds_more_than_an_agent, is_in
from arbiter.agents.prepare.source_text import BYTE_ORDER_MARK
from arbiter.agents.prepare.tools import known_installations
from arbiter.errors import UserError

_ELF_MACHINES = {"x86_64": 62, "aarch64": 183, "i386": 3, "i686": 3, "riscv64": 243, "ppc64le": 21, "s390x": 22}
"""The e_machine field of an ELF header, by the name that uname gives the machine."""
_MOST_INTERPRETERS = 4
"""How many levels of scripts that are run by scripts the kernel follows."""
_ADVICE = (
    "start the line with '#!/usr/bin/env python3' or the like, or let arbiter.toml name the agent with its interpreter: "
    '[agents] NAME = "/path/to/interpreter program"'
)


def check_executable(text: str, path: Path, depth: int = 0) -> None:
    """Raise UserError if a file is neither a script with an installed interpreter nor a binary for this machine.

    ``text`` is what the user typed for it. An interpreter must be installed in a system folder, belong to an installation
    of the table of languages, or be in the program's own folder. A first line is written by the author of the agent, so
    what is visible to the agent must not depend on it.
    """
    start = check_beginning(text, path)
    if start.startswith(b"#!"):
        _check_interpreter(text, path, start, depth)
    elif start.startswith(b"\x7fELF"):
        machine = int.from_bytes(start[18:20], "little" if start[5:6] == b"\x01" else "big")
        if _ELF_MACHINES.get(platform.machine(), machine) != machine:
            raise UserError(f"{text} was compiled for another architecture (this machine is {platform.machine()})")


def check_beginning(text: str, path: Path) -> bytes:
    """Return the beginning of a program. Raises UserError if the kernel would recognise neither a binary nor a script."""
    with path.open("rb") as file:
        start = file.read(READ_BYTES)
    if start.startswith(BYTE_ORDER_MARK + b"#!"):
        raise UserError(f"{text} begins with a byte-order mark (BOM) before its '#!': save it as UTF-8 without one")
    if not start.startswith((b"#!", b"\x7fELF")):
        raise UserError(f"{text} is neither a binary nor a script with a first line such as '#!/usr/bin/env python3'")
    if start.startswith(b"#!") and start.partition(b"\n")[0].endswith(b"\r"):
        raise UserError(
            f"{text} has Windows line endings (CRLF), with which its interpreter is not found: save it with Unix line "
            "endings, or convert it with sed -i 's/\\r$//'"
        )
    return start


def _check_interpreter(text: str, path: Path, start: bytes, depth: int) -> None:
    words = interpreter_words(start)
    interpreter = words[0]
    # A relative path would be found in one folder here and in another one in the sandbox.
    if not os.path.isabs(interpreter) or not os.access(interpreter, os.X_OK) or not os.path.isfile(interpreter):
        raise UserError(
            f"{text}: the interpreter {interpreter!r} in its first line does not exist or is not executable"
        )
    by_env = found_by_env(words)
    found = shutil.which(by_env) if by_env else interpreter
    if found is None:
        raise UserError(f"{text}: the interpreter {by_env!r} in its first line is not installed")
    if is_own(found, path.parent):
        if depth < _MOST_INTERPRETERS:
            check_executable(text, Path(found), depth + 1)
    elif not is_of_this_machine(found):
        raise UserError(
            f"{text}: the interpreter {found!r} in its first line is not one that agents of other authors may use; {_ADVICE}"
        )


def check_program(program: str, folder: Path, where: str) -> None:
    """Refuse a program that the agent would not find in its sandbox. Its author wrote the path, so it reveals nothing."""
    if is_own(program, folder):
        check_executable(where, Path(program))
    elif not is_of_this_machine(program):
        raise UserError(
            f"{where}: {program!r} is neither in the agent's folder nor an interpreter in a system folder or of a known "
            f'language; to allow it, name the agent in arbiter.toml: [agents] NAME = "{program} …"'
        )


def is_of_this_machine(program: str) -> bool:
    """Return whether a program is in a system folder, or belongs to an installation of the table of languages."""
    real = os.path.realpath(program)
    if is_in(real, SYSTEM):
        return True
    return is_in(real, map(os.path.realpath, known_installations()))


def is_own(program: str, folder: Path) -> bool:
    """Return whether a program is really in the folder of an agent, and not only linked there."""
    return not holds_more_than_an_agent(folder) and is_in(os.path.realpath(program), [os.path.realpath(folder)])
