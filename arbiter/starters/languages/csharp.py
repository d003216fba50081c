"""Starters in C#."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description
from arbiter.starters.languages.classes import ClassLanguage
from arbiter.starters.languages.code import POSTFIX, pascal

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


class CSharp(ClassLanguage):
    """Writes starters in C#."""

    key, title, file = "csharp", "C#", "Agent.cs"
    read_start, read_turn = "ReadStart", "ReadTurn"
    build = "mcs -out:agent.exe {sources}"
    run = "mono agent.exe"
    install = "apt install mono-mcs mono-runtime"
    json_file = "Json.cs"
    products = ("agent.exe",)

    types = {"int": "int", "number": "double", "bool": "bool", "text": "string"}  # noqa: RUF012
    choose_head = "static string Choose({0} {1})"
    input_class, input_line, input_items = _INPUT, _LINE, _ITEMS
    source, parse_int, cast_int, public = "input", "int.Parse", "(int)", "public "
    print_answer = ("Console.WriteLine({0});", "Console.Out.Flush();")
    row_brackets = ("new[] { ", " }")
    table_head, each_head = "static readonly int[][] {0} =\n{{", "foreach ({2} {0} in {1})"
    length, print_error = "{0}.Length", "Console.Error.WriteLine({0});"
    main_head = "static void Main()"
    before_lines = "CultureInfo.CurrentCulture = CultureInfo.InvariantCulture; // decimal points in every locale"
    lines_loop = "for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())"
    structure_head, agent_head = "class {0}", "static class Agent"
    new = "var {1} = new {0}();"
    got, got_length, got_item = "{0}[{1}]", "{0}.Items.Count", "{0}.Items[i]"

    def field(self, name: str) -> str:
        return pascal(name)

    def table_name(self, name: str) -> str:
        return pascal(name.lower())

    def member(self, name: str) -> str:
        return name[0].upper() + name[1:]

    def block(self, head: str, body: Sequence[str]) -> list[str]:
        return [head, "{", *self.indented(body), "}"]

    def condition(self, test: str, body: Sequence[str], otherwise: Sequence[str] = ()) -> list[str]:
        return [*self.block(f"if ({test})", body), *(self.block("else", otherwise) if otherwise else [])]

    def imported(self, wire: Description) -> list[str]:
        words = ["System.Collections.Generic", "System.IO"]
        return [
            f"using {each};" for each in ["System", *(words if wire.format == "words" else ["System.Globalization"])]
        ]

    def split(self, word: str, separator: str) -> str:
        return f"{word}.Split({self.separator(separator)})"

    def separator(self, text: str) -> str:
        return f"'{text}'"

    # Expressions and statements

    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, POSTFIX)}.Substring({self.value(start)}, {length})"

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
