"""The seccomp filter program: an allow-list of system calls, compiled from the tables of :mod:`arbiter.agents.sandbox.system_calls`.

The kernel runs the filter only for calls with conditions on their arguments; it remembers the verdict on all others. Calls of a
foreign architecture kill the process.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Mapping

import msgspec

from arbiter.agents.sandbox.system_calls import ALLOWED, ALLOWED_ON_X86_64, Condition, Rule, Test, rules

_LOAD, _AND, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALL_BITS = 0xFFFFFFFF
_Instruction = tuple[int, int, int, int]


class Architecture(msgspec.Struct, frozen=True):
    """A processor architecture: its AUDIT_ARCH_… constant and the numbers of the allowed system calls."""

    architecture: int
    numbers: Mapping[str, int]


ARCHITECTURES: Mapping[str, Architecture] = {
    "x86_64": Architecture(0xC000003E, {**{name: each[0] for name, each in ALLOWED.items()}, **ALLOWED_ON_X86_64}),
    "aarch64": Architecture(0xC00000B7, {name: each[1] for name, each in ALLOWED.items()}),
}
"""By the name that ``uname -m`` prints."""


def filter_program(
    machine: Architecture, *, attributes: bool = True, uncounted: bool = True, lowest_sender: int = 0
) -> bytes:
    """Return the filter, an array of ``struct sock_filter``.

    ``attributes``: allow changing the attributes of files. ``uncounted``: allow memory that no resource limit counts and that
    no resident set shows: files in memory, shared anonymous mappings, and pages handed over to a pipe.
    ``lowest_sender``: the lowest file descriptor that messages may be sent on; the kernel limits the number of files that
    are being passed per user, so agents of one user could keep each other's spawners from passing any.
    """
    code = [_load(_ARCHITECTURE), _jump(_JUMP_EQUAL, machine.architecture, 1, 0), _return(_KILL), _load(_NUMBER)]
    by_call: dict[str, list[Rule]] = {}
    for rule in rules(attributes=attributes, uncounted=uncounted, lowest_sender=lowest_sender):
        for call in filter(machine.numbers.__contains__, rule.calls):  # aarch64 lacks some
            by_call.setdefault(call, []).append(rule)
    for call, its_rules in by_call.items():
        verdict = [each for rule in its_rules for each in _refusal(rule)]
        if its_rules[-1].conditions:
            verdict.append(_return(_ALLOW))
        code += [_jump(_JUMP_EQUAL, machine.numbers[call], 0, len(verdict)), *verdict]
    code += _allowed(number for call, number in machine.numbers.items() if call not in by_call)
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def _allowed(numbers: Iterable[int]) -> list[_Instruction]:
    """Allow these calls and no others, run by run of consecutive numbers."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    code: list[_Instruction] = []
    for first, last in runs:
        code += [_jump(_JUMP_AT_LEAST, last + 1, 3, 0), _jump(_JUMP_AT_LEAST, first, 0, 1), _return(_ALLOW), _refuse()]
    return [*code, _refuse()]


def _refusal(rule: Rule) -> list[_Instruction]:
    """Return the rule's verdict if its conditions hold, or go on after it."""
    code = [_refuse(rule.error)]
    for condition in reversed(rule.conditions):
        code = [*_check(condition, len(code)), *code]
    return code


def _check(condition: Condition, skip: int) -> list[_Instruction]:
    """Skip so many instructions unless the condition holds."""
    values = condition.values
    code = [_load(_ARGUMENTS + 8 * condition.argument + (4 if condition.upper else 0))]
    if condition.mask != _ALL_BITS:
        code.append((_AND, 0, 0, condition.mask))
    for left, value in zip(reversed(range(len(values))), values, strict=True):
        if condition.test is Test.IN:
            code.append(_jump(_JUMP_EQUAL, value, left, 0 if left else skip))
        elif condition.test is Test.NOT_IN:
            code.append(_jump(_JUMP_EQUAL, value, left + skip, 0))
        elif condition.test is Test.HAS:
            code.append(_jump(_JUMP_ANY_BIT, value, left, 0 if left else skip))
        else:
            code.append(_jump(_JUMP_AT_LEAST, value, skip, 0))
    return code


def _load(offset: int) -> _Instruction:
    return (_LOAD, 0, 0, offset)


def _jump(code: int, value: int, if_true: int, if_false: int) -> _Instruction:
    return (code, if_true, if_false, value)


def _return(verdict: int) -> _Instruction:
    return (_RETURN, 0, 0, verdict)


def _refuse(number: int = errno.ENOSYS) -> _Instruction:
    return _return(_ERRNO | number)
