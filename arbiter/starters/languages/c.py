"""Starters in C."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Structure, Type
from arbiter.starters.languages import c_pieces
from arbiter.starters.languages.base import THINK, SourceWriter
from arbiter.starters.languages.code import POSTFIX, snake_case

_SHOWN = {"int": "%d", "number": "%.15g", "text": "%s", "line": "%s"}


class C(SourceWriter):
    """Writes starters in C."""

    key, title, file = "c", "C", "agent.c"
    build = "gcc -O2 -std=gnu17 -Wall -o agent agent.c"
    run = "./agent"
    install = "apt install gcc"
    json_file = "json.h"
    products = ("agent",)
    types = {"int": "int", "number": "double", "bool": "bool", "text": "const char *"}  # noqa: RUF012
    list_type = "{0}"
    about = "/* {0} */"
    table_head = "static const int {0}[][{1}] = {{"

    def program(self, wire: Description, title: str) -> str:
        words = wire.format == "words"
        choose = self.choose(wire)
        appends = "append(" in choose
        headers = ["ctype", *(["stdarg"] if appends else []), "stdbool", "stdio", "stdlib", "string"]
        includes = [f"#include <{each}.h>" for each in headers] + ([] if words else ["", '#include "json.h"'])
        fields = [each.type for structure in wire.structures.values() for each in structure.fields]
        texts = any(kind.name in ("text", "line") and not kind.separator for kind in fields)
        parts = [
            f"/* An agent for {title}. */",
            "\n".join(includes),
            "enum { ANSWER_SIZE = 4096 };",
            *(self.structure(each) for each in wire.structures.values()),
            *(self.table(each) for each in wire.tables),
            *([c_pieces.APPEND] if appends else []),
            choose,
            c_pieces.MEMORY + (c_pieces.COPY if texts else ""),
            *(self._words(wire) if words else self._json(wire)),
        ]
        return "\n".join(part.strip("\n") + "\n" for part in parts)

    def comment_line(self, text: str) -> str:
        return f"/* {text} */"

    def type(self, kind: Type) -> str:
        """Return a type as written in front of a name."""
        found = super().type(kind)
        return found if found.endswith("*") else f"{found} "

    def structure(self, structure: Structure) -> str:
        fields = []
        for each in structure.fields:
            fields.append((f"{self.type(each.type)}{'*' if each.type.depth else ''}{each.name};", each.about))
            fields += [(f"int {each.name}_count;", f"length of {each.name}")] if each.type.depth else []
        lines = self.block("typedef struct", self.commented(fields))
        return "\n".join([f"/* {structure.about} */", *lines[:-1], f"}} {structure.name};"])

    def choose(self, wire: Description, about: str = "Chooses the answer.") -> str:
        name = wire.parameter
        think = THINK.format(name).replace("return your answer", "write your answer to `answer`")
        body = [f"/* {think} */", "", *self.lines(wire.choose)]
        if body[-1] == "return;":
            body.pop()
        head = f"static void choose(const {wire.root.name} *{name}, char answer[ANSWER_SIZE])"
        return "\n".join([self.about.format(about), *self.block(head, body)])

    # Words

    def _words(self, wire: Description) -> list[str]:
        fields = [each.type for structure in wire.structures.values() for each in structure.fields]
        parts = [c_pieces.WORDS]
        parts += [c_pieces.WORD] if any(kind.name == "text" or kind.separator for kind in fields) else []
        parts += [c_pieces.LINE] if wire.uses("line") else []
        parts += [c_pieces.ITEMS] if wire.has_split_words() else []
        parts += [c_pieces.ITEM_TEXT] if any(kind.separator and kind.name == "text" for kind in fields) else []
        parts += self.reading_functions(wire)
        name = wire.parameter
        main = [f"{wire.root.name} {name} = {{0}};", "Memory turn = {0};", "char answer[ANSWER_SIZE];"]
        if wire.start:
            main[1:1] = ["Memory start = {0};"]
            main += self.condition("more()", [f"read_start(&start, &{name});"])
        loop = ["release(&turn);", f"read_turn(&turn, &{name});", *self._print(f"&{name}")]
        main += self.block("while (more())", loop)
        main += ["release(&turn);", *(["release(&start);"] if wire.start else [])]
        return [*parts, "\n".join(self.block("int main(void)", main))]

    def _print(self, place: str) -> list[str]:
        return [f"choose({place}, answer);", "puts(answer);", "fflush(stdout);"]

    def unpacker(self, structure: Structure) -> str:
        name = snake_case(structure.name)
        body = [f"{structure.name} {name};"]
        for number, each in enumerate(structure.fields):
            body += [f"word = next_item(word, '{structure.separator}');"] if number else []
            body.append(f"{name}.{each.name} = atoi(word);")
        head = f"static {structure.name} unpack_{name}(const char *word)"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def reader(self, structure: Structure, wire: Description) -> str:
        name = snake_case(structure.name)
        body = [f"{structure.name} {name};"]
        body += [line for each in structure.fields for line in self._read(each, f"{name}.", wire)]
        takes = "Memory *memory" if self._keeps(structure) else "void"
        return "\n".join(self.block(f"static {structure.name} read_{name}({takes})", [*body, f"return {name};"]))

    def _keeps(self, structure: Structure) -> bool:
        """Return whether a field of the structure itself needs allocated memory."""
        return any(each.type.depth or each.type.name != "int" for each in structure.fields)

    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        body = [line for each in fields for line in self._read(each, f"{name}->", wire)]
        keeps = any(each.type.depth or each.type.name != "int" for each in fields)
        body = body if keeps else ["(void)memory;", *body]
        head = f"static void {function}(Memory *memory, {wire.root.name} *{name})"
        return "\n".join([f"/* {about} */", *self.block(head, body)])

    def _read(self, each: Field, of: str, wire: Description) -> list[str]:
        kind, place = each.type, f"{of}{each.name}"
        if not kind.depth:
            return [f"{place} = {self._read_one(kind, wire)};"]
        if kind.separator:
            return self._read_items(kind, place, each.name)
        lines = [f"{place}_count = {self.count(kind, of) or 'read_number()'};"]
        lines.append(f"{place} = keep(memory, {place}_count * sizeof *{place});")
        return [
            *lines,
            *self.block(f"for (int i = 0; i < {place}_count; i++)", [f"{place}[i] = {self._read_one(kind, wire)};"]),
        ]

    def _read_one(self, kind: Type, wire: Description) -> str:
        simple = {
            "int": "read_number()",
            "text": "keep_text(memory, read_word())",
            "line": "keep_text(memory, read_line())",
        }
        structure = wire.structures.get(kind.name)
        memory = "memory" if structure and self._keeps(structure) else ""
        return simple.get(kind.name, f"read_{snake_case(kind.name)}({memory})")

    def _read_items(self, kind: Type, place: str, name: str) -> list[str]:
        word = f"{name}_word"
        item = {"int": f"atoi({word})", "text": f"keep_item(memory, {word}, {self.quoted(kind.separator)})"}.get(
            kind.name, f"unpack_{snake_case(kind.name)}({word})"
        )
        lines = [f"const char *{word} = read_word();"]
        lines.append(f"{place}_count = count_items({word}, '{kind.separator}', {self.quoted(kind.none)});")
        lines.append(f"{place} = keep(memory, {place}_count * sizeof *{place});")
        loop = [f"{place}[i] = {item};", f"{word} = next_item({word}, '{kind.separator}');"]
        return [*lines, *self.block(f"for (int i = 0; i < {place}_count; i++)", loop)]

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root
        parts = [c_pieces.INPUT]
        parts += [self._json_reader(each) for each in wire.structures.values() if wire.turn or each is not root]
        main = [*([f"{root.name} {name} = {{0}};"] if wire.messages else [])]
        main += ["char *line = NULL;", "size_t size = 0;", "char answer[ANSWER_SIZE];"]
        if wire.turn:
            main += ["Memory turn = {0};"]
            body = ["Json *json = parse_json(line);", "release(&turn);"]
            body += [f"const {root.name} {name} = read_{snake_case(root.name)}(json, &turn);", "free_json(json);"]
            stop = self.value(wire.stop).replace(f"{name}->", f"{name}.", 1) if wire.stop else ""
            body += self.condition(stop, ["break;"]) if stop else []
            main += self.block("while (read_line(&line, &size))", [*body, *self._print(f"&{name}")])
            main += ["release(&turn);", "free(line);"]
        else:
            body = ["Json *message = parse_json(line);", 'const char *type = json_get(message, "type")->text;']
            for number, each in enumerate(wire.messages):
                memory = f"{each.field.name}_memory"
                main.append(f"Memory {memory} = {{0}};")
                inside = [f"release(&{memory});"]
                inside += [f"{name}.{each.field.name} = read_{snake_case(each.field.type.name)}(message, &{memory});"]
                inside += [line.replace(f"{name}->", f"{name}.") for line in self.lines(each.then)]
                inside += self._print(f"&{name}") if each.type == wire.answer else []
                lines = self.block(f"if (strcmp(type, {self.quoted(each.type)}) == 0)", inside)
                body = [*body[:-1], f"}} else {lines[0]}", *lines[1:]] if number else [*body, *lines]
            main += self.block("while (read_line(&line, &size))", [*body, "free_json(message);"])
            main += [*(f"release(&{each.field.name}_memory);" for each in wire.messages), "free(line);"]
        return [*parts, "\n".join(self.block("int main(void)", main))]

    def _json_reader(self, structure: Structure) -> str:
        name = snake_case(structure.name)
        body = [f"{structure.name} {name};"]
        for each in structure.fields:
            place, got = f"{name}.{each.name}", f"json_get(json, {self.quoted(each.key)})"
            if each.type.depth:
                body.append(f"const Json *{each.name} = {got};")
                body.append(f"{place}_count = {each.name}->count;")
                body.append(f"{place} = keep(memory, {place}_count * sizeof *{place});")
                body.append(f"const Json *{each.name}_item = {each.name}->first;")
                item = self._converted(each.type, f"{each.name}_item")
                step = f"{each.name}_item = {each.name}_item->next"
                body += self.block(f"for (int i = 0; i < {place}_count; i++, {step})", [f"{place}[i] = {item};"])
            else:
                body.append(f"{place} = {self._converted(each.type, got)};")
        unused = not any(
            each.type.depth or each.type.name not in ("int", "number", "bool") for each in structure.fields
        )
        body = ["(void)memory; /* numbers need none */", *body] if unused else body
        head = f"static {structure.name} read_{name}(const Json *json, Memory *memory)"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def _converted(self, kind: Type, got: str) -> str:
        simple = {
            "int": f"(int){got}->number", "number": f"{got}->number", "bool": f"{got}->truth",
            "text": f"keep_text(memory, {got}->text)",
        }  # fmt: skip
        return simple.get(kind.name, f"read_{snake_case(kind.name)}({got}, memory)")

    # Expressions and statements

    def attribute(self, of: nodes.Expression, name: str) -> str:
        arrow = "->" if isinstance(of, nodes.Name) and of.pointer else "."
        return f"{self.value(of, POSTFIX)}{arrow}{name}"

    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, 5)} + {self.value(start, 6)}"

    def compare_strings(self, operator: str, left: nodes.Expression, right: nodes.Expression) -> tuple[str, int]:
        cut = next((each.length for each in (left, right) if isinstance(each, nodes.Slice)), None)
        both = f"{self.value(left)}, {self.value(right)}"
        return f"strcmp({both}) {operator} 0" if cut is None else f"strncmp({both}, {cut}) {operator} 0", 3

    def call(self, function: str, arguments: Sequence[nodes.Expression]) -> str:
        values = [self.value(each) for each in arguments]
        if function == "len":
            return f"{values[0]}_count"
        if function == "abs":
            return f"abs({values[0]})"
        comparison = "<" if function == "min" else ">"
        return f"({values[0]} {comparison} {values[1]} ? {values[0]} : {values[1]})"

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        return self._layout(parts)

    def _layout(self, parts: Sequence[str | nodes.Expression], end: str = "") -> str:
        layout = "".join(part.replace("%", "%%") if isinstance(part, str) else _shown(part) for part in parts)
        return ", ".join(
            [self.quoted(layout + end), *(self.value(part) for part in parts if not isinstance(part, str))]
        )

    def declare(self, node: nodes.Declare) -> list[str]:
        name, value = node.name, self.value(node.value)
        if name.builder:
            return [f"char {name.name}[ANSWER_SIZE] = {value};"]
        if name.pointer:
            return [f"const {name.type.name} *{name.name} = &{value};"]
        return [f"{'' if node.changes or name.type.is_text else 'const '}{self.type(name.type)}{name.name} = {value};"]

    def change(self, node: nodes.Change) -> str:
        if node.target.type.is_text:
            parts = node.value.parts if isinstance(node.value, nodes.Format) else (node.value,)
            return f"append({self.value(node.target)}, {self._layout(parts)});"
        return super().change(node)

    def _statement(self, node: nodes.Statement) -> list[str]:
        if isinstance(node, nodes.ForEach):
            at, items = f"{node.name.name}_at", self.value(node.items)
            kind = self.type(node.name.type)
            const = "" if kind.startswith("const") else "const "
            star, address = ("*", "&") if node.name.pointer else ("", "")
            first = f"{const}{kind}{star}{node.name.name} = {address}{items}[{at}];"
            return self.block(self.for_each(node), [first, *self.lines(node.body)])
        return super()._statement(node)

    def for_each(self, node: nodes.ForEach) -> str:
        at = f"{node.name.name}_at"
        return f"for (int {at} = 0; {at} < {self.value(node.items)}_count; {at}++)"

    def answer(self, value: nodes.Expression) -> list[str]:
        parts = value.parts if isinstance(value, nodes.Format) else (value,)
        if isinstance(value, nodes.Literal):
            parts = (str(value.value),)
        return [f"snprintf(answer, ANSWER_SIZE, {self._layout(parts)});", "return;"]

    def kibitz(self, value: nodes.Expression) -> str:
        end = "\n"
        return f"fprintf(stderr, {self._layout(self.kibitz_line(value).parts, end)});"


def _shown(part: nodes.Expression) -> str:
    return f"%.{part.length}s" if isinstance(part, nodes.Slice) else _SHOWN[part.type.name]
