"""Mistakes in a description are refused with a reason before anything is written."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.registry import find_protocol
from arbiter.starters.description import Type
from arbiter.starters.project import description_of
from arbiter.starters.wire_file import description_from
from tests.starters.making import GAMES
from tests.starters.sinks import JSON, WORDS


def changed(data: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """Return the description with another value at a path such as ``game.turn.ships``."""
    result = copy.deepcopy(data)
    *steps, last = path.split(".")
    inner = result
    for step in steps:
        inner = inner[step]
    inner[last] = value
    return result


def refusal(data: dict[str, Any]) -> str:
    with pytest.raises(UserError) as caught:
        description_from(data, "wire.yaml")
    return str(caught.value)


@pytest.mark.parametrize("game", GAMES)
def test_our_own_protocols_are_described(game: str) -> None:
    assert description_of(find_protocol(game, Workspace())).choose


def test_types() -> None:
    wire = description_from(WORDS, "wire.yaml")
    kinds = {each.name: each.type for structure in wire.structures.values() for each in structure.fields}

    assert kinds["heights"] == Type("int", 1, count=("rows", "2"))
    assert kinds["ships"] == Type("Ship", 1)
    assert kinds["tags"] == Type("text", 1, separator=";", none="none")
    assert kinds["motto"] == Type("line")
    optional = description_from(JSON, "wire.yaml").structures["Hello"].fields[-1]
    assert (optional.key, optional.type) == ("nick", Type("text", optional=True))


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        ("structures.Ship.fields.name", ["words", "x"], "field 'name': 'words' is not a type; write int, text"),
        ("structures.Ship.fields.name", ["Sail", "x"], "field 'name': 'Sail' is not a type"),
        ("structures.Ship.fields.name", ["bool", "x"], "field 'name': 'bool' cannot be sent in the format 'words'"),
        ("structures.Ship.fields.class", ["int", "x"], "field 'class': is reserved in one of the languages"),
        ("structures.Ship.fields.Size", ["int", "x"], "field 'Size': must look like 'mine_count'"),
        ("structures.Ship.fields.ship", ["int", "x"], "structure 'Ship': field 'ship' has the same name"),
        ("structures.Ship.fields", {}, "structure 'Ship': has no fields"),
        ("structures.Pair.separator", "::", "structure 'Pair': a separator is one character"),
        ("structures.Pair.fields.low", ["text", "x"], "structure 'Pair': a separator is one character"),
        ("structures.Turn", WORDS["structures"]["Spot"], "structure 'Turn': choose another name"),
        ("structures.Sea", WORDS["structures"]["Spot"], "structure 'Sea' has the name of the game itself"),
        ("game.turn.ships", ["Ship * masts", "x"], "field 'ships': 'Ship * masts' is not a type"),
        ("game.messages", {"a": "Ship"}, "'messages' must be given for the format 'messages', and only for it"),
        ("constants.weights", {"about": "", "rows": [[1]]}, "constant 'weights': must look like 'COSTS'"),
        ("game.name", "turn", "name of the game 'turn': choose another, such as 'game'"),
        ("structures.Item", WORDS["structures"]["Spot"], "structure 'Item': is reserved in one of the languages"),
        ("game.colour", "red", "Object contains unknown field `colour` - at `$.game`"),
    ],
)
def test_a_wrong_description(path: str, value: object, error: str) -> None:
    assert refusal(changed(WORDS, path, value)).startswith(f"wire.yaml: {error}")


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        ("game.answer", "aks", "answer: unknown message 'aks'; did you mean 'ask'?"),
        ("game.messages.ask", "Question", "message 'ask': unknown structure 'Question'"),
        ("game.then", {"bye": "game.asked = 1"}, "then: unknown message 'bye'; choose from helloThere, ask"),
        ("structures.Ask.fields.note", ["Note?", "x"], "field 'note': 'Note?': only a single number, text or bool"),
        ("structures.Ask.fields.note", ["line", "x"], "field 'note': 'line' cannot be sent in the format 'messages'"),
    ],
)
def test_a_wrong_description_of_messages(path: str, value: object, error: str) -> None:
    assert refusal(changed(JSON, path, value)).startswith(f"wire.yaml: {error}")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "choose: must end with a return statement"),
        ("x = 1", "choose: must end with a return statement"),
        ("return 1", "choose, line 1: '1' must be text, but is a whole number"),
        ("return sea.ships[0]", "choose, line 1: 'sea.ships[0]' must be text, but is Ship"),
        ("return land.rows", "choose, line 1: 'land' is not defined here"),
        ('if sea.rows:\n    x = 1\nreturn ""', "choose, line 1: 'sea.rows' must be true or false"),
        ('if sea.rows > 0:\n    x = 1\nreturn f"{x}"', "choose, line 3: 'x' is not defined here"),
        ('x = sea.rows + sea.motto\nreturn ""', "choose, line 1: 'sea.rows + sea.motto' needs two numbers"),
        ('x = 1 / 2\nreturn ""', "choose, line 1: '1 / 2' is not supported"),
        ('while True:\n    pass\nreturn ""', "choose, line 1: 'while True:"),
        ('import os\nreturn ""', "choose, line 1: 'import os' is not supported"),
        ('x = open("f")\nreturn ""', "choose, line 1: \"open('f')\" is not supported"),
        ('x = sea.motto[2:]\nreturn ""', "choose, line 1: 'sea.motto[2:]' must have the form text[at]"),
        ('x = sea.motto[:2]\nreturn ""', "choose, line 1: 'sea.motto[:2]' cannot be kept in a variable"),
        ('x = sea.rows[0]\nreturn ""', "choose, line 1: 'sea.rows' is neither a list nor text"),
        ('x = sea.ships[-1].name\nreturn ""', "choose, line 1: '-1' must not be negative"),
        ('sea.rows[0] = 1\nreturn ""', "choose, line 1: 'sea.rows[0] = 1' is not supported"),
        ('x = 1\nfor x in sea.heights:\n    x = 2\nreturn ""', "choose, 'x' is already defined"),
        ('x = (\nreturn ""', "choose, line 1: '(' was never closed"),
        ('self = 1\nreturn ""', "choose: variable 'self': is reserved in one of the languages"),
        ('return f"{sea.rows:>3}"', "choose, line 1: "),
    ],
)
def test_a_wrong_way_to_choose(text: str, error: str) -> None:
    assert refusal(changed(WORDS, "choose", text)).startswith(f"wire.yaml: {error}")
