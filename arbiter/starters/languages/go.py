"""Starters in Go."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Structure
from arbiter.starters.languages.base import SourceWriter
from arbiter.starters.languages.code import POSTFIX, camel, pascal

_LINES = """
// Standard input, line by line.
var lines = newScanner()

func newScanner() *bufio.Scanner {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 1<<20)
	return scanner
}
"""
_WORDS = """
// Words left in the current line of the input.
var words []string

// more waits for the next word; it returns false at the end of the input.
func more() bool {
	for len(words) == 0 {
		if !lines.Scan() {
			return false
		}
		words = strings.Fields(lines.Text())
	}
	return true
}

func readWord() string {
	if !more() {
		panic("the input ends in the middle of a turn")
	}
	word := words[0]
	words = words[1:]
	return word
}

func toNumber(word string) int {
	number, err := strconv.Atoi(word)
	if err != nil {
		panic(err)
	}
	return number
}

func readNumber() int {
	return toNumber(readWord())
}
"""
_REST = """
func readLine() string {
	more()
	line := strings.Join(words, " ")
	words = nil
	return line
}
"""
_ITEMS = """
// readItems reads a word that consists of items; none stands for no items.
func readItems(separator, none string) []string {
	word := readWord()
	if word == none {
		return nil
	}
	return strings.Split(word, separator)
}
"""
_HELPERS = {
    "abs": "func abs(number int) int {\n\tif number < 0 {\n\t\treturn -number\n\t}\n\treturn number\n}",
    "min": "func min(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}",
    "max": "func max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}",
}


class Go(SourceWriter):
    """Writes starters in Go."""

    key, title, file = "go", "Go", "agent.go"
    read_start, read_turn = "readStart", "readTurn"
    build = "go build -o agent agent.go"
    run = "./agent"
    install = "apt install golang-go"
    products = ("agent",)
    if_head = "if {0}"
    tab = "\t"
    end = ""
    types = {"int": "int", "number": "float64", "bool": "bool", "text": "string"}  # noqa: RUF012
    list_type = "[]{0}"
    choose_head = "func choose({1} *{0}) string"
    table_head, table_end = "var {0} = [][]int{{", "}"
    range_head, each_head = "for {0} := 0; {0} < {1}; {0}++", "for _, {0} := range {1}"
    length = "len({0})"

    def local(self, name: str) -> str:
        return camel(name)

    def field(self, name: str) -> str:
        return pascal(name)

    def table_name(self, name: str) -> str:
        return camel(name.lower())

    def program(self, wire: Description, title: str) -> str:
        words = wire.format == "words"
        packages = [
            "bufio",
            *([] if words else ["encoding/json"]),
            "fmt",
            "os",
            *(["strconv", "strings"] if words else []),
        ]
        imports = ["import (", *self.indented(f'"{each}"' for each in packages), ")"]
        choose = self.choose(wire, "choose chooses the answer.")
        parts = [
            f"// An agent for {title}.\npackage main",
            "\n".join(imports),
            *(self._structure(each, words) for each in wire.structures.values()),
            *(self.table(each) for each in wire.tables),
            choose,
            *(text for name, text in _HELPERS.items() if f"{name}(" in choose),
            _LINES,
            *(self._words(wire) if words else self._json(wire)),
        ]
        return "\n".join(part.strip("\n") + "\n" for part in parts)

    def _structure(self, structure: Structure, words: bool) -> str:
        wide = max(len(pascal(each.name)) for each in structure.fields)
        types = max(len(self.type(each.type)) for each in structure.fields)
        tags = max(len(each.key) for each in structure.fields)
        fields = []
        for each in structure.fields:
            tag = "" if words else f'`json:"{each.key}"` '.ljust(tags + 10)
            fields.append(f"{pascal(each.name):{wide}} {self.type(each.type):{types}} {tag}// {each.about}")
        return "\n".join(
            [f"// {structure.name}: {structure.about}", *self.block(f"type {structure.name} struct", fields)]
        )

    # Words

    def _words(self, wire: Description) -> list[str]:
        parts = [_WORDS]
        parts += [_REST] if wire.uses("line") else []
        parts += [_ITEMS] if wire.has_split_words() else []
        parts += self.reading_functions(wire)
        name = wire.parameter
        main = [f"{name} := &{wire.root.name}{{}}"]
        if wire.start:
            main += self.condition("more()", [f"readStart({name})"])
        main += self.block("for more()", [f"readTurn({name})", f"fmt.Println(choose({name}))"])
        return [*parts, "\n".join(self.block("func main()", main))]

    def unpacker(self, structure: Structure) -> str:
        body = [f"parts := strings.Split(word, {self.quoted(structure.separator)})"]
        values = ", ".join(
            f"{pascal(each.name)}: " + (f"toNumber(parts[{number}])" if each.type.name == "int" else f"parts[{number}]")
            for number, each in enumerate(structure.fields)
        )
        head = f"func unpack{structure.name}(word string) {structure.name}"
        return "\n".join(self.block(head, [*body, f"return {structure.name}{{{values}}}"]))

    def reader(self, structure: Structure, wire: Description) -> str:
        name = structure.name[0].lower() + structure.name[1:]
        body = [f"var {name} {structure.name}", *(line for each in structure.fields for line in self._read(each, name))]
        return "\n".join(self.block(f"func read{structure.name}() {structure.name}", [*body, f"return {name}"]))

    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        body = [line for each in fields for line in self._read(each, name)]
        return "\n".join(
            [
                f"// {function} {about[0].lower()}{about[1:]}",
                *self.block(f"func {function}({name} *{wire.root.name})", body),
            ]
        )

    def _read(self, each: Field, of: str) -> list[str]:
        kind, place = each.type, f"{of}.{pascal(each.name)}"
        if kind.separator:
            item = {"int": "toNumber(item)", "text": "item"}.get(kind.name, f"unpack{kind.name}(item)")
            split = f"readItems({self.quoted(kind.separator)}, {self.quoted(kind.none)})"
            loop = self.block(f"for _, item := range {split}", [f"{place} = append({place}, {item})"])
            return [f"{place} = nil", *loop]
        one = {"int": "readNumber()", "text": "readWord()", "line": "readLine()"}.get(kind.name, f"read{kind.name}()")
        if not kind.depth:
            return [f"{place} = {one}"]
        made = f"{place} = make({self.type(kind)}, {self.count(kind, f'{of}.') or 'readNumber()'})"
        return [made, *self.block(f"for i := range {place}", [f"{place}[i] = {one}"])]

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root
        failed = ["if err := json.Unmarshal(lines.Bytes(), {0}); err != nil {{", "\tpanic(err)", "}"]
        if wire.turn:
            body = [f"{name} := &{root.name}{{}}", *(line.format(name) if line != "}" else line for line in failed)]
            body += self.condition(self.value(wire.stop), ["break"]) if wire.stop else []
            return [
                "\n".join(
                    self.block("func main()", self.block("for lines.Scan()", [*body, f"fmt.Println(choose({name}))"]))
                )
            ]
        read = "// read parses the current line.\nfunc read(message any) {\n\tif err := json.Unmarshal(lines.Bytes(), message); err != nil {\n\t\tpanic(err)\n\t}\n}"
        cases = []
        for each in wire.messages:
            place = f"{name}.{pascal(each.field.name)}"
            inside = [f"{place} = {each.field.type.name}{{}}", f"read(&{place})", *self.lines(each.then)]
            inside += [f"fmt.Println(choose({name}))"] if each.type == wire.answer else []
            cases += [f"case {self.quoted(each.type)}:", *self.indented(inside)]
        body = ["var message struct {", '\tType string `json:"type"`', "}", "read(&message)"]
        loop = self.block("for lines.Scan()", [*body, "switch message.Type {", *cases, "}"])
        return [read, "\n".join(self.block("func main()", [f"{name} := &{root.name}{{}}", *loop]))]

    # Expressions and statements

    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, POSTFIX)}[{self.value(start)}:{self.value(start, 5)}+{length}]"

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        return f"fmt.Sprintf({self._layout(parts)})"

    def _layout(self, parts: Sequence[str | nodes.Expression], end: str = "") -> str:
        layout = "".join(part.replace("%", "%%") if isinstance(part, str) else "%v" for part in parts)
        return ", ".join(
            [self.quoted(layout + end), *(self.value(part) for part in parts if not isinstance(part, str))]
        )

    def declare(self, node: nodes.Declare) -> list[str]:
        return [f"{self.local(node.name.name)} := {self.value(node.value)}"]

    def change(self, node: nodes.Change) -> str:
        if node.value == nodes.Literal(1, node.value.type):
            return f"{self.value(node.target)}{'++' if node.operator == '+=' else '--'}"
        return super().change(node)

    def kibitz(self, value: nodes.Expression) -> str:
        parts = self.kibitz_line(value).parts
        if all(isinstance(part, str) for part in parts):
            return f"fmt.Fprintln(os.Stderr, {self.quoted(''.join(map(str, parts)))})"
        end = "\n"
        return f"fmt.Fprintf(os.Stderr, {self._layout(parts, end)})"
