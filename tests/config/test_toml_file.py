"""The lines of keys in a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.config.toml_file import TomlFile, key_lines
from arbiter.errors import FieldError, UserError
from tests.nullgame.place import write
from tests.tools import refusal

TEXT = '''\
a = 1  # b = 2
"b.c" = "x = y # no comment"

list = [
  1,  # ] no end
  2,
]
long = """
[no.table]
key = "no key" \\"""
"""
raw = \'\'\'
no = 1\'\'\'\'
d.e = {f = 1, g = "}"}
[table]  # a comment
a = 2
[ table . "in [it]" ]
a = "="
"x=y" = 3
[[many]]
a = 1
'''


def test_the_line_of_every_key() -> None:
    tomllib.loads(TEXT)
    assert key_lines(TEXT) == {
        ("a",): 1, ("b.c",): 2, ("list",): 4, ("long",): 8, ("raw",): 12, ("d",): 14, ("d", "e"): 14, ("table",): 15,
        ("table", "a"): 16, ("table", "in [it]"): 17, ("table", "in [it]", "a"): 18, ("table", "in [it]", "x=y"): 19,
        ("many",): 20, ("many", "a"): 21,
    }  # fmt: skip


values = st.sampled_from(
    ["1", "true", '"#"', "'='", '"""\n[x]\n"""', "'''\n'\n'''", "[\n1, # ]\n]", '{ a = "]" }', '"\\""']
)
keys = st.sampled_from(["{}", '"{} = #"', "'[{}]'", "p{}.q", '"\\"{}"'])


@given(st.lists(st.tuples(keys, values, st.sampled_from(["", " # = [", "\n", "\n# x = 1"])), max_size=12))
def test_keys_are_found_on_the_line_they_are_on(rows: list[tuple[str, str, str]]) -> None:
    text, expected = "", {}
    for number, (key, value, after) in enumerate(rows):
        written = key.format(number)
        path = tuple(_path(tomllib.loads(f"{written} = 0")))
        expected[path] = text.count("\n") + 1
        text += f"{written} = {value}{after}\n"
    tomllib.loads(text)
    found = key_lines(text)
    assert {path: found[path] for path in expected} == expected


def _path(data: object) -> list[str]:
    if not isinstance(data, dict):
        return []
    ((name, inner),) = data.items()
    return [name, *_path(inner)]


def test_an_error_is_about_the_nearest_key_with_a_line(tmp_path: Path) -> None:
    file = TomlFile(write(tmp_path / "x.toml", "a = 1\n[b]\nc = { d = [1] }\n"))
    assert str(file.error("no", "b", "c", "d", 0)) == f"{tmp_path}/x.toml, line 3: no"
    assert str(file.error("no", "b", "x")) == f"{tmp_path}/x.toml, line 2: no"
    assert str(file.error("no", "x")) == f"{tmp_path}/x.toml: no"
    with pytest.raises(UserError, match=r"x\.toml, line 1: no"), file.located_errors():
        raise FieldError("no", "a")


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert TomlFile(file).data == {"a": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb = [1,\n", ": Invalid value (at end of document)"),
        ("a = 1\r\nb = yes\r\n", ", line 2: invalid value in 'b = yes'; text must be in quotes"),
        ("a = 1\na = 2\n", ", line 2: 'a = 2' defines a key for the second time"),
        ("a = 2s\n", ", line 1: expected newline or end of document after a statement in 'a = 2s'; text must be in quotes"),
        ("[a\n", ", line 1: expected ']' at the end of a table declaration in '[a'"),
    ],
)  # fmt: skip
def test_a_syntax_error_names_the_line_and_shows_it(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(text.encode())
    assert refusal(lambda: TomlFile(file)) == f"{file}{message}"
