"""Converts plain data, of a TOML or YAML file or of Python, to a struct; every mistake is a FieldError.

The reader of the file adds its name and the line of the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo, fields

from arbiter.errors import FieldError, describe_type, unknown, wrong_value

T = TypeVar("T", bound=msgspec.Struct)
Path = tuple[str | int, ...]


def read_struct(data: Mapping[Any, Any], kind: type[T], path: Path = ()) -> T:
    """Return the struct that ``data`` describes. Raises FieldError for an unknown or missing key, or a wrong type.

    ``path`` leads from the top of the file to ``data``.
    """
    known = _fields(kind)
    for name in data:
        if name not in known:
            where = f"{_place(path)}: " if path else ""
            raise FieldError(f"{where}{unknown('key', name, known)}", *path, name)
    for name, field in known.items():
        if field.required and name not in data:
            where = f"{_place(path)}: " if path else ""
            raise FieldError(f"{where}{name!r} is missing; it must be {_wanted(field.type)}", *path)
    return kind(**{name: _value(value, known[name].type, (*path, name)) for name, value in data.items()})


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, FieldInfo]:
    return {field.name: field for field in fields(kind)}


def _value(value: object, wanted: Any, path: Path) -> object:
    """Convert a value to a type."""
    if get_origin(wanted) is Annotated:
        wanted = get_args(wanted)[0]
    for kind in get_args(wanted) if get_origin(wanted) in (Union, UnionType) else (wanted,):
        origin, inner = get_origin(kind), get_args(kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, Mapping):
            return read_struct(value, kind, path)
        if origin in (dict, Mapping) and isinstance(value, Mapping):
            return {_text(name, path): _value(item, inner[1], (*path, name)) for name, item in value.items()}
        of_any_length = inner[1:] in ((), (Ellipsis,))
        if origin in (list, tuple) and isinstance(value, list | tuple) and (of_any_length or len(inner) == len(value)):
            return origin(_value(item, inner[0], (*path, index)) for index, item in enumerate(value))
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        raise FieldError(wrong_value(_place(path), value, _wanted(wanted)), *path) from None


def _text(name: object, path: Path) -> str:
    if not isinstance(name, str):
        raise FieldError(wrong_value(f"{_place(path)}: name", name, "a string"), *path, str(name))
    return name


def _place(path: Path) -> str:
    """Return a field as users name it: ``limits.move``, ``visible, item 2``."""
    names = ".".join(step for step in path if isinstance(step, str))
    items = "".join(f", item {step + 1}" for step in path if isinstance(step, int))
    return f"{names}{items}:" if items else names


def _wanted(kind: Any) -> str:
    """Describe the values of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _wanted(inner[0])
    if origin in (Union, UnionType):
        # A number may be whole: "a whole number or a number" would say the same twice.
        parts = [part for part in inner if part is not NoneType and not (part is int and float in inner)]
        return " or ".join(dict.fromkeys(map(_wanted, parts)))
    if origin is Literal:
        return " or ".join(map(str, inner))
    if origin is list or (origin is tuple and inner[-1] is Ellipsis):
        return "a list" if inner[0] is Any else f"a list, each item {_wanted(inner[0])}"
    if origin is tuple:
        return f"a list of {len(inner)} items, each {_wanted(inner[0])}"
    if origin in (dict, Mapping) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return describe_type(dict)
    return describe_type(kind)
