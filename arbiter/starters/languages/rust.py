"""Starters in Rust."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Structure, Type
from arbiter.starters.languages.base import SourceWriter
from arbiter.starters.languages.code import POSTFIX, snake_case

_INPUT = """
/// Standard input, word by word.
#[derive(Default)]
struct Input {
    words: VecDeque<String>,
}

impl Input {
    /// Waits for the next word; returns false at the end of the input.
    fn more(&mut self) -> bool {
        while self.words.is_empty() {
            let mut line = String::new();
            if io::stdin().read_line(&mut line).expect("the input can be read") == 0 {
                return false;
            }
            self.words = line.split_whitespace().map(String::from).collect();
        }
        true
    }

    fn word(&mut self) -> String {
        self.more();
        self.words.pop_front().expect("the input ends between turns")
    }

    fn number(&mut self) -> i32 {
        self.word().parse().expect("a whole number")
    }
"""
_LINE = """
    fn line(&mut self) -> String {
        self.more();
        Vec::from(std::mem::take(&mut self.words)).join(" ")
    }
"""
_LIST = """
    /// Reads that many items.
    fn list<T>(&mut self, count: i32, item: impl Fn(&mut Input) -> T) -> Vec<T> {
        (0..count).map(|_| item(self)).collect()
    }
"""
_COUNTED = """
    /// Reads the number of items, then the items.
    fn counted<T>(&mut self, item: impl Fn(&mut Input) -> T) -> Vec<T> {
        let count = self.number();
        self.list(count, item)
    }
"""
_ITEMS = """
    /// Reads a word that consists of items; `none` stands for no items.
    fn items<T>(&mut self, separator: char, none: &str, item: impl Fn(&str) -> T) -> Vec<T> {
        let word = self.word();
        if word == none {
            return Vec::new();
        }
        word.split(separator).map(item).collect()
    }
"""
_ANSWER = """
fn answer(text: &str) {
    println!("{text}");
    io::stdout().flush().expect("the answer can be written");
}
"""


class Rust(SourceWriter):
    """Writes starters in Rust."""

    key, title, file = "rust", "Rust", "agent.rs"
    build = "rustc -O --edition 2021 -o agent agent.rs"
    run = "./agent"
    install = "apt install rustc"
    json_file = "json.rs"
    products = ("agent",)
    if_head = "if {0}"
    types = {"int": "i32", "number": "f64", "bool": "bool", "text": "String"}  # noqa: RUF012
    list_type = "Vec<{0}>"
    structure_head = "#[derive(Default)]\nstruct {0}"
    choose_head = "fn choose({1}: &{0}) -> String"
    about = "/// {0}"
    row_brackets = ("[", "]")
    table_head, table_end = "#[rustfmt::skip]\nconst {0}: [[i32; {1}]; {2}] = [", "];"
    range_head = "for {0} in 0..{1}"
    print_error = "eprintln!({0});"

    def program(self, wire: Description, title: str) -> str:
        words = wire.format == "words"
        uses = ["use std::collections::VecDeque;", "use std::io::{self, Write};"]
        if not words:
            uses = ["mod json;", "", "use json::Json;", "use std::io::{self, BufRead, Write};"]
        parts = [
            f"//! An agent for {title}.\n#![allow(dead_code)] // not every field is used yet",
            "\n".join(uses),
            *(self.structure(each) for each in wire.structures.values()),
            *(self.table(each) for each in wire.tables),
            self.choose(wire),
            *(self._words(wire) if words else self._json(wire)),
        ]
        return "\n".join(part.strip("\n") + "\n" for part in parts)

    def declared(self, field: Field) -> str:
        return f"{field.name}: {self.type(field.type)},"

    # Words

    def _words(self, wire: Description) -> list[str]:
        kinds = [each.type for structure in wire.structures.values() for each in structure.fields if each.type.depth]
        counted = any(not kind.separator and not kind.count for kind in kinds)
        helpers = _LINE if wire.uses("line") else ""
        helpers += _LIST if counted or any(kind.count for kind in kinds) else ""
        helpers += (_COUNTED if counted else "") + (_ITEMS if wire.has_split_words() else "")
        parts = [_INPUT + helpers + "}", _ANSWER]
        parts += self.reading_functions(wire)
        name, root = wire.parameter, wire.root.name
        main = ["let mut input = Input::default();", f"let mut {name} = {root}::default();"]
        if wire.start:
            main += self.condition("input.more()", [f"read_start(&mut input, &mut {name});"])
        loop = [f"read_turn(&mut input, &mut {name});", f"answer(&choose(&{name}));"]
        main += self.block("while input.more()", loop)
        return [*parts, "\n".join(self.block("fn main()", main))]

    def unpacker(self, structure: Structure) -> str:
        body = [f"let mut parts = word.split('{structure.separator}');"]
        fields = []
        for each in structure.fields:
            part = 'parts.next().expect("another part")'
            part += '.parse().expect("a whole number")' if each.type.name == "int" else ".to_string()"
            fields.append(f"{each.name}: {part},")
        body += self.block(structure.name, fields)
        return "\n".join(self.block(f"fn unpack_{snake_case(structure.name)}(word: &str) -> {structure.name}", body))

    def reader(self, structure: Structure, wire: Description) -> str:
        fields = [f"{each.name}: {self._read(each, '')}," for each in structure.fields]
        head = f"fn read_{snake_case(structure.name)}(input: &mut Input) -> {structure.name}"
        return "\n".join(self.block(head, self.block(structure.name, fields)))

    def filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        body = [f"{name}.{each.name} = {self._read(each, f'{name}.')};" for each in fields]
        head = f"fn {function}(input: &mut Input, {name}: &mut {wire.root.name})"
        return "\n".join([f"/// {about}", *self.block(head, body)])

    def _read(self, each: Field, of: str) -> str:
        kind = each.type
        if kind.separator:
            item = {"int": '|item| item.parse().expect("a whole number")', "text": "|item| item.to_string()"}.get(
                kind.name, f"unpack_{snake_case(kind.name)}"
            )
            return f"input.items('{kind.separator}', {self.quoted(kind.none)}, {item})"
        method = {"int": "number", "text": "word", "line": "line"}.get(kind.name)
        if not kind.depth:
            return f"input.{method}()" if method else f"read_{snake_case(kind.name)}(input)"
        item = f"Input::{method}" if method else f"read_{snake_case(kind.name)}"
        count = self.count(kind, of)
        return f"input.list({count}, {item})" if count else f"input.counted({item})"

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root
        parts = [_ANSWER]
        parts += [self._json_reader(each) for each in wire.structures.values() if wire.turn or each is not root]
        body = ['let line = line.expect("the input can be read");']
        if wire.turn:
            body += [f"let {name} = read_{snake_case(root.name)}(&Json::parse(&line));"]
            body += self.condition(self.value(wire.stop), ["break;"]) if wire.stop else []
            main = self.block("for line in io::stdin().lock().lines()", [*body, f"answer(&choose(&{name}));"])
        else:
            arms = []
            for each in wire.messages:
                inside = [f"{name}.{each.field.name} = read_{snake_case(each.field.type.name)}(&message);"]
                inside += self.lines(each.then)
                inside += [f"answer(&choose(&{name}));"] if each.type == wire.answer else []
                arms += self.block(f"{self.quoted(each.type)} =>", inside)
            arms += ["_ => {} // ignore unknown messages"]
            body += ["let message = Json::parse(&line);", *self.block('match message.get("type").text()', arms)]
            main = [f"let mut {name} = {root.name}::default();"]
            main += self.block("for line in io::stdin().lock().lines()", body)
        return [*parts, "\n".join(self.block("fn main()", main))]

    def _json_reader(self, structure: Structure) -> str:
        fields = []
        for each in structure.fields:
            got = f"json.get({self.quoted(each.key)})"
            if each.type.depth and each.type.name[0].isupper():
                fields.append(f"{each.name}: {got}.items().iter().map(read_{snake_case(each.type.name)}).collect(),")
            elif each.type.depth:
                fields.append(
                    f"{each.name}: {got}.items().iter().map(|item| {self._converted(each.type, 'item')}).collect(),"
                )
            else:
                fields.append(f"{each.name}: {self._converted(each.type, got)},")
        head = f"fn read_{snake_case(structure.name)}(json: &Json) -> {structure.name}"
        return "\n".join(self.block(head, self.block(structure.name, fields)))

    def _converted(self, kind: Type, got: str) -> str:
        simple = {
            "int": f"{got}.number() as i32", "number": f"{got}.number()", "bool": f"{got}.truth()",
            "text": f"{got}.text().to_string()",
        }  # fmt: skip
        return simple.get(kind.name, f"read_{snake_case(kind.name)}({got})")

    # Expressions and statements

    def index(self, of: nodes.Expression, at: nodes.Expression) -> str:
        return f"{self.value(of, POSTFIX)}[{self._place(at)}]"

    def _place(self, at: nodes.Expression) -> str:
        return self.value(at) if isinstance(at, nodes.Literal) else f"{self.value(at, 7)} as usize"

    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"&{self.value(of, POSTFIX)}[{self._place(start)}..{self._place(start)} + {length}]"

    def call(self, function: str, arguments: Sequence[nodes.Expression]) -> str:
        first = self.value(arguments[0], POSTFIX)
        if function == "len":
            return f"({first}.len() as i32)"
        return f"{first}.{function}({', '.join(map(self.value, arguments[1:]))})"

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        return f"format!({self._layout(parts)})"

    def _layout(self, parts: Sequence[str | nodes.Expression]) -> str:
        layout = "".join(
            part.replace("{", "{{").replace("}", "}}") if isinstance(part, str) else "{}" for part in parts
        )
        values = (self._shown(part) for part in parts if not isinstance(part, str))
        return ", ".join([self.quoted(layout), *values])

    def _shown(self, part: nodes.Expression) -> str:
        """Write a value to be formatted, without parentheses that the compiler would warn about."""
        text = self.value(part)
        return text[1:-1] if isinstance(part, nodes.Call) and part.function == "len" else text

    def declare(self, node: nodes.Declare) -> list[str]:
        name, value = node.name, self.value(node.value)
        if name.builder:
            value = "String::new()" if value == '""' else f"String::from({value})"
        elif name.type.is_text and not isinstance(node.value, nodes.Literal | nodes.Name | nodes.Slice):
            value = f"{value}.as_str()"
        elif name.pointer:
            value = f"&{value}"
        return [f"let {'mut ' if node.changes else ''}{name.name} = {value};"]

    def change(self, node: nodes.Change) -> str:
        owned = isinstance(node.value, nodes.Format | nodes.Attribute | nodes.Index)
        borrowed = "&" if owned and node.target.type.is_text else ""
        return f"{self.value(node.target)} {node.operator} {borrowed}{self.value(node.value)};"

    def answer(self, value: nodes.Expression) -> list[str]:
        text = self.value(value)
        owned = text if isinstance(value, nodes.Format) else f"{text}.to_string()"
        return [f"return {owned};"]

    def for_each(self, node: nodes.ForEach) -> str:
        name, items = node.name, self.value(node.items)
        if name.type.is_text:
            return f"for {name.name} in {items}.iter().map(String::as_str)"
        return f"for {'' if name.pointer else '&'}{name.name} in &{items}"

    def kibitz(self, value: nodes.Expression) -> str:
        return f"eprintln!({self._layout(self.kibitz_line(value).parts)});"
