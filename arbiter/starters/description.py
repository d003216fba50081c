"""The description of a wire format: what an agent reads, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from arbiter.starters.nodes import Expression, Statement

Format = Literal["words", "json", "messages"]
"""Words and lines; one JSON object per turn; or JSON objects of several kinds, one of which is answered."""
Basic = Literal["int", "number", "bool", "text", "line"]


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a field, a variable or an expression."""

    name: str
    """A :data:`Basic` type or the name of a structure."""
    depth: int = 0
    """0 for a single value, 1 for a list, 2 for a table."""
    optional: bool = False
    """Whether the key may be missing from a JSON object."""
    separator: str = ""
    """The separator between the items of a list that is sent as one word."""
    none: str = ""
    """The word that stands for an empty list of that kind."""
    count: tuple[str, ...] = ()
    """The factors of the length of a list, each a number or a field read before; empty if the length is sent first."""

    @property
    def item(self) -> Type:
        """The type of the items of a list."""
        return Type(self.name, self.depth - 1)

    @property
    def is_text(self) -> bool:
        """Whether this is a single string, which may be a whole line."""
        return self.name in ("text", "line") and not self.depth

    @property
    def is_structure(self) -> bool:
        """Whether this is a single structure."""
        return self.name[0].isupper() and not self.depth


INT, NUMBER, BOOL, TEXT = Type("int"), Type("number"), Type("bool"), Type("text")


@dataclass(frozen=True, slots=True)
class Field:
    """A named part of a structure."""

    name: str
    type: Type
    about: str

    @property
    def key(self) -> str:
        """Its key in a JSON object: ``last_dir`` is sent as ``lastDir``."""
        head, *rest = self.name.split("_")
        return head + "".join(word.capitalize() for word in rest)


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure with named fields."""

    name: str
    about: str
    fields: tuple[Field, ...]
    separator: str = ""
    """The separator between the fields of a structure that is sent as part of a word."""


@dataclass(frozen=True, slots=True)
class Message:
    """A kind of message."""

    type: str
    """The value of its key ``type``."""
    field: Field
    """The field of the root that holds the last message of this kind."""
    then: tuple[Statement, ...] = ()
    """Statements to run when one arrives."""


@dataclass(frozen=True, slots=True)
class ConstantTable:
    """A constant table of numbers."""

    name: str
    about: str
    rows: tuple[tuple[int, ...], ...]
    per_line: int = 1


@dataclass(frozen=True, slots=True)
class Description:
    """What an agent reads, and a first way to answer."""

    format: Format
    structures: Mapping[str, Structure]
    """By name, each after those it consists of; the last one is the :attr:`root`."""
    root: Structure
    """Everything the agent knows when it has to answer."""
    start: tuple[Field, ...] = ()
    """Fields of the root that are sent once, before the first turn."""
    turn: tuple[Field, ...] = ()
    """Fields of the root that are sent every turn."""
    messages: tuple[Message, ...] = ()
    answer: str = ""
    """The type of the messages that are answered."""
    stop: Expression | None = None
    """The condition under which the agent exits instead of answering."""
    tables: tuple[ConstantTable, ...] = ()
    choose: tuple[Statement, ...] = field(default=())

    @property
    def parameter(self) -> str:
        """The name of the variable that holds the root."""
        return self.root.name.lower()

    def uses(self, *names: str) -> bool:
        """Return whether any field has one of these types."""
        return any(each.type.name in names for structure in self.structures.values() for each in structure.fields)

    def has_split_words(self) -> bool:
        """Return whether any list is sent as one word."""
        return any(each.type.separator for structure in self.structures.values() for each in structure.fields)
