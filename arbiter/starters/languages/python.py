"""Starters in Python."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Structure, Type
from arbiter.starters.languages.base import THINK, SourceWriter
from arbiter.starters.languages.code import snake_case

_EMPTY = {"int": "0", "number": "0", "bool": "False", "text": '""', "line": '""'}

_INPUT = '''
class Input:
    """Standard input, word by word."""

    def __init__(self) -> None:
        self.words: list[str] = []  # the rest of the current line, last word first

    def more(self) -> bool:
        """Wait for the next word; return False at the end of the input."""
        while not self.words:
            line = sys.stdin.readline()
            if not line:
                return False
            self.words = line.split()[::-1]
        return True

    def word(self) -> str:
        """Read a word."""
        if not self.more():
            raise EOFError("the input ends in the middle of a turn")
        return self.words.pop()

    def number(self) -> int:
        """Read a whole number."""
        return int(self.word())
'''
_LINE = '''
    def line(self) -> str:
        """Read the rest of a line."""
        words = [self.word(), *reversed(self.words)]
        self.words = []
        return " ".join(words)
'''
_ITEMS = '''

def items(word: str, separator: str, none: str) -> list[str]:
    """Split a word into its items; `none` stands for no items."""
    return [] if word == none else word.split(separator)
'''


class Python(SourceWriter):
    """Writes starters in Python."""

    key, title, file = "python", "Python", "agent.py"
    run = "python3 agent.py"
    install = "apt install python3"
    comment = "#"
    operators = {}  # noqa: RUF012
    negation = "not "
    end = ""
    true, false = "True", "False"
    types = {"int": "int", "number": "float", "bool": "bool", "text": "str"}  # noqa: RUF012
    list_type = "list[{0}]"
    about = "\n# {0}"
    row_brackets = ("[", "]")
    table_head, table_end = "# fmt: off\n{0} = [", "]\n# fmt: on\n"
    range_head, each_head = "for {0} in range({1})", "for {0} in {1}"
    length = "len({0})"
    print_error = "print({0}, file=sys.stderr)"

    def program(self, wire: Description, title: str) -> str:
        words = wire.format == "words"
        imports = ["import sys"] if words else ["import json", "import sys"]
        imports += [f"from dataclasses import dataclass{', field' if self._needs_field(wire) else ''}"]
        imports += [] if words else ["from typing import Any"]
        parts = [
            f'#!/usr/bin/env python3\n"""An agent for {title}."""\n\nfrom __future__ import annotations\n',
            "\n".join(imports) + "\n",
            *(self.structure(each) for each in wire.structures.values()),
            *(self.table(each) for each in wire.tables),
            self.choose(wire),
            *(self._words(wire) if words else self._json(wire)),
            '\nif __name__ == "__main__":\n    main()\n',
        ]
        return "\n".join(parts)

    def _needs_field(self, wire: Description) -> bool:
        fields = [each for structure in wire.structures.values() for each in structure.fields]
        return any(each.type.depth or each.type.is_structure for each in fields)

    def structure(self, structure: Structure) -> str:
        lines = ["", "@dataclass", f"class {structure.name}:", f'    """{structure.about}"""', ""]
        fields = (
            f"    {each.name}: {self.type(each.type)} = {self._empty(each.type)}  # {each.about}"
            for each in structure.fields
        )
        return "\n".join([*lines, *fields]) + "\n"

    def _empty(self, kind: Type) -> str:
        if kind.depth:
            return "field(default_factory=list)"
        return _EMPTY.get(kind.name) or f"field(default_factory={kind.name})"

    def choose(self, wire: Description, about: str = "Choose the answer.") -> str:
        name = wire.parameter
        head = [
            f"def choose({name}: {wire.root.name}) -> str:",
            f'    """{about}"""',
            f"    # {THINK.format(name)}",
            "",
        ]
        return "\n".join(["", *head, *self.indented(self.lines(wire.choose))]) + "\n"

    # Words

    def _words(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root.name
        parts = [_INPUT + (_LINE if wire.uses("line") else "") + (_ITEMS if wire.has_split_words() else "")]
        parts += self.reading_functions(wire)
        main = ["", "def main() -> None:", "    source = Input()", f"    {name} = {root}()"]
        if wire.start:
            main += ["    if source.more():", f"        read_start(source, {name})"]
        main += ["    while source.more():", f"        read_turn(source, {name})"]
        main += [f"        print(choose({name}), flush=True)"]
        return [*parts, "\n".join(main) + "\n"]

    def unpacker(self, structure: Structure) -> str:
        names = ", ".join(each.name for each in structure.fields)
        values = ", ".join(f"int({each.name})" if each.type.name == "int" else each.name for each in structure.fields)
        head = f"def unpack_{snake_case(structure.name)}(word: str) -> {structure.name}:"
        body = [
            f"    {names} = word.split({self.quoted(structure.separator)})",
            f"    return {structure.name}({values})",
        ]
        return "\n".join(["", head, *body]) + "\n"

    def reader(self, structure: Structure, wire: Description) -> str:
        name = snake_case(structure.name)
        lines = ["", f"def read_{name}(source: Input) -> {structure.name}:", f"    {name} = {structure.name}()"]
        lines += [f"    {name}.{each.name} = {self._read(each, name)}" for each in structure.fields]
        return "\n".join([*lines, f"    return {name}"]) + "\n"

    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        lines = [
            "",
            f"def {function}(source: Input, {name}: {wire.root.name}) -> None:",
            f'    """{about.replace("Reads", "Read", 1)}"""',
        ]
        lines += [f"    {name}.{each.name} = {self._read(each, name)}" for each in fields]
        return "\n".join(lines) + "\n"

    def _read(self, each: Field, of: str) -> str:
        kind = each.type
        if kind.separator:
            split = f"items(source.word(), {self.quoted(kind.separator)}, {self.quoted(kind.none)})"
            unpack = {"int": "int", "text": ""}.get(kind.name, f"unpack_{snake_case(kind.name)}")
            return f"[{unpack}(item) for item in {split}]" if unpack else split
        one = {"int": "source.number()", "text": "source.word()", "line": "source.line()"}.get(
            kind.name, f"read_{snake_case(kind.name)}(source)"
        )
        if not kind.depth:
            return one
        return f"[{one} for _ in range({self.count(kind, f'{of}.') or 'source.number()'})]"

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root
        parts = [self._json_reader(each) for each in wire.structures.values() if wire.turn or each is not root]
        main = ["", "def main() -> None:"]
        if wire.turn:
            main += ["    for line in sys.stdin:", f"        {name} = read_{snake_case(root.name)}(json.loads(line))"]
            main += [f"        if {self.value(wire.stop)}:", "            break"] if wire.stop else []
            main += [f"        print(choose({name}), flush=True)"]
        else:
            main += [f"    {name} = {root.name}()", "    for line in sys.stdin:", "        message = json.loads(line)"]
            for number, each in enumerate(wire.messages):
                main.append(f'        {"elif" if number else "if"} message["type"] == {self.quoted(each.type)}:')
                main.append(f"            {name}.{each.field.name} = read_{snake_case(each.field.type.name)}(message)")
                main += self.indented(self.lines(each.then), 3)
                main += [f"            print(choose({name}), flush=True)"] if each.type == wire.answer else []
        return [*parts, "\n".join(main) + "\n"]

    def _json_reader(self, structure: Structure) -> str:
        lines = ["", f"def read_{snake_case(structure.name)}(data: dict[str, Any]) -> {structure.name}:"]
        lines += [f"    return {structure.name}("]
        lines += [f"        {each.name}={self._from_json(each)}," for each in structure.fields]
        return "\n".join([*lines, "    )"]) + "\n"

    def _from_json(self, each: Field) -> str:
        kind = each.type
        got = f"data[{self.quoted(each.key)}]"
        if kind.optional:
            return f"data.get({self.quoted(each.key)}, {_EMPTY.get(kind.name, '{}')})"
        if kind.name[0].isupper():
            read = f"read_{snake_case(kind.name)}"
            return f"[{read}(item) for item in {got}]" if kind.depth else f"{read}({got})"
        return got

    # Expressions and statements

    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, 8)}[{self.value(start)} : {self.value(start, 5)} + {length}]"

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        texts = [part if isinstance(part, str) else "" for part in parts]
        quote = "'" if any('"' in text for text in texts) else '"'
        if all(isinstance(part, str) for part in parts):
            return f"{quote}{''.join(texts)}{quote}"
        written = (
            part.replace("{", "{{").replace("}", "}}") if isinstance(part, str) else f"{{{self.value(part)}}}"
            for part in parts
        )
        return f"f{quote}{''.join(written)}{quote}"

    def block(self, head: str, body: Sequence[str]) -> list[str]:
        return [f"{head}:", *self.indented(body)]

    def condition(self, test: str, body: Sequence[str], otherwise: Sequence[str] = ()) -> list[str]:
        return [*self.block(f"if {test}", body), *(self.block("else", otherwise) if otherwise else [])]

    def declare(self, node: nodes.Declare) -> list[str]:
        return [f"{node.name.name} = {self.value(node.value)}"]
