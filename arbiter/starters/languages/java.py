"""Starters in Java."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.starters import nodes
from arbiter.starters.description import Description
from arbiter.starters.languages.classes import ClassLanguage
from arbiter.starters.languages.code import POSTFIX, camel

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


class Java(ClassLanguage):
    """Writes starters in Java."""

    key, title, file = "java", "Java", "Agent.java"
    read_start, read_turn = "readStart", "readTurn"
    build = "javac -d classes Agent.java"
    run = "java -cp classes Agent"
    install = "apt install default-jdk"
    json_file = "Json.java"
    products = ("classes/",)

    types = {"int": "int", "number": "double", "bool": "boolean", "text": "String"}  # noqa: RUF012
    choose_head = "static String choose({0} {1})"
    input_class, input_line, input_items = _INPUT, _LINE, _ITEMS
    source, parse_int, cast_int, throws = "in", "Integer.parseInt", "(int) ", " throws IOException"
    print_answer = ("System.out.println({0});", "System.out.flush();")
    table_head, each_head = "static final int[][] {0} = {{", "for ({2} {0} : {1})"
    print_error = "System.err.println({0});"
    main_head = "public static void main(String[] args) throws IOException"
    before_lines = "BufferedReader in = new BufferedReader(new InputStreamReader(System.in));"
    lines_loop = "for (String line = in.readLine(); line != null; line = in.readLine())"
    structure_head, agent_head = "final class {0}", "public final class Agent"
    about, new = "/** {0} */", "{0} {1} = new {0}();"
    got, got_length, got_item = "{0}.get({1})", "{0}.items.size()", "{0}.items.get(i)"
    default_case = ("default:", "    break; // ignore unknown messages")

    def field(self, name: str) -> str:
        return camel(name)

    def member(self, name: str) -> str:
        return name

    def imported(self, wire: Description) -> list[str]:
        classes = ["java.io.BufferedReader", "java.io.IOException", "java.io.InputStreamReader"]
        classes += ["java.util.StringTokenizer"] if wire.format == "words" else []
        classes += ["java.util.regex.Pattern"] if wire.has_split_words() else []
        return [f"import {each};" for each in classes]

    def split(self, word: str, separator: str) -> str:
        return f"{word}.split(Pattern.quote({self.quoted(separator)}))"

    def separator(self, text: str) -> str:
        return self.quoted(text)

    # Expressions and statements

    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        return f"{self.value(of, POSTFIX)}.substring({self.value(start)}, {self.value(start, 5)} + {length})"

    def compare_strings(self, operator: str, left: nodes.Expression, right: nodes.Expression) -> tuple[str, int]:
        no = "" if operator == "==" else "!"
        return f"{no}{self.value(left, POSTFIX)}.equals({self.value(right)})", 7 if no else POSTFIX

    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        return self.concatenated(parts)
