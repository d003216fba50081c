"""Symmetric positive definite matrices with a row per agent: small enough for plain Python."""

from __future__ import annotations

import math
from operator import mul

Matrix = list[list[float]]


def factor(matrix: Matrix) -> Matrix:
    """Return the Cholesky factor: the lower triangle whose product with its transpose is the matrix."""
    rows: Matrix = []
    for index, source in enumerate(matrix):
        row: list[float] = []
        for column, above in enumerate(rows):
            row.append((source[column] - sum(map(mul, row, above))) / above[column])
        row.append(math.sqrt(source[index] - sum(value * value for value in row)))
        rows.append(row)
    return rows


def solve(triangle: Matrix, right: list[float]) -> list[float]:
    """Solve ``matrix · x = right`` for x, given the Cholesky factor of the matrix."""
    forward: list[float] = []
    for row, value in zip(triangle, right, strict=True):
        forward.append((value - sum(map(mul, row, forward))) / row[-1])
    for index in range(len(triangle) - 1, -1, -1):
        row = triangle[index]
        forward[index] = value = forward[index] / row[index]
        for column in range(index):
            forward[column] -= row[column] * value
    return forward


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse."""
    triangle = factor(matrix)
    size = len(matrix)
    return [solve(triangle, [float(row == column) for column in range(size)]) for row in range(size)]


def sandwich(bread: Matrix, filling: Matrix) -> Matrix:
    """Return ``bread · filling · bread`` of symmetric matrices."""
    half = [[sum(map(mul, row, column)) for column in filling] for row in bread]
    return [[sum(map(mul, row, column)) for column in bread] for row in half]
