"""What Java and C# have in common: structures are classes, and a class ``Agent`` contains everything else."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Message, Structure, Type
from arbiter.starters.languages.base import SourceWriter
from arbiter.starters.languages.code import camel


class ClassLanguage(SourceWriter):
    """A language in which everything belongs to a class. Names are passed in Java's spelling."""

    math = "Math."
    input_class: ClassVar[str]
    input_line: ClassVar[str]
    input_items: ClassVar[str]
    """The class that reads words, without its closing brace, and its methods for lines and for lists in a word."""
    source: ClassVar[str]
    """The variable of that class."""
    parse_int: ClassVar[str]
    """The function that converts a word to a whole number."""
    throws: ClassVar[str] = ""
    """The ``throws`` clause of functions that read."""
    print_answer: ClassVar[tuple[str, ...]]
    """Statements that print and flush an answer, ``{0}``."""
    cast_int: ClassVar[str]
    """The cast of a JSON number to a whole number."""
    public: ClassVar[str] = ""
    """The modifier of a field."""
    default_case: ClassVar[tuple[str, ...]] = ()
    """The default case of the switch over messages."""

    main_head: ClassVar[str]
    """The head of the main function."""
    before_lines: ClassVar[str]
    lines_loop: ClassVar[str]
    """The head of the loop over the lines of the input, and the statement before it."""
    agent_head: ClassVar[str]
    """The head of the class that contains everything else."""
    new: ClassVar[str]
    """The declaration of a variable (``{1}``) with a new object of a class (``{0}``)."""
    got: ClassVar[str]
    """The value of a key (``{1}``) of a JSON object."""
    got_length: ClassVar[str]
    got_item: ClassVar[str]
    """The number of items of a JSON array, and the item ``i``."""

    @abstractmethod
    def member(self, name: str) -> str:
        """Write the name of a function or property."""

    @abstractmethod
    def imported(self, wire: Description) -> list[str]:
        """Return the lines at the top of the program."""

    @abstractmethod
    def separator(self, text: str) -> str:
        """Write a separator as the argument of methods that split words."""

    @abstractmethod
    def split(self, word: str, separator: str) -> str:
        """Write the call that splits a word."""

    # The program

    def local(self, name: str) -> str:
        return camel(name)

    def program(self, wire: Description, title: str) -> str:
        words = wire.format == "words"
        helpers = (self.input_line if wire.uses("line") else "") + (self.input_items if wire.has_split_words() else "")
        members = [
            *map(self.table, wire.tables),
            self.choose(wire),
            *(self._words(wire) if words else self._json(wire)),
        ]
        inside = "\n\n".join(members).splitlines()
        agent = [self.about.format(f"An agent for {title}."), *self.block(self.agent_head, inside)]
        parts = [
            "\n".join(self.imported(wire)),
            *(self.structure(each) for each in wire.structures.values()),
            *([self.input_class + helpers + "}"] if words else []),
            "\n".join(agent),
        ]
        return "\n".join(part.strip("\n") + "\n" for part in parts)

    def declared(self, field: Field) -> str:
        return self.public + super().declared(field)

    def _answer(self, name: str) -> list[str]:
        return [line.format(f"{self.member('choose')}({name})") for line in self.print_answer]

    # Words

    def _words(self, wire: Description) -> list[str]:
        parts = self.reading_functions(wire)
        name, source, more = wire.parameter, self.source, f"{self.source}.{self.member('more')}()"
        main = [self.new.format("Input", source), self.new.format(wire.root.name, name)]
        if wire.start:
            main += self.condition(more, [f"{self.read_start}({source}, {name});"])
        main += self.block(f"while ({more})", [f"{self.read_turn}({source}, {name});", *self._answer(name)])
        return [*parts, "\n".join(self.block(self.main_head, main))]

    def unpacker(self, structure: Structure) -> str:
        name, text = _variable(structure), self.types["text"]
        body = [f"{text}[] parts = {self.split('word', structure.separator)};", self.new.format(structure.name, name)]
        for number, each in enumerate(structure.fields):
            value = f"{self.parse_int}(parts[{number}])" if each.type.name == "int" else f"parts[{number}]"
            body.append(f"{name}.{self.field(each.name)} = {value};")
        head = f"static {structure.name} {self.member(f'unpack{structure.name}')}({text} word)"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def reader(self, structure: Structure, wire: Description) -> str:
        name = _variable(structure)
        body = [self.new.format(structure.name, name)]
        body += [line for each in structure.fields for line in self._read(each, name)]
        head = f"static {structure.name} {self.member(f'read{structure.name}')}(Input {self.source}){self.throws}"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        body = [line for each in fields for line in self._read(each, name)]
        head = f"static void {function}(Input {self.source}, {wire.root.name} {name}){self.throws}"
        return "\n".join([self.about.format(about), *self.block(head, body)])

    def _read(self, each: Field, of: str) -> list[str]:
        kind, place, key = each.type, f"{of}.{self.field(each.name)}", each.key
        methods = {"int": "number", "text": "word", "line": "line"}
        number = f"{self.source}.{self.member('number')}()"
        one = f"{self.member(f'read{kind.name}')}({self.source})"
        if kind.name in methods:
            one = f"{self.source}.{self.member(methods[kind.name])}()"
        if not kind.depth:
            return [f"{place} = {one};"]
        lines, length = [], self.count(kind, f"{of}.") or number
        if kind.separator:
            items = f"{self.member('items')}({self.separator(kind.separator)}, {self.quoted(kind.none)})"
            lines = [f"{self.types['text']}[] {key} = {self.source}.{items};"]
            length, item = f"{key}.{self.member('length')}", f"{key}[i]"
            unpacked = f"{self.member(f'unpack{kind.name}')}({item})"
            one = {"int": f"{self.parse_int}({item})", "text": item}.get(kind.name, unpacked)
        return [*lines, *self._filled(kind, place, length, one)]

    def _filled(self, kind: Type, place: str, length: str, item: str) -> list[str]:
        """Write an array of this length, and the loop that fills it."""
        loop = f"for (int i = 0; i < {place}.{self.member('length')}; i++)"
        return [f"{place} = new {self.type(kind.item)}[{length}];", *self.block(loop, [f"{place}[i] = {item};"])]

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root
        parts = [self._json_reader(each) for each in wire.structures.values() if wire.turn or each is not root]
        main, loop = [self.before_lines], self.lines_loop
        parse = f"Json.{self.member('parse')}(line)"
        if wire.turn:
            body = [f"{root.name} {name} = {self.member(f'read{root.name}')}({parse});"]
            body += self.condition(self.value(wire.stop), ["break;"]) if wire.stop else []
            main = [*main, *self.block(loop, [*body, *self._answer(name)])]
        else:
            cases = [line for each in wire.messages for line in self._case(each, wire)]
            kind = f"{self.got.format('message', self.quoted('type'))}.{self.member('text')}"
            switch = self.block(f"switch ({kind})", [*cases, *self.default_case])
            main = [*main, self.new.format(root.name, name), *self.block(loop, [f"Json message = {parse};", *switch])]
        return [*parts, "\n".join(self.block(self.main_head, main))]

    def _case(self, message: Message, wire: Description) -> list[str]:
        name, kept = wire.parameter, message.field
        inside = [f"{name}.{self.field(kept.name)} = {self.member(f'read{kept.type.name}')}(message);"]
        inside += [*self.lines(message.then), *(self._answer(name) if message.type == wire.answer else []), "break;"]
        return [f"case {self.quoted(message.type)}:", *self.indented(inside)]

    def _json_reader(self, structure: Structure) -> str:
        name = _variable(structure)
        body = [self.new.format(structure.name, name)]
        for each in structure.fields:
            place, got = f"{name}.{self.field(each.name)}", self.got.format("json", self.quoted(each.key))
            if each.type.depth:
                item = self._converted(each.type, self.got_item.format(got))
                body += self._filled(each.type, place, self.got_length.format(got), item)
            else:
                body.append(f"{place} = {self._converted(each.type, got)};")
        head = f"static {structure.name} {self.member(f'read{structure.name}')}(Json json)"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def _converted(self, kind: Type, got: str) -> str:
        properties = {"int": "number", "number": "number", "bool": "truth", "text": "text"}
        if kind.name not in properties:
            return f"{self.member(f'read{kind.name}')}({got})"
        return f"{self.cast_int if kind.name == 'int' else ''}{got}.{self.member(properties[kind.name])}"

    # Expressions and statements

    def call(self, function: str, arguments: Sequence[nodes.Expression]) -> str:
        return super().call(function if function == "len" else self.member(function), arguments)

    def declare(self, node: nodes.Declare) -> list[str]:
        return [f"{self.type(node.name.type)} {self.local(node.name.name)} = {self.value(node.value)};"]


def _variable(structure: Structure) -> str:
    """``RoundStart`` as ``roundStart``."""
    return structure.name[0].lower() + structure.name[1:]
