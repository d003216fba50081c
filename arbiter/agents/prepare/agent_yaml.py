"""Reading an agent.yaml, which its author wrote: bounded in size, depth and time, and plain data only.

Keys are always text, so that ``on:`` is not a boolean and ``2024-01-01:`` is not a date. Values are text, numbers, booleans and
nulls, and lists and mappings of these. Anchors, aliases and tags are not supported: with them a few lines can stand for
gigabytes.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import yaml

from arbiter.config.yaml_file import parser_message
from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.units import show_size

MOST_BYTES = 1 << 15
MOST_DEPTH = 8
"""The deepest nesting of lists and mappings."""
_MOST_SHOWN = 300
"""The most characters of an error that quotes the file."""


def read_agent_yaml(file: Path) -> Any:
    """Return the contents of an agent.yaml. Raises UserError if anything is wrong with it."""
    text = read_text(file)
    try:
        return yaml.load(text, Loader=_AgentYamlLoader)
    except yaml.YAMLError as error:
        raise UserError(f"{file}{safe(parser_message(error, text), _MOST_SHOWN)}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file}: {safe(' '.join(str(error).split()), _MOST_SHOWN)}") from None


def read_text(file: Path) -> str:
    """Return the text of a file in an agent's folder. Raises UserError if it is not a regular file in that folder, too large,
    or not UTF-8; a FIFO or a device is never waited for."""
    folder = os.path.realpath(file.parent)
    if os.path.dirname(os.path.realpath(file)) != folder:
        raise UserError(f"{file}: is a link out of the agent's folder; put the file itself there")
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UserError(f"{file}: must be a regular file")
        data = os.read(descriptor, MOST_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MOST_BYTES:
        raise UserError(f"{file}: is larger than {show_size(MOST_BYTES)}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{file}: not a text file in UTF-8") from None


class _AgentYamlLoader(yaml.SafeLoader):
    """A safe loader without aliases, tags and dates, for documents of a bounded depth."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

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
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
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


_AgentYamlLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if not tag.endswith((":timestamp", ":merge", ":value"))]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_AgentYamlLoader.add_constructor("tag:yaml.org,2002:map", _AgentYamlLoader.fields)
_AgentYamlLoader.add_constructor("tag:yaml.org,2002:str", _AgentYamlLoader.text)
