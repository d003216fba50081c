"""Starters in Java."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Structure, Type
from arbiter.starters.languages.base import POSTFIX, THINK, Language, camel, packed, sent

_TYPES = {"int": "int", "number": "double", "bool": "boolean", "text": "String", "line": "String"}

_INPUT = """
/** Standard input, word by word. */
final class Input {
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    private StringTokenizer words = new StringTokenizer("");

    /** Waits for the next word; returns false at the end of the input. */
    boolean more() throws IOException {
        while (!words.hasMoreTokens()) {
            String line = in.readLine();
            if (line == null) {
                return false;
            }
            words = new StringTokenizer(line);
        }
        return true;
    }

    String word() throws IOException {
        if (!more()) {
            throw new IOException("the input ends in the middle of a turn");
        }
        return words.nextToken();
    }

    int number() throws IOException {
        return Integer.parseInt(word());
    }
"""
_LINE = """
    String line() throws IOException {
        StringBuilder line = new StringBuilder(word());
        while (words.hasMoreTokens()) {
            line.append(' ').append(words.nextToken());
        }
        return line.toString();
    }
"""
_ITEMS = """
    /** Reads a word that consists of items; none stands for no items. */
    String[] items(String separator, String none) throws IOException {
        String word = word();
        return word.equals(none) ? new String[0] : word.split(Pattern.quote(separator));
    }
"""


class Java(Language):
    """How Java is written."""

    key, title, file = "java", "Java", "Agent.java"
    build = "javac -d classes Agent.java"
    run = "java -cp classes Agent"
    json_file = "Json.java"
    products = ("classes/",)

    def local(self, name: str) -> str:
        return camel(name)

    def field(self, name: str) -> str:
        return camel(name)

    def program(self, wire: Description, title: str) -> str:
        words = wire.format == "words"
        imports = ["java.io.BufferedReader", "java.io.IOException", "java.io.InputStreamReader"]
        imports += ["java.util.StringTokenizer"] if words else []
        imports += ["java.util.regex.Pattern"] if wire.has_split_words() else []
        helpers = (_LINE if wire.uses("line") else "") + (_ITEMS if wire.has_split_words() else "")
        members = [
            *(self._table(each.name, each.about, self.table_rows(each, "{", "}")) for each in wire.tables),
            self._choose(wire),
            *(self._words(wire) if words else self._json(wire)),
        ]
        inside = "\n\n".join(members).splitlines()
        parts = [
            "\n".join(f"import {each};" for each in imports),
            *(self._structure(each) for each in wire.structures.values()),
            *([_INPUT + helpers + "}"] if words else []),
            "\n".join([f"/** An agent for {title}. */", *self.block("public final class Agent", inside)]),
        ]
        return "\n".join(part.strip("\n") + "\n" for part in parts)

    def type(self, kind: Type) -> str:
        """Return the name of a type."""
        return _TYPES.get(kind.name, kind.name) + "[]" * kind.depth

    def _structure(self, structure: Structure) -> str:
        fields = self.commented((f"{self.type(each.type)} {each.key};", each.about) for each in structure.fields)
        return "\n".join([f"/** {structure.about} */", *self.block(f"final class {structure.name}", fields)])

    def _table(self, name: str, about: str, rows: list[str]) -> str:
        return "\n".join([f"/** {about} */", f"static final int[][] {name} = {{", *self.indented(rows), "};"])

    def _choose(self, wire: Description) -> str:
        name = wire.parameter
        body = [f"// {THINK.format(name)}", "", *self.lines(wire.choose)]
        head = f"static String choose({wire.root.name} {name})"
        return "\n".join(["/** Chooses the answer. */", *self.block(head, body)])

    # Words

    def _words(self, wire: Description) -> list[str]:
        parts = [self._unpack(each) for each in packed(wire)]
        parts += [self._reader(each) for each in sent(wire)]
        name, root = wire.parameter, wire.root.name
        main = ["Input in = new Input();", f"{root} {name} = new {root}();"]
        if wire.start:
            parts.append(self._filler("readStart", "Reads what is sent once, before the first turn.", wire, wire.start))
            main += self.condition("in.more()", [f"readStart(in, {name});"])
        parts.append(self._filler("readTurn", "Reads what is sent every turn.", wire, wire.turn))
        answer = [f"System.out.println(choose({name}));", "System.out.flush();"]
        main += self.block("while (in.more())", [f"readTurn(in, {name});", *answer])
        return [*parts, self._main(main)]

    def _main(self, body: Sequence[str]) -> str:
        return "\n".join(self.block("public static void main(String[] args) throws IOException", body))

    def _unpack(self, structure: Structure) -> str:
        name = camel(structure.name[0].lower() + structure.name[1:])
        body = [f"String[] parts = word.split(Pattern.quote({self.quoted(structure.separator)}));"]
        body += [f"{structure.name} {name} = new {structure.name}();"]
        for number, each in enumerate(structure.fields):
            value = f"Integer.parseInt(parts[{number}])" if each.type.name == "int" else f"parts[{number}]"
            body.append(f"{name}.{each.key} = {value};")
        return "\n".join(
            self.block(f"static {structure.name} unpack{structure.name}(String word)", [*body, f"return {name};"])
        )

    def _reader(self, structure: Structure) -> str:
        name = structure.name[0].lower() + structure.name[1:]
        body = [f"{structure.name} {name} = new {structure.name}();"]
        body += [line for each in structure.fields for line in self._read(each, name)]
        head = f"static {structure.name} read{structure.name}(Input in) throws IOException"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def _filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        body = [line for each in fields for line in self._read(each, name)]
        head = f"static void {function}(Input in, {wire.root.name} {name}) throws IOException"
        return "\n".join([f"/** {about} */", *self.block(head, body)])

    def _read(self, each: Field, of: str) -> list[str]:
        kind, place = each.type, f"{of}.{each.key}"
        one = {"int": "in.number()", "text": "in.word()", "line": "in.line()"}.get(kind.name, f"read{kind.name}(in)")
        if not kind.depth:
            return [f"{place} = {one};"]
        lines, length = [], self.count(kind, f"{of}.") or "in.number()"
        if kind.separator:
            lines = [f"String[] {each.key} = in.items({self.quoted(kind.separator)}, {self.quoted(kind.none)});"]
            length, item = f"{each.key}.length", f"{each.key}[i]"
            one = {"int": f"Integer.parseInt({item})", "text": item}.get(kind.name, f"unpack{kind.name}({item})")
        lines.append(f"{place} = new {self.type(kind.item)}[{length}];")
        return [*lines, *self.block(f"for (int i = 0; i < {place}.length; i++)", [f"{place}[i] = {one};"])]

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root
        parts = [self._json_reader(each) for each in wire.structures.values() if wire.turn or each is not root]
        answer = [f"System.out.println(choose({name}));", "System.out.flush();"]
        main = ["BufferedReader in = new BufferedReader(new InputStreamReader(System.in));"]
        loop = "for (String line = in.readLine(); line != null; line = in.readLine())"
        if wire.turn:
            body = [f"{root.name} {name} = read{root.name}(Json.parse(line));"]
            body += self.condition(self.value(wire.stop), ["break;"]) if wire.stop else []
            main += self.block(loop, [*body, *answer])
        else:
            cases = []
            for each in wire.messages:
                inside = [f"{name}.{self.field(each.field.name)} = read{each.field.type.name}(message);"]
                inside += [*self.lines(each.then), *(answer if each.type == wire.answer else []), "break;"]
                cases += [f"case {self.quoted(each.type)}:", *self.indented(inside)]
            cases += ["default:", *self.indented(["break; // ignore what we do not know"])]
            switch = self.block('switch (message.get("type").text)', cases)
            main += [f"{root.name} {name} = new {root.name}();"]
            main += self.block(loop, ["Json message = Json.parse(line);", *switch])
        return [*parts, self._main(main)]

    def _json_reader(self, structure: Structure) -> str:
        name = structure.name[0].lower() + structure.name[1:]
        body = [f"{structure.name} {name} = new {structure.name}();"]
        for each in structure.fields:
            place, got = f"{name}.{each.key}", f"json.get({self.quoted(each.key)})"
            if each.type.depth:
                body.append(f"{place} = new {self.type(each.type.item)}[{got}.items.size()];")
                item = self._converted(each.type, f"{got}.items.get(i)")
                body += self.block(f"for (int i = 0; i < {place}.length; i++)", [f"{place}[i] = {item};"])
            else:
                body.append(f"{place} = {self._converted(each.type, got)};")
        head = f"static {structure.name} read{structure.name}(Json json)"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def _converted(self, kind: Type, got: str) -> str:
        simple = {
            "int": f"(int) {got}.number",
            "number": f"{got}.number",
            "bool": f"{got}.truth",
            "text": f"{got}.text",
        }
        return simple.get(kind.name, f"read{kind.name}({got})")

    # Expressions and statements

    def part(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, POSTFIX)}.substring({self.value(start)}, {self.value(start, 5)} + {length})"

    def same_text(self, operator: str, left: nodes.Expression, right: nodes.Expression) -> tuple[str, int]:
        no = "" if operator == "==" else "!"
        return f"{no}{self.value(left, POSTFIX)}.equals({self.value(right)})", 7 if no else POSTFIX

    def call(self, function: str, arguments: Sequence[nodes.Expression]) -> str:
        if function == "len":
            return f"{self.value(arguments[0], POSTFIX)}.length"
        return f"Math.{function}({', '.join(map(self.value, arguments))})"

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        return self.joined(parts)

    def declare(self, node: nodes.Declare) -> list[str]:
        return [f"{self.type(node.name.type)} {self.local(node.name.name)} = {self.value(node.value)};"]

    def each(self, node: nodes.ForEach) -> str:
        return f"for ({self.type(node.name.type)} {self.local(node.name.name)} : {self.value(node.items)})"

    def counting(self, node: nodes.ForRange) -> str:
        name = self.local(node.name.name)
        return f"for (int {name} = 0; {name} < {self.value(node.stop, 5)}; {name}++)"

    def kibitz(self, value: nodes.Expression) -> str:
        return f"System.err.println({self.joined(self.spoken(value).parts)});"
