"""Reads TOML files; every error names the file and the line.

The library returns plain data without positions, so the lines of keys are found by scanning the text. The text has already
been parsed, so the scan need not validate it: it only tells strings, comments and brackets from the rest.
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arbiter.errors import FieldError, LocatedError, UserError

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}'  # strings of more than one line, which may end with quotes
    r'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
    r"|\#[^\n]*|\n|.",
    re.DOTALL,
)
_POSITION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class TomlFile:
    """The contents of a TOML file, and the line of each key."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises UserError."""
        self._path = path
        try:
            self._text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise UserError(f"{path}: not a text file in UTF-8") from None
        try:
            self.data: dict[str, Any] = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise self._syntax_error(str(error)) from None
        except RecursionError:
            raise UserError(f"{path}: brackets are nested too deeply") from None

    def error(self, message: UserError | str, *path: object) -> UserError:
        """Return an error about the field at ``path``, with its line, or that of the nearest enclosing field."""
        lines = key_lines(self._text)
        steps = [str(step) for step in path]
        line = next((lines[key] for end in range(len(steps), 0, -1) if (key := tuple(steps[:end])) in lines), None)
        return LocatedError(f"{self._path}, line {line}: {message}" if line else f"{self._path}: {message}")

    @contextlib.contextmanager
    def located_errors(self) -> Iterator[None]:
        """Add the file and the line to every FieldError that is raised inside the block."""
        try:
            yield
        except FieldError as error:
            raise self.error(error, *error.path) from None

    def _syntax_error(self, message: str) -> UserError:
        found = _POSITION.search(message)
        if not found or not found[1]:
            return UserError(f"{self._path}: {message}")
        line, what = int(found[1]), message[: found.start()]
        shown = self._text.split("\n")[line - 1].strip()
        if what.startswith(
            "Cannot "
        ):  # the rest depends on the Python version: overwrite a value, declare twice, mutate
            return UserError(f"{self._path}, line {line}: {shown[:80]!r} defines a key for the second time")
        advice = "; text must be in quotes" if what.startswith(("Invalid value", "Expected newline")) else ""
        return UserError(f"{self._path}, line {line}: {what[:1].lower()}{what[1:]} in {shown[:80]!r}{advice}")


def key_lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the line, from 1, on which each key of a valid document is first written; tables count as keys."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for line, statement in _statements(text):
        if statement.startswith("["):
            table = path = _key(statement.strip("[] \t"))
        else:
            path = (*table, *_key(_before_equals(statement)))
        for end in range(1, len(path) + 1):
            lines.setdefault(path[:end], line)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield every table header and every ``key = value`` with its line, without comments."""
    line, start, depth, statement = 1, 1, 0, ""
    for token in _TOKEN.findall(f"{text}\n"):
        if token == "\n" and depth == 0:
            if statement.strip():
                yield start, statement.strip()
            statement, start = "", line + 1
        elif not token.startswith("#"):
            statement += token
            depth += (token in ("[", "{")) - (token in ("]", "}"))
        line += token.count("\n")


def _before_equals(statement: str) -> str:
    """Return the key of ``key = value``; a quoted key may contain an equals sign."""
    end = 0
    for token in _TOKEN.findall(statement):
        if token == "=":
            break
        end += len(token)
    return statement[:end]


def _key(text: str) -> tuple[str, ...]:
    """Split a dotted key: ``a."b.c"`` is ``a`` and ``b.c``."""
    found: list[str] = []
    data: Any = tomllib.loads(f"{text} = 0")
    while isinstance(data, dict):
        ((name, data),) = data.items()
        found.append(name)
    return tuple(found)
