"""The typed syntax tree of the function that chooses an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from arbiter.starters.description import Type


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a string, or true or false."""

    value: int | float | str | bool
    type: Type


@dataclass(frozen=True, slots=True)
class Name:
    """A local variable or the parameter."""

    name: str
    type: Type
    builder: bool = False
    """Whether it is a string to which more is appended."""
    pointer: bool = False
    """Whether it is a reference to a structure."""


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
    """A substring."""

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
    """Logical negation."""

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
    """A formatted string: literal parts and values."""

    parts: tuple[str | Expression, ...]
    type: Type


Expression: TypeAlias = Literal | Name | Constant | Attribute | Index | Slice | Binary | Not | Call | Format


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment."""

    text: str


@dataclass(frozen=True, slots=True)
class Declare:
    """The declaration of a local variable."""

    name: Name
    value: Expression
    changes: bool
    """Whether it is assigned to later."""


@dataclass(frozen=True, slots=True)
class Assign:
    """An assignment to a variable or field."""

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
    """A conditional statement."""

    condition: Expression
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """Returns the answer."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Kibitz:
    """Prints a kibitz line for spectators."""

    value: Expression


Statement: TypeAlias = Comment | Declare | Assign | Change | ForEach | ForRange | If | Return | Kibitz
