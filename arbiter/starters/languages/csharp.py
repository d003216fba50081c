"""Starters in C#."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description, Field, Structure, Type
from arbiter.starters.languages.base import POSTFIX, THINK, Language, camel, packed, pascal, sent

_TYPES = {"int": "int", "number": "double", "bool": "bool", "text": "string", "line": "string"}

_INPUT = """
// Standard input, word by word.
class Input
{
    readonly TextReader reader = Console.In;
    Queue<string> words = new Queue<string>();

    // Waits for the next word; returns false at the end of the input.
    public bool More()
    {
        while (words.Count == 0)
        {
            string line = reader.ReadLine();
            if (line == null)
            {
                return false;
            }
            words = new Queue<string>(line.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries));
        }
        return true;
    }

    public string Word()
    {
        if (!More())
        {
            throw new EndOfStreamException("the input ends in the middle of a turn");
        }
        return words.Dequeue();
    }

    public int Number()
    {
        return int.Parse(Word());
    }
"""
_LINE = """
    public string Line()
    {
        More();
        string line = string.Join(" ", words);
        words.Clear();
        return line;
    }
"""
_ITEMS = """
    // Reads a word that consists of items; none stands for no items.
    public string[] Items(char separator, string none)
    {
        string word = Word();
        return word == none ? new string[0] : word.Split(separator);
    }
