"""How an answer is chosen, as typed nodes that every language writes in its own way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from arbiter.starters.description import Type


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a text, or true or false."""

    value: int | str | bool
    type: Type


@dataclass(frozen=True, slots=True)
class Name:
    """A local variable or the parameter."""

    name: str
    type: Type
    builder: bool = False
    """Whether it is a text to which more is appended."""
    pointer: bool = False
    """Whether it refers to a part of the game."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant table."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Attribute:
    """A field of a structure."""

    of: Expression
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Index:
    """An item of a list."""

    of: Expression
    at: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a text."""

    of: Expression
    start: Expression
    length: int
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """``+ - * // %`` of two numbers, a comparison, ``and`` or ``or``."""

    operator: str
    left: Expression
    right: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a truth value."""

    value: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Call:
    """``len`` of a list, ``abs`` of a number, ``min`` or ``max`` of two."""

    function: str
    arguments: tuple[Expression, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Format:
    """A text put together from texts and values."""

    parts: tuple[str | Expression, ...]
    type: Type


Expression: TypeAlias = Literal | Name | Constant | Attribute | Index | Slice | Binary | Not | Call | Format


@dataclass(frozen=True, slots=True)
class Comment:
    """A line for the reader."""

    text: str


@dataclass(frozen=True, slots=True)
class Declare:
    """A new local variable."""

    name: Name
    value: Expression
    changes: bool
    """Whether it gets another value later."""


@dataclass(frozen=True, slots=True)
class Assign:
    """A new value for a variable or field."""

    target: Name | Attribute
    value: Expression


@dataclass(frozen=True, slots=True)
class Change:
    """``+=`` or ``-=``."""

    operator: str
    target: Name | Attribute
    value: Expression


@dataclass(frozen=True, slots=True)
class ForEach:
    """A loop over the items of a list."""

    name: Name
    items: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class ForRange:
    """A loop over numbers from 0 up to, but not including, ``stop``."""

    name: Name
    stop: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class If:
    """Statements under a condition."""

    condition: Expression
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """The answer."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Kibitz:
    """A remark for spectators."""

    value: Expression


Statement: TypeAlias = Comment | Declare | Assign | Change | ForEach | ForRange | If | Return | Kibitz
