"""Reads YAML files; every error names the file and the line."""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from arbiter.errors import FieldError, LocatedError, UserError, not_a_file

_MOST_VALUES = 200_000
_PLAIN_WORDS = {
    "'<document start>'": "'name: value'",
    "'<stream end>'": "the end of the file",
    "the node content": "a value",
    "found character '\\t' that cannot start any token": "found a tab; use spaces",
    "mapping values are not allowed here": "found another ': '; put a value that contains one in quotes",
}
"""What the parser says, and what to say instead."""


class YamlFile:
    """The contents of a YAML file, and the line of each field."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises UserError."""
        self._path = path
        text = _read(path)
        try:
            self._root = yaml.compose(text, Loader=yaml.SafeLoader)
            _check_expansion(path, self._root)
            data = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise UserError(f"{path}{parser_message(error, text)}") from None
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}: {' '.join(str(error).split())}") from None
        if not isinstance(data, dict):
            raise UserError(f"{path}: must consist of 'name: value' lines")
        self.data: dict[Any, Any] = data
        self._check_duplicates(self._root, set())

    def error(self, message: UserError | str, *path: object) -> UserError:
        """Return an error about the field at ``path``, with its line, or that of the nearest enclosing field."""
        return _located(self._path, self._root, message, path)

    @contextlib.contextmanager
    def located_errors(self) -> Iterator[None]:
        """Add the file and the line to every FieldError that is raised inside the block."""
        try:
            yield
        except FieldError as error:
            raise self.error(error, *error.path) from None

    def _check_duplicates(self, node: yaml.Node | None, seen: set[int]) -> None:
        """Raise UserError for a duplicate key, of which YAML itself would silently take the last."""
        if not isinstance(node, yaml.CollectionNode) or id(node) in seen:
            return
        seen.add(id(node))
        names: set[str] = set()
        for child in node.value:
            name, inner = child if isinstance(node, yaml.MappingNode) else (None, child)
            if name is not None and name.value in names:
                line = name.start_mark.line + 1
                raise UserError(f"{self._path}, line {line}: duplicate key {name.value!r}")
            if name is not None and isinstance(name, yaml.ScalarNode):
                names.add(name.value)
            self._check_duplicates(inner, seen)


@contextlib.contextmanager
def located_errors(path: Path, read: Callable[[Path], str]) -> Iterator[None]:
    """Add the file, which has already been parsed, and the line to every FieldError that is raised inside the block."""
    try:
        yield
    except FieldError as error:
        raise LocatedError(f"{place_in_file(path, read, *error.path)}: {error}") from None


def place_in_file(file: Path, read: Callable[[Path], str], *path: object) -> str:
    """Return the name of a file, which has already been parsed, and the line of the field at ``path``."""
    try:
        root = yaml.compose(read(file), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UserError, OSError, RecursionError):  # changed meanwhile
        root = None
    return _place(file, root, path)


def _located(file: Path, root: yaml.Node | None, message: UserError | str, path: Sequence[object]) -> LocatedError:
    return LocatedError(f"{_place(file, root, path)}: {message}")


def _place(file: Path, root: yaml.Node | None, path: Sequence[object]) -> str:
    node, line = root, None
    for step in path:
        found = _child(node, step)
        if found is None:
            break
        node, line = found
    return f"{file}, line {line}" if line else str(file)


def parser_message(error: yaml.YAMLError, text: str) -> str:
    """Return what to say after the name of a file: the line, and what is wrong with it, without the parser's jargon."""
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return f", line {line}: not YAML: the character {text[error.position]!r} is not allowed"
    if not isinstance(error, yaml.MarkedYAMLError):
        return f": {' '.join(str(error).split())}"
    problem = error.problem or error.context or "it cannot be read"
    for term, word in _PLAIN_WORDS.items():
        problem = problem.replace(term, word)
    if isinstance(error, yaml.scanner.ScannerError | yaml.parser.ParserError):  # not about a tag, for example
        problem = f"not YAML: {problem}"
    mark = error.problem_mark or error.context_mark
    return f", line {mark.line + 1}: {problem}" if mark else f": {problem}"


def _check_expansion(path: Path, root: yaml.Node | None) -> None:
    """Raise UserError if aliases expand a small file to too many values, or to infinitely many."""
    sizes: dict[int, int] = {}

    def size(node: yaml.Node) -> int:
        if id(node) not in sizes:
            sizes[id(node)] = _MOST_VALUES  # found again inside itself: an alias refers to a value that contains it
            children = node.value if isinstance(node, yaml.CollectionNode) else ()
            parts = (part for child in children for part in (child if isinstance(child, tuple) else (child,)))
            sizes[id(node)] = 1 + sum(map(size, parts))
        return sizes[id(node)]

    if root is not None and size(root) > _MOST_VALUES:
        raise UserError(f"{path}: more than {_MOST_VALUES} values, counting those that aliases stand for")


def _read(path: Path) -> str:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):  # reading a FIFO would wait for a writer
            raise not_a_file(path, mode)
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', None) or 'not a text file in UTF-8'}") from None


def _child(node: yaml.Node | None, step: object) -> tuple[yaml.Node, int] | None:
    """Return the child of ``node`` with this key or index, and its line from 1."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return value, key.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
        child = node.value[step]
        return child, child.start_mark.line + 1
    return None
