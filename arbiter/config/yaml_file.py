"""Reads YAML files, which may be those of strangers; every error names the file and the line.

Keys are always text, so that ``on:`` is not a boolean and ``2024-01-01:`` is not a date. Values are text, numbers, booleans and
nulls, and lists and mappings of these. Anchors, aliases and tags are not supported: with them a few lines can stand for
gigabytes.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from arbiter.errors import FieldError, LocatedError, UserError, not_a_file
from arbiter.text import safe

MOST_DEPTH = 8
"""The deepest nesting of lists and mappings."""
_MOST_SHOWN = 300
"""The most characters of an error that quotes the file."""
_PLAIN_WORDS = {
    "'<document start>'": "'name: value'",
    "'<stream end>'": "the end of the file",
    "the node content": "a value",
    "found character '\\t' that cannot start any token": "found a tab; use spaces",
    "mapping values are not allowed here": "found another ': '; put a value that contains one in quotes",
}
"""What the parser says, and what to say instead."""


class YamlDocument:
    """The contents of a YAML file, and the line of each field."""

    def __init__(self, path: Path, text: str, *, of_a_stranger: bool = True) -> None:
        """Parse the text of this file. Raises UserError."""
        self._path = path
        try:
            loader = _Loader(text, of_a_stranger=of_a_stranger)
            self._root = loader.get_single_node()
            self.data: Any = None if self._root is None else loader.construct_document(self._root)
        except yaml.YAMLError as error:
            raise UserError(f"{path}{safe(_parser_message(error, text), _MOST_SHOWN)}") from None
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}: {safe(' '.join(str(error).split()), _MOST_SHOWN)}") from None

    def place(self, *path: object) -> str:
        """Return the name of the file, with the line of the field at ``path`` or of the nearest enclosing field."""
        node, line = self._root, None
        for step in path:
            found = _child(node, step)
            if found is None:
                break
            node, line = found
        return f"{self._path}, line {line}" if line else str(self._path)

    @contextlib.contextmanager
    def located_errors(self) -> Iterator[None]:
        """Add the file and the line to every FieldError that is raised inside the block."""
        try:
            yield
        except FieldError as error:
            raise LocatedError(f"{self.place(*error.path)}: {error}") from None


class YamlFile(YamlDocument):
    """A YAML file of keys with values."""

    data: dict[str, Any]

    def __init__(self, path: Path) -> None:
        """Read the file. Raises UserError."""
        super().__init__(path, _read(path), of_a_stranger=False)
        if not isinstance(self.data, dict):
            raise UserError(f"{path}: must consist of 'name: value' lines")


class _Loader(yaml.SafeLoader):
    """A safe loader without aliases, tags and dates, for documents of a bounded depth, in which every key is text."""

    def __init__(self, text: str, *, of_a_stranger: bool) -> None:
        super().__init__(text)
        self._depth, self._of_a_stranger = 0, of_a_stranger

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        problem = (
            "anchors and aliases are not supported"
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)
            else "tags are not supported"
            if getattr(event, "tag", None)
            else "nested too deeply"
            if self._depth > MOST_DEPTH
            else None
        )
        if problem:
            raise yaml.composer.ComposerError(None, None, problem, event.start_mark)
        self._depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def text(self, node: yaml.Node) -> str:
        """Return the value of a scalar as it is written."""
        value = node.value if isinstance(node, yaml.ScalarNode) else None
        if not isinstance(value, str):
            raise yaml.constructor.ConstructorError(None, None, "the name of a field must be text", node.start_mark)
        # The organiser's own files may name files whose names are not UTF-8.
        if self._of_a_stranger and not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise yaml.constructor.ConstructorError(None, None, "half of a surrogate pair is not text", node.start_mark)
        return value

    def fields(self, node: yaml.MappingNode) -> dict[str, Any]:
        """Return a mapping with text for keys."""
        found: dict[str, Any] = {}
        for name, value in node.value:
            key = self.text(name)
            if key in found:
                raise yaml.constructor.ConstructorError(None, None, f"duplicate key {key!r}", name.start_mark)
            found[key] = self.construct_object(value, deep=True)
        return found


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if not tag.endswith((":timestamp", ":merge", ":value"))]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.fields)
_Loader.add_constructor("tag:yaml.org,2002:str", _Loader.text)


def _parser_message(error: yaml.YAMLError, text: str) -> str:
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
