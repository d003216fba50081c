"""What all programs have in common: structures, constant tables, the function that answers, readers of words.

The defaults suit languages with braces; a language overrides what it writes differently.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar

from arbiter.starters.description import ConstantTable, Description, Field, Structure, Type
from arbiter.starters.languages.code import CodeWriter

THINK = "==== THINK HERE ==== Everything you know is in {0}; return your answer."


class SourceWriter(CodeWriter):
    """Writes programs in one language."""

    key: ClassVar[str]
    """As typed on the command line."""
    title: ClassVar[str]
    file: ClassVar[str]
    """The name of the program's file."""
    run: ClassVar[str]
    build: ClassVar[str] = ""
    install: ClassVar[str]
    """What to do on Debian or Ubuntu if a tool is missing."""
    json_file: ClassVar[str] = ""
    """A file in starters/files that programs need to read JSON."""
    products: ClassVar[tuple[str, ...]] = ()
    """The files that a build creates, for .gitignore."""

    read_start, read_turn = "read_start", "read_turn"
    """Names of the functions that read what is sent once, and what is sent every turn."""
    about = "// {0}"
    """The comment in front of a class, function or constant."""
    row_brackets = ("{", "}")
    structure_head = "struct {0}"
    choose_head: ClassVar[str] = ""
    """The head of the function that answers, with a parameter ``{1}`` of the type ``{0}``."""
    table_head: ClassVar[str]
    table_end = "};"
    """Around a constant table: ``{0}`` is its name, ``{1}`` the length of a row, ``{2}`` the number of rows."""

    @property
    def tools(self) -> tuple[str, ...]:
        """The programs needed to build and run an agent."""
        first = (command.split()[0] for command in (self.build, self.run) if command)
        return tuple(dict.fromkeys(word for word in first if "/" not in word))

    @abstractmethod
    def program(self, wire: Description, title: str) -> str:
        """Return the source text of an agent."""

    # Pieces of programs

    def count(self, kind: Type, of: str) -> str:
        """Write the length of a list whose length is not sent; ``of`` is the prefix of the fields it depends on."""
        return " * ".join(each if each.isdigit() else of + self.field(each) for each in kind.count)

    def commented(self, fields: Iterable[tuple[str, str]]) -> list[str]:
        """Write fields, each with a comment, and align the comments."""
        pairs = list(fields)
        width = max(len(code) for code, _ in pairs)
        return [f"{code:{width}} {self.comment_line(about)}" for code, about in pairs]

    def structure(self, structure: Structure) -> str:
        """Write the declaration of a structure."""
        fields = self.commented((self.declared(each), each.about) for each in structure.fields)
        head = self.structure_head.format(structure.name)
        return "\n".join([self.about.format(structure.about), *self.block(head, fields)])

    def declared(self, field: Field) -> str:
        """Write the declaration of a field."""
        return f"{self.type(field.type)} {self.field(field.name)};"

    def choose(self, wire: Description, about: str = "Chooses the answer.") -> str:
        """Write the function that answers."""
        name = wire.parameter
        body = [self.comment_line(THINK.format(name)), "", *self.lines(wire.choose)]
        head = self.choose_head.format(wire.root.name, name)
        return "\n".join([self.about.format(about), *self.block(head, body)])

    def table(self, table: ConstantTable) -> str:
        """Write a constant table, several rows per line."""
        rows = [", ".join(map(str, row)).join(self.row_brackets) for row in table.rows]
        groups = (rows[start : start + table.per_line] for start in range(0, len(rows), table.per_line))
        head = self.table_head.format(self.table_name(table.name), max(map(len, table.rows)), len(rows))
        lines = self.indented(", ".join(group) + "," for group in groups)
        return "\n".join([self.about.format(table.about), head, *lines, self.table_end])

    # Programs that read words: a function for each structure, for what is sent once, and for a turn

    def reading_functions(self, wire: Description) -> list[str]:
        """Write the functions that read the input."""
        structures = [each for each in wire.structures.values() if each is not wire.root]
        parts = [self.unpacker(each) for each in structures if each.separator]
        parts += [self.reader(each, wire) for each in structures if not each.separator]
        if wire.start:
            about = "Reads what is sent once, before the first turn."
            parts.append(self.filler(self.read_start, about, wire, wire.start))
        parts.append(self.filler(self.read_turn, "Reads what is sent every turn.", wire, wire.turn))
        return parts

    @abstractmethod
    def unpacker(self, structure: Structure) -> str:
        """Write the function that makes a structure from a single word."""

    @abstractmethod
    def reader(self, structure: Structure, wire: Description) -> str:
        """Write the function that reads a structure word by word."""

    @abstractmethod
    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        """Write a function that reads fields of the whole position."""
