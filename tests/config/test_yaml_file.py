"""YAML files: every error names the file and the line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arbiter.config.plain_data import read_struct
from arbiter.config.yaml_file import YamlFile
from arbiter.errors import FieldError, UserError, in_field
from tests.tools import refusal

TEXT = """\
name: cup
limits:
  move: 2s
  memory: 1GB
agents:
  - one
  - two: [a,
      b]
"""


class Cup(msgspec.Struct):
    name: str
    limits: dict[str, Any] = {}
    agents: list[Any] = []
    factor: float | None = None


def read(folder: Path, text: str) -> YamlFile:
    (folder / "a.yaml").write_text(text, encoding="utf-8")
    file = YamlFile(folder / "a.yaml")
    with file.located_errors():
        read_struct(file.data, Cup)
    return file


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 1),
        (("limits",), 2),
        (("limits", "memory"), 4),
        (("limits", "disk"), 2),
        (("agents", 0), 6),
        (("agents", 1, "two", 1), 8),
        (("until",), None),
        ((), None),
    ],
)
def test_an_error_names_the_line_of_the_field_or_of_what_is_around_it(
    tmp_path: Path, path: tuple[str | int, ...], line: int | None
) -> None:
    file = read(tmp_path, TEXT)
    with pytest.raises(UserError) as refusal, file.located_errors():
        raise FieldError("wrong", *path)
    where = f", line {line}" if line else ""
    assert str(refusal.value) == f"{tmp_path / 'a.yaml'}{where}: wrong"


def test_an_error_keeps_the_innermost_field() -> None:
    with pytest.raises(FieldError) as refusal, in_field("agents"), in_field("limits", "move"):
        raise UserError("wrong")
    assert (refusal.value.path, str(refusal.value)) == (("limits", "move"), "wrong")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: x\nfactor: yes", ", line 2: factor True: must be a number"),
        ("factor: 3\nname: 3", ", line 2: name 3: must be a string"),
        ("nam: x", ", line 1: unknown key 'nam'; did you mean 'name'?"),
        ("zzz: x", ", line 1: unknown key 'zzz'; choose from name, limits, agents, factor"),
        ("limits:\n  a: 1\n  a: 2", ", line 3: duplicate key 'a'"),
        ("factor: 1.5", ": 'name' is missing; it must be a string"),
        ("name:", ", line 1: name has no value: must be a string"),
        ("name: x\nlimits:\n\ta: 1", ", line 3: not YAML: found a tab; use spaces"),
        ("name: Cup: autumn", ", line 1: not YAML: found another ': '; put a value that contains one in quotes"),
        ("factor: 1\nname: a\x1bb", ", line 2: not YAML: the character '\\x1b' is not allowed"),
        ("limits: &a {}\nagents: [*a]", ", line 1: anchors and aliases are not supported"),
        ("[1]", ": must consist of 'name: value' lines"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    assert refusal(lambda: read(tmp_path, text)) == f"{tmp_path / 'a.yaml'}{said}"
