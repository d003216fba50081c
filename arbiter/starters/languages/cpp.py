"""Starters in C++."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Structure, Type
from arbiter.starters.languages.base import SourceWriter
from arbiter.starters.languages.code import POSTFIX, snake_case

_EMPTY = {"int": " = 0", "number": " = 0", "bool": " = false"}

_TEXT = """
// Concatenates strings and numbers.
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    out.precision(15);
    (out << ... << parts);
    return out.str();
}
"""
_READ = """
template <class T>
T read() {
    T value{};
    std::cin >> value;
    return value;
}

// Waits for the next word; returns false at the end of the input.
bool more() {
    std::cin >> std::ws;
    return std::cin.good();
}
"""
_LINE = """
std::string read_line() {
    std::string line;
    std::getline(std::cin >> std::ws, line);
    return line;
}
"""
_ITEMS = """
// Splits a string into its items; `none` stands for no items.
std::vector<std::string> items(const std::string& text, char separator, const std::string& none = "") {
    std::vector<std::string> found;
    std::istringstream in(text == none ? "" : text);
    for (std::string item; std::getline(in, item, separator);) {
        found.push_back(item);
    }
    return found;
}
"""


class Cpp(SourceWriter):
    """Writes starters in C++."""

    key, title, file = "cpp", "C++", "agent.cpp"
    build = "g++ -O2 -std=c++17 -Wall -o agent agent.cpp"
    run = "./agent"
    install = "apt install g++"
    json_file = "json.hpp"
    products = ("agent",)
    types = {"int": "int", "number": "double", "bool": "bool", "text": "std::string"}  # noqa: RUF012
    list_type = "std::vector<{0}>"
    choose_head = "std::string choose(const {0}& {1})"
    table_head = "const std::vector<std::vector<int>> {0} = {{"
    range_head = "for (int {0} = 0; {0} < {1}; ++{0})"
    length, math = "int({0}.size())", "std::"

    def program(self, wire: Description, title: str) -> str:
        words = wire.format == "words"
        headers = ["algorithm", "cstdlib", "iostream", "sstream", "string", "vector"]
        includes = [f"#include <{each}>" for each in headers] + ([] if words else ["", '#include "json.hpp"'])
        parts = [
            f"// An agent for {title}.",
            "\n".join(includes),
            *(self.structure(each) for each in wire.structures.values()),
            *(self.table(each) for each in wire.tables),
            _TEXT,
            self.choose(wire),
            *(self._words(wire) if words else self._json(wire)),
        ]
        return "\n".join(part.strip("\n") + "\n" for part in parts)

    def structure(self, structure: Structure) -> str:
        return super().structure(structure) + ";"

    def declared(self, field: Field) -> str:
        return f"{self.type(field.type)} {field.name}{'' if field.type.depth else _EMPTY.get(field.type.name, '')};"

    # Words

    def _words(self, wire: Description) -> list[str]:
        parts = [_READ]
        parts += [_LINE] if wire.uses("line") else []
        parts += [_ITEMS] if wire.has_split_words() else []
        parts += self.reading_functions(wire)
        name = wire.parameter
        main = [f"{wire.root.name} {name};"]
        if wire.start:
            main += self.condition("more()", [f"read_start({name});"])
        main += self.block("while (more())", [f"read_turn({name});", f"std::cout << choose({name}) << std::endl;"])
        return [*parts, "\n".join(self.block("int main()", ["std::ios::sync_with_stdio(false);", *main]))]

    def unpacker(self, structure: Structure) -> str:
        body = [
            f"const auto parts = items(word, '{structure.separator}');",
            f"{structure.name} {snake_case(structure.name)};",
        ]
        for number, each in enumerate(structure.fields):
            value = f"std::stoi(parts.at({number}))" if each.type.name == "int" else f"parts.at({number})"
            body.append(f"{snake_case(structure.name)}.{each.name} = {value};")
        head = f"{structure.name} unpack_{snake_case(structure.name)}(const std::string& word)"
        return "\n".join(self.block(head, [*body, f"return {snake_case(structure.name)};"]))

    def reader(self, structure: Structure, wire: Description) -> str:
        name = snake_case(structure.name)
        body = [line for each in structure.fields for line in self._read(each, name)]
        head = f"{structure.name} read_{name}()"
        return "\n".join(self.block(head, [f"{structure.name} {name};", *body, f"return {name};"]))

    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        body = [line for each in fields for line in self._read(each, name)]
        return "\n".join([f"// {about}", *self.block(f"void {function}({wire.root.name}& {name})", body)])

    def _read(self, each: Field, of: str) -> list[str]:
        kind, place = each.type, f"{of}.{each.name}"
        if kind.separator:
            unpack = {"int": "std::stoi(item)", "text": "item"}.get(kind.name, f"unpack_{snake_case(kind.name)}(item)")
            split = f"items(read<std::string>(), '{kind.separator}', {self.quoted(kind.none)})"
            loop = self.block(f"for (const auto& item : {split})", [f"{place}.push_back({unpack});"])
            return [f"{place}.clear();", *loop]
        if kind.depth:
            resize = f"{place}.resize({self.count(kind, f'{of}.') or 'read<int>()'});"
            return [resize, *self.block(f"for (auto& item : {place})", [self._read_one(kind, "item")])]
        return [self._read_one(kind, place)]

    def _read_one(self, kind: Type, place: str) -> str:
        if kind.name == "line":
            return f"{place} = read_line();"
        return f"{place} = read_{snake_case(kind.name)}();" if kind.name[0].isupper() else f"std::cin >> {place};"

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root
        parts = [self._json_reader(each) for each in wire.structures.values() if wire.turn or each is not root]
        if wire.turn:
            body = [f"const {root.name} {name} = read_{snake_case(root.name)}(parse_json(line));"]
            body += self.condition(self.value(wire.stop), ["break;"]) if wire.stop else []
            body += [f"std::cout << choose({name}) << std::endl;"]
            main = self.block("for (std::string line; std::getline(std::cin, line);)", body)
        else:
            body = ["const Json message = parse_json(line);", 'const std::string& type = message["type"].text;']
            for number, each in enumerate(wire.messages):
                inside = [f"{name}.{each.field.name} = read_{snake_case(each.field.type.name)}(message);"]
                inside += self.lines(each.then)
                inside += [f"std::cout << choose({name}) << std::endl;"] if each.type == wire.answer else []
                lines = self.block(f"if (type == {self.quoted(each.type)})", inside)
                body = [*body[:-1], f"}} else {lines[0]}", *lines[1:]] if number else [*body, *lines]
            main = [f"{root.name} {name};", *self.block("for (std::string line; std::getline(std::cin, line);)", body)]
        return [*parts, "\n".join(self.block("int main()", main))]

    def _json_reader(self, structure: Structure) -> str:
        name = snake_case(structure.name)
        body = [f"{structure.name} {name};"]
        for each in structure.fields:
            body += self._from_json(each, f"{name}.{each.name}")
        head = f"{structure.name} read_{name}(const Json& json)"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def _from_json(self, each: Field, place: str) -> list[str]:
        kind, got = each.type, f"json[{self.quoted(each.key)}]"
        if kind.depth:
            return self.block(
                f"for (const Json& item : {got}.items)", [f"{place}.push_back({self._converted(kind, 'item')});"]
            )
        return [f"{place} = {self._converted(kind, got)};"]

    def _converted(self, kind: Type, got: str) -> str:
        simple = {"int": f"int({got}.number)", "number": f"{got}.number", "bool": f"{got}.truth", "text": f"{got}.text"}
        return simple.get(kind.name, f"read_{snake_case(kind.name)}({got})")

    # Expressions and statements

    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, POSTFIX)}.substr({self.value(start)}, {length})"

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        return f"text({', '.join(self.quoted(part) if isinstance(part, str) else self.value(part) for part in parts)})"

    def declare(self, node: nodes.Declare) -> list[str]:
        name, kind = node.name.name, node.name.type
        const = "" if node.changes else "const "
        return [f"{const}{self.type(kind)}{'&' if node.name.pointer else ''} {name} = {self.value(node.value)};"]

    def for_each(self, node: nodes.ForEach) -> str:
        kind = node.name.type
        by_value = kind.name in ("int", "number", "bool")
        return f"for ({'' if by_value else 'const '}{self.type(kind)}{'' if by_value else '&'} {node.name.name} : {self.value(node.items)})"

    def kibitz(self, value: nodes.Expression) -> str:
        parts = self.kibitz_line(value).parts
        shown = " << ".join(self.quoted(part) if isinstance(part, str) else self.value(part, 6) for part in parts)
        return f"std::cerr << {shown} << std::endl;"
