"""The expected result of every misbehaving agent: one table for the tests and for the page about these agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

from arbiter.game import Lifetime

ROUNDS = 5
"""Long enough for a long-lived agent that faults every turn to use up its fresh processes."""

PLAYED = "played"
SPENT = "spent"

Turns = tuple[str, ...]
"""For every turn of a game: a kind of fault or PLAYED; several with ``|`` between them where the moment decides."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the record keeps with a fault. Texts are patterns for the whole field."""

    detail: str
    said: str = ""
    stderr: str = ""
    exit_codes: tuple[int | None, ...] = (None,)
    """Those possible; None for a process that had to be killed."""
    cut: bool = False
    """More was said than the record keeps."""
    note: str = ""
    """What the note says about the cause."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game of an agent in one lifetime."""

    turns: Turns
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    """By kind of fault; for every kind among the turns."""
    limits: Mapping[str, str | int] = field(default_factory=dict)
    """Its own, where those of the protocol would take too long or too much."""
    kibitz: str = ""
    """Pattern for the one kibitz of every answer."""
    note: str = ""
    """Pattern for the note on every answer that is played."""


@dataclass(frozen=True, slots=True)
class Case:
    """An agent in both lifetimes."""

    agent: str
    """Its file."""
    move: Outcome
    game: Outcome
    environment: Mapping[str, str] = field(default_factory=dict)

    def outcome(self, lifetime: Lifetime) -> Outcome:
        return self.move if lifetime == "move" else self.game


def always(kind: str) -> Turns:
    return (kind,) * ROUNDS


def until_spent(kind: str) -> Turns:
    """The first process and three fresh ones fail; after that it is not asked again."""
    return (*(kind,) * 4, *(SPENT,) * (ROUNDS - 4))


def by_turns(first: str, second: str) -> Turns:
    return ((first, second) * ROUNDS)[:ROUNDS]


def in_words(turns: Turns) -> str:
    """As the page of the agents puts it."""
    first, second = turns[:2]
    if first != second and turns == by_turns(first, second):
        return f"by turns {_alternatives(first)} and {_alternatives(second)}"
    return ", then ".join(_alternatives(kinds) for kinds, _ in groupby(turns))


def _alternatives(kinds: str) -> str:
    return " or ".join("its move is played" if kind == PLAYED else f"`{kind}`" for kind in kinds.split("|"))


_TIGHT = {"move": "40ms", "first_move": "40ms"}
"""For agents that never answer in time, however long that is."""
_ROOM_TO_SPEAK = {"move": "250ms", "first_move": "250ms"}
"""For agents that print something in time that is not an answer; on a busy machine they may not even get that far."""
_UNENDED = r"no answer within 250ms( \(\d+ bytes? came, but no end of line\))?"
_UNREAD = r"(had not read all of its input: left \d+ bytes in the pipe)?"
"""Said only of long-lived agents; one that lives for a move finds its prompt in a pipe that the arbiter has closed."""
_LATE = Evidence("no answer within 40ms", note=_UNREAD)
_LEFT = Evidence(
    "exited with status 0 (between moves|without answering)",
    exit_codes=(0,),
    note="(ended by itself after it had answered: in this lifetime a process must read on for the next prompt)?",
)
_NEVER_ENDED = (
    "(printed '1 0' (without an end of line: end every answer with a line feed|only after its input had been closed, which "
    "is typical of output that was not flushed, or of a program that reads its input to the end before it answers))?"
    f"|{_UNREAD}"
)
_LINES = "print one line for a move, and debug text on standard error"
_SPENT = Evidence("used up its 3 restarts for this game")


def _both(agent: str, turns: Turns) -> Case:
    return Case(agent, Outcome(turns), Outcome(turns))


