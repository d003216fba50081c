"""Starters in JavaScript and TypeScript: the same programs without and with types."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Structure
from arbiter.starters.languages.base import SourceWriter
from arbiter.starters.languages.code import POSTFIX, camel

_EMPTY = {"int": "0", "number": "0", "bool": "false", "text": '""'}

_LINES = """
// Standard input, line by line.
const buffer = new Uint8Array(65536);
const decoder = new TextDecoder();
let rest = "";
let lines{: string[]} = [];

/** Waits for the next line; returns undefined at the end of the input. */
function nextLine(){: string | undefined} {
  while (lines.length === 0) {
    const count = readSync(0, buffer);
    if (count === 0) return undefined;
    lines = (rest + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\\n");
    rest = lines.pop(){ as string};
  }
  return lines.shift();
}
"""
_WORDS = """
// Standard input, word by word.
let words{: string[]} = [];

/** Waits for the next word; returns false at the end of the input. */
function more(){: boolean} {
  while (words.length === 0) {
    const line = nextLine();
    if (line === undefined) return false;
    words = line.split(" ").filter((word) => word !== "");
  }
  return true;
}

function readWord(){: string} {
  if (!more()) throw new Error("the input ends in the middle of a turn");
  return words.shift(){ as string};
}

function readNumber(){: number} {
  return Number(readWord());
}
"""
_REST = """
function readLine(){: string} {
  const line = [readWord(), ...words].join(" ");
  words = [];
  return line;
}
"""
_LIST = """
function readList{<T>}(count{: number}, readItem{: () => T}){: T[]} {
  return Array.from({ length: count }, readItem);
}
"""
_ITEMS = """
/** Splits a word into its items; `none` stands for no items. */
function items(word{: string}, separator{: string}, none{: string}){: string[]} {
  return word === none ? [] : word.split(separator);
}
"""


class JavaScript(SourceWriter):
    """Writes starters in JavaScript."""

    key, title, file = "javascript", "JavaScript", "agent.mjs"
    read_start, read_turn = "readStart", "readTurn"
    run = "node agent.mjs"
    install = "apt install nodejs"
    tab = "  "
    operators = {"and": "&&", "or": "||", "==": "===", "!=": "!=="}  # noqa: RUF012
    typed = False
    types = {"int": "number", "number": "number", "bool": "boolean", "text": "string"}  # noqa: RUF012
    row_brackets = ("[", "]")
    table_head, table_end = "const {0} = [", "];"
    range_head, each_head = "for (let {0} = 0; {0} < {1}; {0}++)", "for (const {0} of {1})"
    choose_head = "function choose({1})"
    math = "Math."
    print_error = "console.error({0});"

    def local(self, name: str) -> str:
        return camel(name)

    def field(self, name: str) -> str:
        return camel(name)

    def program(self, wire: Description, title: str) -> str:
        parts = [
            f'// An agent for {title}.\nimport {{ readSync }} from "node:fs";\n',
            *(self.structure(each) for each in wire.structures.values()),
            *(self.table(each) for each in wire.tables),
            self.choose(wire),
            self._typed(_LINES),
            *(self._words(wire) if wire.format == "words" else self._json(wire)),
        ]
        return "\n".join(part.strip("\n") + "\n" for part in parts)

    def _typed(self, text: str) -> str:
        """Keep or remove the types, which are in braces that start with ``{:``, ``{<`` or ``{ as``."""
        out, at = "", 0
        while at < len(text):
            if text.startswith(("{:", "{<", "{ as "), at):
                end = text.index("}", at)
                out += text[at + 1 : end] if self.typed else ""
                at = end + 1
            else:
                out += text[at]
                at += 1
        return out

    def structure(self, structure: Structure) -> str:
        lines = ["/**", f" * {structure.about}", f" * @typedef {{object}} {structure.name}"]
        for each in structure.fields:
            name = f"[{each.key}]" if each.type.optional else each.key
            lines.append(f" * @property {{{self.type(each.type)}}} {name} {each.about}")
        return "\n".join([*lines, " */"])

    def choose(self, wire: Description, about: str = "Chooses the answer.") -> str:
        if self.typed:
            return super().choose(wire, about)
        lines = [
            "/**",
            f" * {about}",
            f" * @param {{{wire.root.name}}} {wire.parameter}",
            " * @returns {string}",
            " */",
        ]
        return "\n".join([*lines, *super().choose(wire).split("\n")[1:]])

    # Words

    def _words(self, wire: Description) -> list[str]:
        parts = [self._typed(_WORDS)]
        lists = any(each.type.depth for structure in wire.structures.values() for each in structure.fields)
        parts += [self._typed(_REST)] if wire.uses("line") else []
        parts += [self._typed(_LIST)] if lists else []
        parts += [self._typed(_ITEMS)] if wire.has_split_words() else []
        parts += self.reading_functions(wire)
        name, root = wire.parameter, wire.root.name
        main = [f"const {name} = {{}}{self._typed(f'{{ as {root}}}')};"]
        if wire.start:
            main.append(f"if (more()) readStart({name});")
        main += self.block("while (more())", [f"readTurn({name});", f"console.log(choose({name}));"])
        return [*parts, "\n".join(main)]

    def unpacker(self, structure: Structure) -> str:
        names = ", ".join(each.key for each in structure.fields)
        values = ", ".join(
            f"{each.key}: Number({each.key})" if each.type.name == "int" else each.key for each in structure.fields
        )
        head = (
            f"function unpack{structure.name}(word{self._typed('{: string}')}){self._typed(f'{{: {structure.name}}}')}"
        )
        body = [f"const [{names}] = word.split({self.quoted(structure.separator)});", f"return {{ {values} }};"]
        return "\n".join(self.block(head, body))

    def reader(self, structure: Structure, wire: Description) -> str:
        head = f"function read{structure.name}(){self._typed(f'{{: {structure.name}}}')}"
        body = ["return {", *self.indented(f"{each.key}: {self._read(each, '')}," for each in structure.fields), "};"]
        return "\n".join(self.block(head, body))

    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        body = [f"{name}.{each.key} = {self._read(each, f'{name}.')};" for each in fields]
        head = f"function {function}({name}{self._typed(f'{{: {wire.root.name}}}')}){self._typed('{: void}')}"
        return "\n".join([f"/** {about} */", *self.block(head, body)])

    def _read(self, each: Field, of: str) -> str:
        kind = each.type
        if kind.separator:
            split = f"items(readWord(), {self.quoted(kind.separator)}, {self.quoted(kind.none)})"
            unpack = {"int": "Number", "text": ""}.get(kind.name, f"unpack{kind.name}")
            return f"{split}.map({unpack})" if unpack else split
        one = {"int": "readNumber", "text": "readWord", "line": "readLine"}.get(kind.name, f"read{kind.name}")
        return f"readList({self.count(kind, of) or 'readNumber()'}, {one})" if kind.depth else f"{one}()"

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root.name
        cast = self._typed(f"{{ as {root}}}")
        if wire.turn:
            head = "for (let line = nextLine(); line !== undefined; line = nextLine())"
            body = [f"const {name} = JSON.parse(line){cast};"]
            body += [f"if ({self.value(wire.stop)}) break;"] if wire.stop else []
            return ["\n".join(self.block(head, [*body, f"console.log(choose({name}));"]))]
        empty = [f"{each.key}: {_EMPTY[each.type.name]}," for each in wire.root.fields if each.type.name in _EMPTY]
        main = [f"const {name} = {{", *self.indented(empty), f"}}{cast};"] if empty else [f"const {name} = {{}}{cast};"]
        cases = []
        for each in wire.messages:
            inside = [f"{name}.{self.field(each.field.name)} = message;", *self.lines(each.then)]
            inside += [f"console.log(choose({name}));"] if each.type == wire.answer else []
            cases += [f"case {self.quoted(each.type)}:", *self.indented([*inside, "break;"])]
        body = ["const message = JSON.parse(line);", *self.block("switch (message.type)", cases)]
        return [
            "\n".join([*main, *self.block("for (let line = nextLine(); line !== undefined; line = nextLine())", body)])
        ]

    # Expressions and statements

    def _text_and_level(self, node: nodes.Expression) -> tuple[str, int]:
        if isinstance(node, nodes.Attribute) and node.type.optional:
            return f"({self.attribute(node.of, node.name)} ?? {_EMPTY[node.type.name]})", POSTFIX
        return super()._text_and_level(node)

    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, POSTFIX)}.slice({self.value(start)}, {self.value(start, 5)} + {length})"

    def binary(self, operator: str, left: nodes.Expression, right: nodes.Expression) -> tuple[str, int]:
        if operator == "//":
            return f"Math.floor({self.value(left, 6)} / {self.value(right, 7)})", POSTFIX
        return super().binary(operator, left, right)

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        if all(isinstance(part, str) for part in parts):
            return self.quoted("".join(map(str, parts)))
        written = (
            part.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$")
            if isinstance(part, str)
            else f"${{{self.value(part)}}}"
            for part in parts
        )
        return f"`{''.join(written)}`"

    def declare(self, node: nodes.Declare) -> list[str]:
        return [f"{'let' if node.changes else 'const'} {self.local(node.name.name)} = {self.value(node.value)};"]


class TypeScript(JavaScript):
    """Writes starters in TypeScript."""

    key, title, file = "typescript", "TypeScript", "agent.mts"
    run = "node>=22.6 --experimental-strip-types --no-warnings agent.mts"
    install = "download it from nodejs.org"
    typed = True
    about = "/** {0} */"
    structure_head = "interface {0}"
    choose_head = "function choose({1}: {0}): string"
    table_head = "const {0}: number[][] = ["

    def structure(self, structure: Structure) -> str:
        return SourceWriter.structure(self, structure)

    def declared(self, field: Field) -> str:
        return f"{field.key}{'?' if field.type.optional else ''}: {self.type(field.type)};"
