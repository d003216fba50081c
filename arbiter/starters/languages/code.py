"""What all languages have in common: names, expressions with as few parentheses as needed, blocks of statements.

The defaults suit languages with braces; a language overrides what it writes differently.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from arbiter.starters import nodes
from arbiter.starters.description import Type

LEVELS = {
    "or": 1, "and": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "//": 6, "%": 6,
}  # fmt: skip
UNARY, POSTFIX = 7, 8


def camel(name: str) -> str:
    """``mine_count`` as ``mineCount``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def pascal(name: str) -> str:
    """``mine_count`` as ``MineCount``."""
    return "".join(word.capitalize() for word in name.split("_"))


def snake_case(name: str) -> str:
    """``RoundStart`` as ``round_start``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class CodeWriter(ABC):
    """Writes expressions and statements in one language."""

    tab = "    "
    comment = "//"
    operators: Mapping[str, str] = {"and": "&&", "or": "||", "//": "/"}
    negation = "!"
    if_head = "if ({0})"
    end = ";"
    """The end of a statement."""
    true, false = "true", "false"
    types: ClassVar[Mapping[str, str]]
    """The names of the types ``int``, ``number``, ``bool`` and ``text``."""
    list_type = "{0}[]"
    range_head = "for (int {0} = 0; {0} < {1}; {0}++)"
    each_head: ClassVar[str] = ""
    """The heads of loops over numbers, and over a list (``{1}``) of items of a type (``{2}``)."""
    length, math = "{0}.length", ""
    """The length of a list, and what precedes ``abs``, ``min`` and ``max``."""
    print_error: ClassVar[str] = ""
    """The statement that prints a formatted string on standard error."""

    # Names

    def local(self, name: str) -> str:
        """Return the name of a variable."""
        return name

    def field(self, name: str) -> str:
        """Return the name of a field."""
        return name

    def table_name(self, name: str) -> str:
        """Return the name of a constant table."""
        return name

    # Expressions

    def value(self, node: nodes.Expression, level: int = 0) -> str:
        """Write an expression, in parentheses if its precedence is lower than ``level``."""
        text, own = self._text_and_level(node)
        return f"({text})" if own < level else text

    def _text_and_level(self, node: nodes.Expression) -> tuple[str, int]:
        match node:
            case nodes.Literal(bool(value)):
                return self.true if value else self.false, POSTFIX
            case nodes.Literal(int(value) | float(value)):
                return str(value), POSTFIX if value >= 0 else UNARY
            case nodes.Literal(value):
                return self.quoted(str(value)), POSTFIX
            case nodes.Name(name):
                return self.local(name), POSTFIX
            case nodes.Constant(name):
                return self.table_name(name), POSTFIX
            case nodes.Attribute(of, name):
                return self.attribute(of, name), POSTFIX
            case nodes.Index(of, at):
                return self.index(of, at), POSTFIX
            case nodes.Slice(of, start, length):
                return self.substring(of, start, length), POSTFIX
            case nodes.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case nodes.Not(value):
                return f"{self.negation}{self.value(value, UNARY)}", UNARY
            case nodes.Call(function, arguments):
                return self.call(function, arguments), POSTFIX
            case nodes.Format(parts):
                return self.format(parts), 5

    def quoted(self, text: str) -> str:
        """Write a string literal."""
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'

    def attribute(self, of: nodes.Expression, name: str) -> str:
        """Write a field of a structure."""
        return f"{self.value(of, POSTFIX)}.{self.field(name)}"

    def index(self, of: nodes.Expression, at: nodes.Expression) -> str:
        """Write an item of a list."""
        return f"{self.value(of, POSTFIX)}[{self.value(at)}]"

    def type(self, kind: Type) -> str:
        """Return the name of a type."""
        name = self.types.get("text" if kind.name == "line" else kind.name, kind.name)
        for _ in range(kind.depth):
            name = self.list_type.format(name)
        return name

    @abstractmethod
    def substring(self, of: nodes.Expression, start: nodes.Expression, length: int) -> str:
        """Write a substring."""

    def binary(self, operator: str, left: nodes.Expression, right: nodes.Expression) -> tuple[str, int]:
        """Write an operation; return its text and precedence."""
        if left.type.is_text and operator in ("==", "!="):
            return self.compare_strings(operator, left, right)
        return self._operation(operator, left, right)

    def compare_strings(self, operator: str, left: nodes.Expression, right: nodes.Expression) -> tuple[str, int]:
        """Write a comparison of two strings."""
        return self._operation(operator, left, right)

    def _operation(self, operator: str, left: nodes.Expression, right: nodes.Expression) -> tuple[str, int]:
        level = LEVELS[operator]
        return (
            f"{self.value(left, level)} {self.operators.get(operator, operator)} {self.value(right, level + 1)}",
            level,
        )

    def call(self, function: str, arguments: Sequence[nodes.Expression]) -> str:
        """Write ``len``, ``abs``, ``min`` or ``max``."""
        if function == "len":
            return self.length.format(self.value(arguments[0], POSTFIX))
        return f"{self.math}{function}({', '.join(map(self.value, arguments))})"

    @abstractmethod
    def format(self, parts: Sequence[str | nodes.Expression]) -> str:
        """Write a formatted string."""

    def concatenated(self, parts: Sequence[str | nodes.Expression]) -> str:
        """Write a formatted string as a concatenation with ``+``, which must start with a string."""
        texts = parts if parts and isinstance(parts[0], str) else ["", *parts]
        return " + ".join(self.quoted(part) if isinstance(part, str) else self.value(part, 6) for part in texts)

    # Statements

    def lines(self, statements: Iterable[nodes.Statement]) -> list[str]:
        """Write statements, without indentation."""
        return [line for statement in statements for line in self._statement(statement)]

    def _statement(self, node: nodes.Statement) -> list[str]:
        match node:
            case nodes.Comment(text):
                return [self.comment_line(text)]
            case nodes.Declare():
                return self.declare(node)
            case nodes.Assign(target, value):
                return [self.assign(target, value)]
            case nodes.Change():
                return [self.change(node)]
            case nodes.ForEach():
                return self.block(self.for_each(node), self.lines(node.body))
            case nodes.ForRange():
                return self.block(self.for_range(node), self.lines(node.body))
            case nodes.If(condition, body, otherwise):
                return self.condition(self.value(condition), self.lines(body), self.lines(otherwise))
            case nodes.Return(value):
                return self.answer(value)
            case nodes.Kibitz(value):
                return [self.kibitz(value)]

    def block(self, head: str, body: Sequence[str]) -> list[str]:
        """Write a block with its body in braces."""
        return [f"{head} {{", *self.indented(body), "}"]

    def condition(self, test: str, body: Sequence[str], otherwise: Sequence[str] = ()) -> list[str]:
        """Write ``if`` with a body and, unless it is empty, ``else`` with another."""
        lines = self.block(self.if_head.format(test), body)
        return [*lines[:-1], *self.block("} else", otherwise)] if otherwise else lines

    def indented(self, lines: Iterable[str], depth: int = 1) -> list[str]:
        """Indent lines."""
        return [self.tab * depth + line if line else "" for line in lines]

    @abstractmethod
    def declare(self, node: nodes.Declare) -> list[str]:
        """Write the declaration of a variable."""

    def assign(self, target: nodes.Expression, value: nodes.Expression) -> str:
        """Write an assignment to a variable or field."""
        return f"{self.value(target)} = {self.value(value)}{self.end}"

    def change(self, node: nodes.Change) -> str:
        """Write ``+=`` or ``-=``."""
        return f"{self.value(node.target)} {node.operator} {self.value(node.value)}{self.end}"

    def for_each(self, node: nodes.ForEach) -> str:
        """Write the head of a loop over a list."""
        kind = self.type(node.name.type) if "{2}" in self.each_head else ""
        return self.each_head.format(self.local(node.name.name), self.value(node.items), kind)

    def for_range(self, node: nodes.ForRange) -> str:
        """Write the head of a loop over numbers."""
        return self.range_head.format(self.local(node.name.name), self.value(node.stop, 5))

    def answer(self, value: nodes.Expression) -> list[str]:
        """Write the statement that returns the answer."""
        return [f"return {self.value(value)}{self.end}"]

    def kibitz(self, value: nodes.Expression) -> str:
        """Write the statement that prints a kibitz line."""
        return self.print_error.format(self.format(self.kibitz_line(value).parts))

    def kibitz_line(self, value: nodes.Expression) -> nodes.Format:
        """Return a remark with the prefix of kibitz lines."""
        match value:
            case nodes.Format(parts):
                first = parts[0] if isinstance(parts[0], str) else ""
                return nodes.Format((f"kibitz {first}", *(parts[1:] if first else parts)), value.type)
            case nodes.Literal(text):
                return nodes.Format((f"kibitz {text}",), value.type)
        return nodes.Format(("kibitz ", value), value.type)

    def comment_line(self, text: str) -> str:
        """Write a comment."""
        return f"{self.comment} {text}"
