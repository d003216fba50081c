"""Translates the function that chooses an answer from a subset of Python to a typed syntax tree.

A string on its own is a comment. There are numbers, strings, booleans, structures and lists of them; assignments, ``if``,
``for … in LIST``, ``for … in range(N)``, ``return`` and ``kibitz(TEXT)``. Anything else is refused, with its line number.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from arbiter.errors import UserError
from arbiter.starters import nodes
from arbiter.starters.description import BOOL, INT, NUMBER, TEXT, Structure, Type

_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.And: "and", ast.Or: "or",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_ARGUMENTS = {"len": 1, "abs": 1, "min": 2, "max": 2}


class SubsetTranslator:
    """Translates the body of one function."""

    def __init__(self, structures: Mapping[str, Structure], tables: Mapping[str, Type], parameter: nodes.Name) -> None:
        self._structures = structures
        self._tables = tables
        self._names: dict[str, nodes.Name] = {parameter.name: parameter}
        self._changed: set[str] = set()
        self._appended: set[str] = set()

    def statements(self, text: str) -> tuple[nodes.Statement, ...]:
        """Return the nodes of a function body. Raises UserError with the line of what is not supported."""
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            raise UserError(f"line {error.lineno}: {error.msg}") from None
        self._find_changes(tree)
        return self._block(tree.body)

    def expression(self, text: str) -> nodes.Expression:
        """Return the node of a single expression."""
        try:
            return self._value(ast.parse(text, mode="eval").body)
        except SyntaxError as error:
            raise UserError(f"line {error.lineno}: {error.msg}") from None

    def _find_changes(self, tree: ast.AST) -> None:
        seen: set[str] = set()
        for each in ast.walk(tree):
            if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
                self._changed.add(each.target.id)
                if isinstance(each.value, ast.JoinedStr) or _is_text(each.value):
                    self._appended.add(each.target.id)
            elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
                name = each.targets[0].id
                (self._changed if name in seen else seen).add(name)

    def _block(self, body: list[ast.stmt]) -> tuple[nodes.Statement, ...]:
        """Translate a block; variables declared in it are local to it."""
        outer = dict(self._names)
        found = tuple(self._statement(each) for each in body)
        self._names = outer
        return found

    def _statement(self, node: ast.stmt) -> nodes.Statement:
        match node:
            case ast.Expr(ast.Constant(str(text))):
                return nodes.Comment(text)
            case ast.Expr(ast.Call(ast.Name("kibitz"), [value])):
                return nodes.Kibitz(self._of_type(value, TEXT))
            case ast.Assign([ast.Name(name)], value) if name not in self._names:
                return self._declare(name, self._whole(value, self._value(value)))
            case ast.Assign([ast.Name() | ast.Attribute() as target], value):
                place = self._target(target)
                return nodes.Assign(place, self._whole(value, self._of_type(value, place.type)))
            case ast.AugAssign(target, ast.Add() | ast.Sub() as operator, value):
                place = self._target(target)
                return nodes.Change(f"{_OPERATORS[type(operator)]}=", place, self._of_type(value, place.type))
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), [stop]), body, []):
                counter = self._new(nodes.Name(name, INT))
                return nodes.ForRange(counter, self._of_type(stop, INT), self._inside(counter, body))
            case ast.For(ast.Name(name), items, body, []):
                many = self._value(items)
                if not many.type.depth:
                    raise _refused(items, "is not a list")
                each = self._new(nodes.Name(name, many.type.item, pointer=many.type.item.is_structure))
                return nodes.ForEach(each, many, self._inside(each, body))
            case ast.If(test, body, otherwise):
                return nodes.If(self._of_type(test, BOOL), self._block(body), self._block(otherwise))
            case ast.Return(ast.expr() as value):
                return nodes.Return(self._of_type(value, TEXT))
        raise _refused(node, "is not supported")

    def _whole(self, node: ast.expr, value: nodes.Expression) -> nodes.Expression:
        if isinstance(value, nodes.Slice | nodes.Format):
            raise _refused(node, "cannot be kept in a variable: start with name = '' and append to it with +=")
        return value

    def _declare(self, name: str, value: nodes.Expression) -> nodes.Declare:
        variable = nodes.Name(
            name, replace(value.type, optional=False), builder=name in self._appended, pointer=value.type.is_structure
        )
        self._names[name] = self._new(variable)
        return nodes.Declare(variable, value, name in self._changed)

    def _new(self, name: nodes.Name) -> nodes.Name:
        if name.name in self._names:
            raise UserError(f"{name.name!r} is already defined: give the loop variable another name")
        return name

    def _inside(self, name: nodes.Name, body: list[ast.stmt]) -> tuple[nodes.Statement, ...]:
        self._names[name.name] = name
        found = self._block(body)
        del self._names[name.name]
        return found

    def _target(self, node: ast.expr) -> nodes.Name | nodes.Attribute:
        found = self._value(node)
        if not isinstance(found, nodes.Name | nodes.Attribute):
            raise _refused(node, "cannot be assigned to")
        return found

    def _of_type(self, node: ast.expr, wanted: Type) -> nodes.Expression:
        found = self._value(node)
        if not _same(found.type, wanted):
            raise _refused(node, f"must be {_spelt(wanted)}, but is {_spelt(found.type)}")
        return found

    def _value(self, node: ast.expr) -> nodes.Expression:
        match node:
            case ast.Constant(bool(value)):
                return nodes.Literal(value, BOOL)
            case ast.Constant(int(value)):
                return nodes.Literal(value, INT)
            case ast.Constant(float(value)):
                return nodes.Literal(value, NUMBER)
            case ast.Constant(str(value)):
                return nodes.Literal(value, TEXT)
            case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
                return nodes.Literal(-value, INT)
            case ast.UnaryOp(ast.Not(), value):
                return nodes.Not(self._of_type(value, BOOL), BOOL)
            case ast.Name(name):
                return self._named(node, name)
            case ast.Attribute(of, name):
                return self._attribute(node, self._value(of), name)
            case ast.Subscript(of, ast.Slice() as cut):
                return self._slice(node, self._of_type(of, TEXT), cut)
            case ast.Subscript(of, at):
                many, place = self._value(of), self._of_type(at, INT)
                if isinstance(place, nodes.Literal) and int(place.value) < 0:
                    raise _refused(at, "must not be negative")
                if many.type.is_text:
                    return nodes.Slice(many, place, 1, TEXT)
                if not many.type.depth:
                    raise _refused(of, "is neither a list nor text")
                return nodes.Index(many, place, many.type.item)
            case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
                return self._arithmetic(node, _OPERATORS[type(operator)], self._value(left), self._value(right))
            case ast.Compare(left, [operator], [right]) if type(operator) in _OPERATORS:
                first, second = self._value(left), self._value(right)
                if not _same(first.type, second.type) or first.type.depth or first.type.is_structure:
                    raise _refused(node, "compares what cannot be compared")
                return nodes.Binary(_OPERATORS[type(operator)], first, second, BOOL)
            case ast.BoolOp(operator, values):
                parts = [self._of_type(value, BOOL) for value in values]
                found = parts[0]
                for part in parts[1:]:
                    found = nodes.Binary(_OPERATORS[type(operator)], found, part, BOOL)
                return found
            case ast.JoinedStr(values):
                return nodes.Format(tuple(self._parts(values)), TEXT)
            case ast.Call(ast.Name(function), arguments, []) if _ARGUMENTS.get(function) == len(arguments):
                return self._call(node, function, tuple(self._value(each) for each in arguments))
        raise _refused(node, "is not supported")

    def _slice(self, node: ast.expr, of: nodes.Expression, part: ast.Slice) -> nodes.Slice:
        match part:
            case ast.Slice(None | ast.Constant(0), ast.Constant(int(stop)), None):
                return nodes.Slice(of, nodes.Literal(0, INT), stop, TEXT)
            case ast.Slice(ast.Constant(int(start)), ast.Constant(int(stop)), None) if start < stop:
                return nodes.Slice(of, nodes.Literal(start, INT), stop - start, TEXT)
            case ast.Slice(ast.expr() as at, ast.BinOp(again, ast.Add(), ast.Constant(int(length))), None) if ast.dump(
                at
            ) == ast.dump(again):
                return nodes.Slice(of, self._of_type(at, INT), length, TEXT)
        raise _refused(node, "must have the form text[at], text[:2], text[1:3] or text[at:at + 2]")

    def _named(self, node: ast.expr, name: str) -> nodes.Expression:
        if name in self._tables:
            return nodes.Constant(name, self._tables[name])
        if name not in self._names:
            raise _refused(node, "is not defined here")
        return self._names[name]

    def _attribute(self, node: ast.expr, of: nodes.Expression, name: str) -> nodes.Attribute:
        structure = self._structures.get(of.type.name) if not of.type.depth else None
        for each in structure.fields if structure else ():
            if each.name == name:
                return nodes.Attribute(of, name, each.type)
        raise _refused(node, "is not a field")

    def _arithmetic(
        self, node: ast.expr, operator: str, left: nodes.Expression, right: nodes.Expression
    ) -> nodes.Binary:
        if (
            left.type.depth
            or right.type.depth
            or left.type.name != right.type.name
            or left.type.name not in ("int", "number")
        ):
            raise _refused(node, "needs two numbers of the same type")
        if left.type == NUMBER and operator in ("//", "%"):
            raise _refused(node, "needs whole numbers")
        return nodes.Binary(operator, left, right, left.type)

    def _call(self, node: ast.expr, function: str, arguments: tuple[nodes.Expression, ...]) -> nodes.Call:
        if function == "len":
            if not arguments[0].type.depth:
                raise _refused(node, "needs a list")
        elif any(not _same(each.type, INT) for each in arguments):
            raise _refused(node, "needs whole numbers")
        return nodes.Call(function, arguments, INT)

    def _parts(self, values: list[ast.expr]) -> Iterator[str | nodes.Expression]:
        for value in values:
            match value:
                case ast.Constant(str(text)):
                    yield text
                case ast.FormattedValue(inner, -1, None):
                    found = self._value(inner)
                    if found.type.depth or found.type.is_structure or found.type == BOOL:
                        raise _refused(inner, "is not a number or a text")
                    yield found
                case _:
                    raise _refused(value, "is not supported in a text")


def _same(one: Type, other: Type) -> bool:
    if one.is_text and other.is_text:
        return True
    return (one.name, one.depth) == (other.name, other.depth)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _spelt(kind: Type) -> str:
    return (
        "a list"
        if kind.depth
        else {"int": "a whole number", "bool": "true or false", "line": "text"}.get(kind.name, kind.name)
    )


def _refused(node: ast.AST, why: str) -> UserError:
    return UserError(f"line {getattr(node, 'lineno', 1)}: {ast.unparse(node)!r} {why}")