def _faulty(
    agent: str,
    kind: str,
    evidence: Evidence,
    limits: Mapping[str, str | int] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Case:
    """It faults every turn and its process with it."""
    own = limits or {}
    return Case(
        agent,
        Outcome(always(kind), {kind: evidence}, own),
        Outcome(until_spent(kind), {kind: evidence, SPENT: _SPENT}, own),
        environment or {},
    )


def _refused(agent: str, kind: str, detail: str, line: str, note: str = "") -> Case:
    """It answers in time, so its process lives on, but the rules refuse what it says."""
    return Case(
        agent,
        Outcome(always(kind), {kind: Evidence(detail, line + "\n", exit_codes=(0,), note=note)}),
        Outcome(always(kind), {kind: Evidence(detail, line, note=note)}),
    )


_NOISE = {
    "garbled": Evidence("'x+…?' is not an integer", "x+", exit_codes=(None, 0)),
    "flooded": Evidence("printed more than 64KB in one turn", "x{4096}", exit_codes=(None, 0), cut=True),
    "silent": _LEFT,
    SPENT: _SPENT,
}
_HOARD = {
    "memory": Evidence(
        r"(uses [\d.]+MB of memory, 64MB allowed|(exited with status 1|killed by signal 9 \(SIGKILL\)), out of memory: 64MB allowed(; it had used [\d.]+MB)?)",
        stderr="(.*MemoryError\n)?",
        exit_codes=(1, -9, None),
    ),
    SPENT: _SPENT,
}
_CUT = "a kibitz longer than 4096 bytes was cut"

CASES = (
    _both("steady.c", always(PLAYED)),
    _faulty("hangs.c", "late", _LATE, _TIGHT),
    _faulty("sleeps.sh", "late", _LATE, _TIGHT),
    _faulty("late.pl", "late", _LATE, _TIGHT, {"LATE_MS": "20000"}),
    _faulty("crowds.c", "late", _LATE, _TIGHT, {"LATE_MS": "3000"}),
    _faulty("drips.pl", "late", Evidence(_UNENDED, "1*", note=_UNREAD), _ROOM_TO_SPEAK),
    _faulty("ignores_signals.sh", "late", _LATE, _TIGHT),
    _faulty("stops_itself.sh", "late", _LATE, _TIGHT),
    _faulty("silent.sh", "silent", Evidence("exited with status 0 without answering", exit_codes=(0,))),
    _faulty(
        "aborts.c",
        "crashed",
        Evidence(r"killed by signal 6 \(SIGABRT\)", stderr="assertion failed: chips >= 0\n", exit_codes=(-6,)),
    ),
    _faulty(
        "raises.py",
        "crashed",
        Evidence("exited with status 3", stderr="Traceback .*KeyError: 'strategy'\n", exit_codes=(3,)),
    ),
    Case(
        "dies.c",
        Outcome(
            always("crashed"), {"crashed": Evidence(r"killed by signal 11 \(SIGSEGV\)", "1 0\n", exit_codes=(-11,))}
        ),
        Outcome(
            by_turns(PLAYED, "crashed"),
            {"crashed": Evidence(r"killed by signal 11 \(SIGSEGV\)( between moves)?", exit_codes=(-11,))},
        ),
    ),
    Case("leaves.py", Outcome(always(PLAYED)), Outcome(by_turns(PLAYED, "silent"), {"silent": _LEFT})),
    Case("closes_stdin.sh", Outcome(always(PLAYED)), Outcome(by_turns(PLAYED, "silent"), {"silent": _LEFT})),
    Case(
        "never_reads.c",
        Outcome(always("late"), {"late": Evidence(_UNENDED, "(1 0\n)?")}, _ROOM_TO_SPEAK),
        Outcome(by_turns(PLAYED, "late"), {"late": _LATE}, {"move": "40ms", "first_move": "10s"}),
    ),
    _faulty("closes_stdout.sh", "closed", Evidence("closed its standard output without answering")),
    Case(
        "no_newline.sh",
        Outcome(always(PLAYED)),
        Outcome(
            until_spent("late"),
            {"late": Evidence(_UNENDED, "(1 0)?", note=_NEVER_ENDED), SPENT: _SPENT},
            _ROOM_TO_SPEAK,
        ),
    ),
    Case(
        "two_answers.py",
        Outcome(
            always("illegal"),
            {
                "illegal": Evidence(
                    "with .* no chip may be returned, .*",
                    "1 0\n1 1 0\n",
                    exit_codes=(0,),
                    note="the answer has 2 lines, of which line 1 alone would be a legal move: print only the move on "
                    "standard output, and debug text on standard error",
                )
            },
        ),
        Outcome(always(PLAYED), note=f"dropped 6 bytes after the answer(: '1 1 0'; {_LINES})?"),
    ),
    _refused("illegal.py", "illegal", r"gold \('5'\) cannot be taken; it only comes with a reservation", "2 5"),
    _refused("garbage.js", "garbled", "'the' is not an integer", "the shiny one, please"),
    _refused("format_strings.pl", "garbled", "'%d' is not an integer", r"%d %s %n \{\} \{0\.__class__\} \$\(id\) \\n"),
    _refused(
        "binary.py",
        "garbled",
        r"'1\\x00\\ufffd\\ufffd\(' is not an integer",
        "1\x00��\\( \x1b\\[2J\x1b\\]0;mine\x07�31m\r",
    ),
    _faulty("floods_stdout.c", "flooded", Evidence("printed more than 64KB in one turn", "1{4096}", cut=True)),
    _faulty("floods_stderr.c", "flooded", Evidence("printed more than 4MB on standard error", stderr="!{4096}")),
    _both("chatty.py", always(PLAYED)),
    Case(
        "long_kibitz.py",
        Outcome(always(PLAYED), kibitz=r"(blah )+b \[…\]", note=_CUT),
        Outcome(always(PLAYED), kibitz=r"(blah )+b \[…\]", note=_CUT),
    ),
    _both("child_same_group.sh", always(PLAYED)),
    _both("child_own_session.pl", always(PLAYED)),
    _both("child_daemon.c", always(PLAYED)),
    Case(
        "child_floods.c",
        Outcome(always("garbled|flooded"), _NOISE),
        Outcome(always("garbled|flooded|silent|spent"), _NOISE),
    ),
    Case(
        "hoards.py",
        Outcome(always("memory"), _HOARD, {"memory": "64MB"}),
        Outcome(until_spent("memory"), _HOARD, {"memory": "64MB"}),
    ),
    _faulty("hoards_shared.c", "memory", _HOARD["memory"], {"memory": "64MB"}),
    _faulty("swarms.c", "processes", Evidence("runs more than 4 processes"), {"processes": 4}),
)
