"""Commands that users write: split into words, with the program found in a folder or on PATH."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from arbiter.agents.prepare.executable import check_beginning
from arbiter.agents.prepare.languages import find_tool
from arbiter.agents.prepare.places import without_dots
from arbiter.errors import UserError

_OPERATORS = frozenset(("|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>&1", "2>/dev/null"))


def split_words(text: str, where: str = "", *, for_shell: bool = False) -> list[str]:
    """Split a command as a shell would. Raises UserError, for example for an unclosed quotation mark.

    Operators of a shell, which would be arguments of the program, are refused unless a shell will run the command.
    """
    prefix = f"{where}{': ' if where else ''}"
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{prefix}the command {text!r} cannot be split into words: {error}") from None
    operator = next((word for word in words if word in _OPERATORS), None)
    if operator and not for_shell:
        raise UserError(
            f"{prefix}no shell runs this command, so {operator!r} is an argument; write  sh -c {shlex.quote(text)}"
        )
    return words


def find_program(command: str | Sequence[str], folder: Path, where: str, shown: str = "") -> list[str]:
    """Return the command with the full path of its program, found in the folder or on PATH. Raises UserError.

    ``shown`` is what to call the folder in the error, instead of its path.
    """
    words = split_words(command, where) if isinstance(command, str) else list(command)
    if not words:
        raise UserError(f"{where}: the command is empty")
    if any("\0" in word for word in words):
        raise UserError(f"{where}: the command {command!r} contains a null character")
    first = folder / words[0]
    if is_file(first):
        if not os.access(first, os.X_OK):
            raise UserError(f"{where}: {words[0]!r} is not executable: chmod +x it")
        if os.access(first, os.R_OK):  # the kernel executes a binary that cannot be read
            check_beginning(f"{where}: {words[0]}", first)
        return [str(without_dots(first)), *words[1:]]
    tool = find_tool(words[0]) if "/" not in words[0] else None
    if tool is None:
        name, required, version = words[0].partition(">=")
        if required:
            raise UserError(f"{where}: needs {name} {version} or later, which is not installed")
        raise UserError(f"{where}: {words[0]!r} is neither a file in {shown or folder} nor an installed program")
    return [tool, *words[1:]]


def is_file(path: Path) -> bool:
    """Return whether a path is a file; False where Path.is_file would raise, for a name that is too long."""
    return os.path.isfile(path)  # noqa: PTH113