"""
_INVARIANT = "CultureInfo.CurrentCulture = CultureInfo.InvariantCulture; // a decimal point, wherever this runs"


class CSharp(Language):
    """How C# is written."""

    key, title, file = "csharp", "C#", "Agent.cs"
    build = "mcs -out:agent.exe {sources}"
    run = "mono agent.exe"
    json_file = "Json.cs"
    products = ("agent.exe",)

    def local(self, name: str) -> str:
        return camel(name)

    def field(self, name: str) -> str:
        return pascal(name)

    def table_name(self, name: str) -> str:
        return pascal(name.lower())

    def block(self, head: str, body: Sequence[str]) -> list[str]:
        return [head, "{", *self.indented(body), "}"]

    def condition(self, test: str, body: Sequence[str], otherwise: Sequence[str] = ()) -> list[str]:
        return [*self.block(f"if ({test})", body), *(self.block("else", otherwise) if otherwise else [])]

    def program(self, wire: Description, title: str) -> str:
        words = wire.format == "words"
        helpers = (_LINE if wire.uses("line") else "") + (_ITEMS if wire.has_split_words() else "")
        members = [
            *(self._table(each.name, each.about, self.table_rows(each, "new[] { ", " }")) for each in wire.tables),
            self._choose(wire),
            *(self._words(wire) if words else self._json(wire)),
        ]
        namespaces = (
            ["System", "System.Collections.Generic", "System.IO"] if words else ["System", "System.Globalization"]
        )
        inside = "\n\n".join(members).splitlines()
        parts = [
            "\n".join(f"using {each};" for each in namespaces),
            *(self._structure(each) for each in wire.structures.values()),
            *([_INPUT + helpers + "}"] if words else []),
            "\n".join([f"// An agent for {title}.", *self.block("static class Agent", inside)]),
        ]
        return "\n".join(part.strip("\n") + "\n" for part in parts)

    def type(self, kind: Type) -> str:
        """Return the name of a type."""
        return _TYPES.get(kind.name, kind.name) + "[]" * kind.depth

    def _structure(self, structure: Structure) -> str:
        fields = self.commented(
            (f"public {self.type(each.type)} {pascal(each.name)};", each.about) for each in structure.fields
        )
        return "\n".join([f"// {structure.about}", *self.block(f"class {structure.name}", fields)])

    def _table(self, name: str, about: str, rows: list[str]) -> str:
        return "\n".join(
            [f"// {about}", f"static readonly int[][] {self.table_name(name)} =", "{", *self.indented(rows), "};"]
        )

    def _choose(self, wire: Description) -> str:
        name = wire.parameter
        body = [f"// {THINK.format(name)}", "", *self.lines(wire.choose)]
        return "\n".join(
            ["// Chooses the answer.", *self.block(f"static string Choose({wire.root.name} {name})", body)]
        )

    # Words

    def _words(self, wire: Description) -> list[str]:
        parts = [self._unpack(each) for each in packed(wire)]
        parts += [self._reader(each) for each in sent(wire)]
        name, root = wire.parameter, wire.root.name
        main = ["var input = new Input();", f"var {name} = new {root}();"]
        if wire.start:
            parts.append(self._filler("ReadStart", "Reads what is sent once, before the first turn.", wire, wire.start))
            main += self.condition("input.More()", [f"ReadStart(input, {name});"])
        parts.append(self._filler("ReadTurn", "Reads what is sent every turn.", wire, wire.turn))
        answer = [f"Console.WriteLine(Choose({name}));", "Console.Out.Flush();"]
        main += self.block("while (input.More())", [f"ReadTurn(input, {name});", *answer])
        return [*parts, "\n".join(self.block("static void Main()", main))]

    def _unpack(self, structure: Structure) -> str:
        name = structure.name[0].lower() + structure.name[1:]
        body = [f"string[] parts = word.Split('{structure.separator}');", f"var {name} = new {structure.name}();"]
        for number, each in enumerate(structure.fields):
            value = f"int.Parse(parts[{number}])" if each.type.name == "int" else f"parts[{number}]"
            body.append(f"{name}.{pascal(each.name)} = {value};")
        return "\n".join(
            self.block(f"static {structure.name} Unpack{structure.name}(string word)", [*body, f"return {name};"])
        )

    def _reader(self, structure: Structure) -> str:
        name = structure.name[0].lower() + structure.name[1:]
        body = [f"var {name} = new {structure.name}();"]
        body += [line for each in structure.fields for line in self._read(each, name)]
        head = f"static {structure.name} Read{structure.name}(Input input)"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def _filler(self, function: str, about: str, wire: Description, fields: Sequence[Field]) -> str:
        name = wire.parameter
        body = [line for each in fields for line in self._read(each, name)]
        head = f"static void {function}(Input input, {wire.root.name} {name})"
        return "\n".join([f"// {about}", *self.block(head, body)])

    def _read(self, each: Field, of: str) -> list[str]:
        kind, place = each.type, f"{of}.{pascal(each.name)}"
        one = {"int": "input.Number()", "text": "input.Word()", "line": "input.Line()"}.get(
            kind.name, f"Read{kind.name}(input)"
        )
        if not kind.depth:
            return [f"{place} = {one};"]
        lines, length = [], self.count(kind, f"{of}.") or "input.Number()"
        if kind.separator:
            lines = [f"string[] {each.key} = input.Items('{kind.separator}', {self.quoted(kind.none)});"]
            length, item = f"{each.key}.Length", f"{each.key}[i]"
            one = {"int": f"int.Parse({item})", "text": item}.get(kind.name, f"Unpack{kind.name}({item})")
        lines.append(f"{place} = new {self.type(kind.item)}[{length}];")
        return [*lines, *self.block(f"for (int i = 0; i < {place}.Length; i++)", [f"{place}[i] = {one};"])]

    # JSON

    def _json(self, wire: Description) -> list[str]:
        name, root = wire.parameter, wire.root
        parts = [self._json_reader(each) for each in wire.structures.values() if wire.turn or each is not root]
        answer = [f"Console.WriteLine(Choose({name}));", "Console.Out.Flush();"]
        main = [_INVARIANT]
        loop = "for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())"
        if wire.turn:
            body = [f"{root.name} {name} = Read{root.name}(Json.Parse(line));"]
            body += self.condition(self.value(wire.stop), ["break;"]) if wire.stop else []
            main += self.block(loop, [*body, *answer])
        else:
            cases = []
            for each in wire.messages:
                inside = [f"{name}.{pascal(each.field.name)} = Read{each.field.type.name}(message);"]
                inside += [*self.lines(each.then), *(answer if each.type == wire.answer else []), "break;"]
                cases += [f"case {self.quoted(each.type)}:", *self.indented(inside)]
            main += [f"var {name} = new {root.name}();"]
            switch = self.block('switch (message["type"].Text)', cases)
            main += self.block(loop, ["Json message = Json.Parse(line);", *switch])
        return [*parts, "\n".join(self.block("static void Main()", main))]

    def _json_reader(self, structure: Structure) -> str:
        name = structure.name[0].lower() + structure.name[1:]
        body = [f"var {name} = new {structure.name}();"]
        for each in structure.fields:
            place, got = f"{name}.{pascal(each.name)}", f"json[{self.quoted(each.key)}]"
            if each.type.depth:
                body.append(f"{place} = new {self.type(each.type.item)}[{got}.Items.Count];")
                item = self._converted(each.type, f"{got}.Items[i]")
                body += self.block(f"for (int i = 0; i < {place}.Length; i++)", [f"{place}[i] = {item};"])
            else:
                body.append(f"{place} = {self._converted(each.type, got)};")
        head = f"static {structure.name} Read{structure.name}(Json json)"
        return "\n".join(self.block(head, [*body, f"return {name};"]))

    def _converted(self, kind: Type, got: str) -> str:
        simple = {"int": f"(int){got}.Number", "number": f"{got}.Number", "bool": f"{got}.Truth", "text": f"{got}.Text"}
        return simple.get(kind.name, f"Read{kind.name}({got})")

    # Expressions and statements

    def part(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, POSTFIX)}.Substring({self.value(start)}, {length})"

    def call(self, function: str, arguments: Sequence[nodes.Expression]) -> str:
        if function == "len":
            return f"{self.value(arguments[0], POSTFIX)}.Length"
        return f"Math.{function.capitalize()}({', '.join(map(self.value, arguments))})"

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        if all(isinstance(part, str) for part in parts):
            return self.quoted("".join(map(str, parts)))
        written = (
            self.quoted(part)[1:-1].replace("{", "{{").replace("}", "}}")
            if isinstance(part, str)
            else f"{{{self.value(part)}}}"
            for part in parts
        )
        return f'$"{"".join(written)}"'

    def declare(self, node: nodes.Declare) -> list[str]:
        return [f"{self.type(node.name.type)} {self.local(node.name.name)} = {self.value(node.value)};"]

    def each(self, node: nodes.ForEach) -> str:
        return f"foreach ({self.type(node.name.type)} {self.local(node.name.name)} in {self.value(node.items)})"

    def counting(self, node: nodes.ForRange) -> str:
        name = self.local(node.name.name)
        return f"for (int {name} = 0; {name} < {self.value(node.stop, 5)}; {name}++)"

    def kibitz(self, value: nodes.Expression) -> str:
        return f"Console.Error.WriteLine({self.format(self.spoken(value).parts)});"
