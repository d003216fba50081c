"""Reads the ``wire.yaml`` in a protocol's folder: its wire format and a first way to answer, for ``arbiter new``.

docs/starters.md explains the notation to authors of protocols.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from arbiter.errors import UserError, unknown
from arbiter.starters import nodes
from arbiter.starters.description import INT, ConstantTable, Description, Field, Format, Message, Structure, Type
from arbiter.starters.python_subset import SubsetTranslator
from arbiter.starters.reserved import FOR_THE_GAME, RESERVED

WIRE_FILE = "wire.yaml"
_BASIC = ("int", "number", "bool", "text", "line")
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_STRUCTURE = re.compile(r"[A-Z][A-Za-z0-9]*")
_TABLE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")

_Fields = dict[str, tuple[str, str]]


class _StructureEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: str
    fields: _Fields
    separator: str = ""


class _GameEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: str
    name: str = "game"
    start: _Fields = {}
    turn: _Fields = {}
    messages: dict[str, str] = {}
    answer: str = ""
    remember: _Fields = {}
    then: dict[str, str] = {}
    stop: str = ""


class _TableEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: str
    rows: tuple[tuple[int, ...], ...]
    per_line: int = 1


class _WireFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Format
    game: _GameEntry
    choose: str
    structures: dict[str, _StructureEntry] = {}
    constants: dict[str, _TableEntry] = {}


def read_description(file: Path) -> Description:
    """Read a wire.yaml. Raises UserError that names the file and the mistake."""
    from arbiter.config.yaml_file import YamlFile

    return description_from(YamlFile(file).data, str(file))


def description_from(data: Mapping[str, Any], where: str) -> Description:
    """Return the description in the data of a wire.yaml. Raises UserError that starts with ``where``."""
    try:
        return _description(msgspec.convert(data, _WireFile))
    except (msgspec.ValidationError, UserError) as error:
        raise UserError(f"{where}: {error}") from None


def _description(entry: _WireFile) -> Description:
    structures: dict[str, Structure] = {}
    for name, each in entry.structures.items():
        _check_name("structure", name, _STRUCTURE)
        structures[name] = Structure(name, each.about, _fields(each.fields, structures, entry.format), each.separator)
        _check_structure(structures[name], entry.format)
    game = entry.game
    _check_name("name of the game", game.name, _NAME)
    if game.name in FOR_THE_GAME or "_" in game.name:
        raise UserError(f"name of the game {game.name!r}: choose another, such as 'game' or 'state'")
    start = _fields(game.start, structures, entry.format)
    turn = _fields(game.turn, structures, entry.format, start)
    remembered = _fields(game.remember, structures, entry.format)
    kept = tuple(_kept(kind, name, structures) for kind, name in game.messages.items())
    root = Structure(game.name.capitalize(), game.about, (*start, *turn, *kept, *remembered))
    if root.name in structures:
        raise UserError(f"structure {root.name!r} has the name of the game itself: give one of them another name")
    structures[root.name] = root
    _check_format(entry)
    for name in entry.constants:
        _check_name("constant", name, _TABLE)
    tables = {name: Type("int", 2) for name in entry.constants}
    parameter = nodes.Name(game.name, Type(root.name), pointer=True)
    messages = []
    for kind, field in zip(game.messages, kept, strict=True):
        then = SubsetTranslator(structures, tables, parameter).statements(game.then.get(kind, ""))
        messages.append(Message(kind, field, then))
    return Description(
        format=entry.format,
        structures=structures,
        root=root,
        start=start,
        turn=turn,
        messages=tuple(messages),
        answer=game.answer,
        stop=SubsetTranslator(structures, tables, parameter).expression(game.stop) if game.stop else None,
        tables=tuple(
            ConstantTable(name, each.about, each.rows, each.per_line) for name, each in entry.constants.items()
        ),
        choose=_choose(entry.choose, structures, tables, parameter),
    )


def _check_structure(structure: Structure, kind: Format) -> None:
    where = f"structure {structure.name!r}"
    if not structure.fields:
        raise UserError(f"{where}: has no fields")
    if structure.separator and (
        kind != "words" or len(structure.separator) != 1 or any(each.type != INT for each in structure.fields)
    ):
        raise UserError(f"{where}: a separator is one character between whole numbers, in the format 'words'")
    if kind == "words" and structure.name == "Turn":
        raise UserError(f"{where}: choose another name; 'Turn' is used in generated programs")
    for each in structure.fields:
        if each.name.replace("_", "") == structure.name.lower():
            raise UserError(f"{where}: field {each.name!r} has the same name, which C# does not allow")


def _choose(
    text: str, structures: Mapping[str, Structure], tables: Mapping[str, Type], parameter: nodes.Name
) -> tuple[nodes.Statement, ...]:
    try:
        found = SubsetTranslator(structures, tables, parameter).statements(text)
    except UserError as error:
        raise UserError(f"choose, {error}") from None
    if not found or not isinstance(found[-1], nodes.Return):
        raise UserError("choose: must end with a return statement")
    for name in _declared(found):
        _check_name("choose: variable", name, _NAME)
    return found


def _declared(statements: tuple[nodes.Statement, ...]) -> list[str]:
    names: list[str] = []
    for each in statements:
        match each:
            case nodes.Declare(name):
                names.append(name.name)
            case nodes.ForEach(name, _, body) | nodes.ForRange(name, _, body):
                names += [name.name, *_declared(body)]
            case nodes.If(_, body, otherwise):
                names += [*_declared(body), *_declared(otherwise)]
    return names


def _check_format(entry: _WireFile) -> None:
    game = entry.game
    if (entry.format == "messages") != bool(game.messages):
        raise UserError("'messages' must be given for the format 'messages', and only for it")
    if game.messages and game.answer not in game.messages:
        raise unknown("message", game.answer, game.messages, where="answer")
    if missing := set(game.then) - set(game.messages):
        raise unknown("message", min(missing), game.messages, where="then")
    if entry.format == "json" and game.start:
        raise UserError("'start' is for the format 'words': a JSON object is sent every turn")


def _kept(kind: str, name: str, structures: Mapping[str, Structure]) -> Field:
    if name not in structures:
        raise UserError(f"message {kind!r}: unknown structure {name!r}")
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()
    _check_name("message", snake, _NAME)
    return Field(snake, Type(name), structures[name].about)


def _fields(
    entries: _Fields, structures: Mapping[str, Structure], kind: Format, before: tuple[Field, ...] = ()
) -> tuple[Field, ...]:
    found: list[Field] = []
    for name, (text, about) in entries.items():
        _check_name("field", name, _NAME)
        known = [each.name for each in (*before, *found) if each.type.name == "int" and not each.type.depth]
        found.append(Field(name, _type(name, text, structures, kind, known), about))
    return tuple(found)


def _type(name: str, text: str, structures: Mapping[str, Structure], kind: Format, known: list[str]) -> Type:
    wrong = UserError(
        f"field {name!r}: {text!r} is not a type; write int, text, Town, int * 6, Town * or int by , or x"
    )
    if split := re.fullmatch(r"(\w+) by (\S) or (\S+)", text):
        found = Type(split[1], 1, separator=split[2], none=split[3])
        inside = structures.get(found.name)
        if kind != "words" or (inside and not inside.separator) or (not inside and found.name not in ("int", "text")):
            raise wrong
        return found
    head, *factors = (part.strip() for part in text.split("*"))
    optional = head.endswith("?")
    head = head.removesuffix("?")
    if head not in _BASIC and head not in structures:
        raise wrong
    if (kind == "words" and (head in ("number", "bool") or optional)) or (kind != "words" and head == "line"):
        raise UserError(f"field {name!r}: {text!r} cannot be sent in the format {kind!r}")
    if optional and (factors or head in structures):
        raise UserError(f"field {name!r}: {text!r}: only a single number, text or bool may be missing")
    if not factors:
        return Type(head, optional=optional)
    count = tuple(factor for factor in factors if factor)
    if (kind != "words" and count) or not all(factor.isdigit() or factor in known for factor in count):
        raise wrong
    return Type(head, 1, count=count)


def _check_name(what: str, name: str, pattern: re.Pattern[str]) -> None:
    if not pattern.fullmatch(name):
        raise UserError(f"{what} {name!r}: must look like {_EXAMPLES[pattern]!r}")
    if name in RESERVED:
        raise UserError(f"{what} {name!r}: is reserved in one of the languages; choose another name")


_EXAMPLES = {_NAME: "mine_count", _STRUCTURE: "RoundStart", _TABLE: "COSTS"}
